// How far the triangles of a leaf are from 8 boxes that are much smaller: the leaf's own box says little there. Compiled once per CPU level; included inside
// Highway's per-target passes.
#if defined(GRAZE_MESH_COARSE_LEAVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_COARSE_LEAVES_INL
#undef GRAZE_MESH_COARSE_LEAVES_INL
#else
#define GRAZE_MESH_COARSE_LEAVES_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace coarse_leaves {
namespace hn = hwy::HWY_NAMESPACE;

using D = traversal::D;
using VF = hn::Vec<D>;

HWY_INLINE float extent(const WideNode& n, std::uint32_t s) {
  float most = 0;
  for (int i = 0; i < 3; ++i) most = n.plane[3 + i][s] - n.plane[i][s] > most ? n.plane[3 + i][s] - n.plane[i][s] : most;
  return most;
}
constexpr float kCoarse = 4;  ///< a choice: how many times larger boxes are that count as much larger

/// Of the slots, those whose boxes are larger than the size.
HWY_INLINE std::uint32_t larger(const WideNode& n, std::uint32_t slots, float size) {
  std::uint32_t bits = 0;
  for (; slots != 0; slots &= slots - 1) bits |= extent(n, traversal::lowest_bit(slots)) > size ? slots & (0u - slots) : 0;
  return bits;
}
/// Of the slots, those whose boxes are much larger.
HWY_INLINE std::uint32_t coarse(const WideNode& n, std::uint32_t slots, float size) { return larger(n, slots, kCoarse * size); }

/// Boxes along the axes.
struct StraightBoxes {
  VF center[3], half[3];
  HWY_INLINE VF reach(const float* n) const {
    VF sum = hn::Zero(D());
    for (int i = 0; i < 3; ++i) sum = hn::MulAdd(half[i], hn::Abs(hn::Set(D(), n[i])), sum);
    return sum;
  }
};
/// Boxes with axes of about unit length.
struct TurnedBoxes {
  VF center[3], half[3], axis[3][3];  ///< axis[k]: along half[k]
  HWY_INLINE VF reach(const float* n) const {
    const D d;
    VF sum = hn::Zero(d);
    for (int k = 0; k < 3; ++k)
      sum =
          hn::MulAdd(half[k], hn::Abs(hn::MulAdd(axis[k][2], hn::Set(d, n[2]), hn::MulAdd(axis[k][1], hn::Set(d, n[1]), axis[k][0] * hn::Set(d, n[0])))), sum);
    return sum;
  }
};

/// A lower bound of the distance of boxes from triangle t of a block, in the block's coordinates; not above 0 where none is known. Corners relative to boxes
/// are off by at most `error` in each coordinate. Projections onto an axis and onto the normal as computed are compared, so that its roundings do not count.
/// With S, the sum of the largest coordinates of both, and v = 2^-24, projections onto n are off by less than 32 v S |n|_1, and by 96 v S |n|_1 more where axes
/// of boxes are not quite of unit length.
template <class Boxes>
HWY_INLINE VF gap_of_triangle(const float (*corner)[kBlock], std::size_t t, float error, const Boxes& boxes) {
  const D d;
  float at[3][3], e[2][3], size = 0, n[3], p[2] = {0, 0}, sum = 0, square = 0;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < 3; ++i) {
      at[c][i] = corner[3 * c + i][t];
      const float x = at[c][i] < 0 ? -at[c][i] : at[c][i];
      size = x > size ? x : size;
    }
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t i = 0; i < 3; ++i) e[c][i] = at[c + 1][i] - at[0][i];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
    sum += n[i] < 0 ? -n[i] : n[i];
    square += n[i] * n[i];
    for (std::size_t c = 0; c < 2; ++c) p[c] += n[i] * e[c][i];
  }
  VF room = hn::Set(d, size), along = hn::Zero(d), gap = hn::Set(d, -0x1p60f);
  for (int i = 0; i < 3; ++i) room = hn::Max(room, hn::Abs(boxes.center[i]) + boxes.half[0] + boxes.half[1] + boxes.half[2]);
  room = hn::MulAdd(room + hn::Set(d, size), hn::Set(d, 128 * 0x1p-24f), hn::Set(d, error));
  for (int i = 0; i < 3; ++i) {
    const float lo01 = at[0][i] < at[1][i] ? at[0][i] : at[1][i], hi01 = at[0][i] < at[1][i] ? at[1][i] : at[0][i];
    const float lo = at[2][i] < lo01 ? at[2][i] : lo01, hi = at[2][i] > hi01 ? at[2][i] : hi01,
                axis[3] = {i == 0 ? 1.f : 0.f, i == 1 ? 1.f : 0.f, i == 2 ? 1.f : 0.f};
    gap = hn::Max(gap, hn::Max(boxes.center[i] - hn::Set(d, hi), hn::Set(d, lo) - boxes.center[i]) - boxes.reach(axis));
    along = hn::MulAdd(hn::Set(d, n[i]), boxes.center[i] - hn::Set(d, at[0][i]), along);
  }
  gap = gap - room;
  if (square > 0x1p-100f && square < 0x1p100f) {
    const float least = p[0] < p[1] ? (p[0] < 0 ? p[0] : 0) : (p[1] < 0 ? p[1] : 0), most = p[0] > p[1] ? (p[0] > 0 ? p[0] : 0) : (p[1] > 0 ? p[1] : 0);
    const VF beside = hn::Max(along - hn::Set(d, most), hn::Set(d, least) - along) - hn::MulAdd(room, hn::Set(d, sum), boxes.reach(n));
    gap = hn::Max(gap, beside / hn::Sqrt(hn::Set(d, square)));
  }
  return gap * hn::Set(d, 1 - 0x1p-18f);
}

/// The least of the bounds of all triangles of a block.
template <class Boxes>
HWY_INLINE VF gap(const float (*corner)[kBlock], std::uint32_t count, float error, const Boxes& boxes) {
  VF least = hn::Set(D(), 0x1p60f);
  for (std::uint32_t t = 0; t < count; ++t) least = hn::Min(least, gap_of_triangle(corner, t, error, boxes));
  return least;
}

}  // namespace coarse_leaves
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
