// Oriented boxes of the children of two nodes in SIMD lanes of floats, in the coordinates of one tree. Compiled once per CPU level; included inside Highway's
// per-target passes.
#if defined(GRAZE_MESH_ORIENTED_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_ORIENTED_LANES_INL
#undef GRAZE_MESH_ORIENTED_LANES_INL
#else
#define GRAZE_MESH_ORIENTED_LANES_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/oriented_node.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace oriented_lanes {
namespace hn = hwy::HWY_NAMESPACE;

using D = traversal::D;
using VF = hn::Vec<D>;

/// The oriented boxes of 8 children, in a's coordinates.
struct Boxes {
  alignas(64) float lo[kWidth], hi[kWidth];  ///< along the search's direction
  alignas(64) float center[3][kWidth];
  alignas(64) float axis[3][3][kWidth];  ///< [k][i]: component i of axis k
  alignas(64) float half[3][kWidth];
};

struct Vector {
  VF at[3];
};
HWY_INLINE Vector load(const float (*rows)[kWidth], std::size_t k) {
  const D d;
  return {{hn::Load(d, rows[0] + k), hn::Load(d, rows[1] + k), hn::Load(d, rows[2] + k)}};
}
HWY_INLINE void store(const Vector& v, float (*rows)[kWidth], std::size_t k) {
  const D d;
  for (int i = 0; i < 3; ++i) hn::Store(v.at[i], d, rows[i] + k);
}
HWY_INLINE Vector broadcast(const float (*rows)[kWidth], std::uint32_t s) {
  const D d;
  return {{hn::Set(d, rows[0][s]), hn::Set(d, rows[1][s]), hn::Set(d, rows[2][s])}};
}
HWY_INLINE VF dot(const Vector& a, const Vector& b) { return hn::MulAdd(a.at[2], b.at[2], hn::MulAdd(a.at[1], b.at[1], a.at[0] * b.at[0])); }
HWY_INLINE Vector cross(const Vector& a, const Vector& b) {
  Vector r;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r.at[i] = a.at[j] * b.at[k] - a.at[k] * b.at[j];
  }
  return r;
}
HWY_INLINE Vector turned(const Vector& v, const TurnPlacement& p) {
  const D d;
  Vector r;
  for (int i = 0; i < 3; ++i)
    r.at[i] = hn::MulAdd(v.at[2], hn::Set(d, p.axis[2][i]), hn::MulAdd(v.at[1], hn::Set(d, p.axis[1][i]), v.at[0] * hn::Set(d, p.axis[0][i])));
  return r;
}

/// Stores the boxes from lane k on.
HWY_INLINE void store_boxes(const Vector& center, const Vector (&axis)[3], const Vector& half, const Vector& along, Boxes& out, std::size_t k) {
  const D d;
  const VF middle = dot(center, along);
  VF reach = hn::Zero(d);
  for (int i = 0; i < 3; ++i) {
    reach = hn::MulAdd(half.at[i], hn::Abs(dot(axis[i], along)), reach);
    store(axis[i], out.axis[i], k);
  }
  hn::Store(middle - reach, d, out.lo + k);
  hn::Store(middle + reach, d, out.hi + k);
  store(center, out.center, k);
  store(half, out.half, k);
}

HWY_INLINE Vector constant(const float* x) {
  const D d;
  return {{hn::Set(d, x[0]), hn::Set(d, x[1]), hn::Set(d, x[2])}};
}

HWY_INLINE void set_boxes(const OrientedNode& node, const float* along, Boxes& out) {
  const D d;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Vector x = load(node.axis[0], k), y = load(node.axis[1], k), axis[3] = {x, y, cross(x, y)};
    store_boxes(load(node.center, k), axis, load(node.half, k), constant(along), out, k);
  }
}

HWY_INLINE void place_boxes(const OrientedNode& node, const TurnPlacement& p, const float* along, Boxes& out) {
  const D d;
  const VF ratio = hn::Set(d, p.ratio);
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Vector x = load(node.axis[0], k), y = load(node.axis[1], k);
    Vector center = turned(load(node.center, k), p), half = load(node.half, k);
    for (int i = 0; i < 3; ++i) {
      center.at[i] = hn::MulAdd(center.at[i], ratio, hn::Set(d, p.offset[i]));
      half.at[i] = half.at[i] * ratio;
    }
    const Vector axis[3] = {turned(x, p), turned(y, p), turned(cross(x, y), p)};
    store_boxes(center, axis, half, constant(along), out, k);
  }
}

/// Stores the gaps of boxes along the search's direction at gap[0 .. lanes); returns which may be within the limit of squared distances. `far` - `near` is the
/// distance of their projections.
HWY_INLINE hn::Mask<D> near_along(VF near, VF far, float pad, float limit, float* HWY_RESTRICT gap) {
  const D d;
  const VF g = far - near - hn::Set(d, pad), bound = g * hn::Set(d, 1 - 0x1p-17f);
  hn::Store(g, d, gap);
  return hn::Max(bound, hn::Zero(d)) * bound <= hn::Set(d, limit);
}

}  // namespace oriented_lanes
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
