// Pairs of triangles in SIMD lanes of floats, 16 at a time: which pairs may touch or come within a margin. Compiled once per CPU level; included inside
// Highway's per-target passes.
#if defined(GRAZE_MESH_PAIR_TOUCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_PAIR_TOUCH_INL
#undef GRAZE_MESH_PAIR_TOUCH_INL
#else
#define GRAZE_MESH_PAIR_TOUCH_INL
#endif

#include <hwy/highway.h>
#include <bit>
#include <cstdint>

#include "mesh/kernels/pair_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace pair_touch {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, 16>;
using V = hn::Vec<F>;
using M = hn::Mask<F>;
using P = lanes::Point3<V>;

/// A leaf of b in a's coordinates, in floats relative to `origin`, one of its points.
struct LocalBlock {
  alignas(64) float corner[9][kBlock];
  float origin[3], size;
};

/// x cut to the bits of a float, so that converting it and back rounds nothing: where GCC 12 vectorises two such pairs of conversions it drops them.
HWY_INLINE double cut_to_float(double x) {
  return x < 0x1p-100 && x > -0x1p-100 ? 0 : std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~std::uint64_t{0x1FFFFFFF});
}

HWY_INLINE void place_block(const TriangleBlock& block, const BlockPlacement& p, LocalBlock& out) {
  const block::DD d;
  const block::DF f;
  double origin[3];
  for (std::size_t i = 0; i < 3; ++i) {
    origin[i] = ((static_cast<double>(block.corner[0][0]) * p.axis[0][i] + static_cast<double>(block.corner[1][0]) * p.axis[1][i]) +
                 static_cast<double>(block.corner[2][0]) * p.axis[2][i]) +
                p.offset[i];
    origin[i] = cut_to_float(origin[i]);
    out.origin[i] = static_cast<float>(origin[i]);
  }
  auto size = hn::Zero(f);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    for (std::size_t c = 0; c < 9; c += 3) {
      const block::P at = block::corner_of(block, c / 3, k);
      for (std::size_t i = 0; i < 3; ++i) {
        const block::V sum =
            hn::MulAdd(at.z, hn::Set(d, p.axis[2][i]),
                       hn::MulAdd(at.y, hn::Set(d, p.axis[1][i]), hn::MulAdd(at.x, hn::Set(d, p.axis[0][i]), hn::Set(d, p.offset[i] - origin[i]))));
        const auto x = hn::DemoteTo(f, sum);
        size = hn::Max(size, hn::Abs(x));
        hn::Store(x, f, out.corner[c + i] + k);
      }
    }
  }
  out.size = hn::GetLane(hn::MaxOfLanes(f, size));
}

/// Lanes from `at` on of a row, where lane 4 i + j holds the value of a's triangle i (row_of_a) or of b's triangle j (row_of_b).
template <class DF>
HWY_INLINE hn::Vec<DF> row_of_a(DF d, const float (&row)[kBlock], std::size_t at) {
  constexpr std::size_t lanes = hn::MaxLanes(DF());
  if constexpr (lanes == 16) {
    alignas(64) static constexpr std::int32_t kEach[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    return hn::TableLookupLanes(hn::LoadDup128(d, row), hn::SetTableIndices(d, kEach));
  } else if constexpr (lanes == 8) {
    alignas(64) static constexpr std::int32_t kEach[2][8] = {{0, 0, 0, 0, 1, 1, 1, 1}, {2, 2, 2, 2, 3, 3, 3, 3}};
    return hn::TableLookupLanes(hn::LoadDup128(d, row), hn::SetTableIndices(d, kEach[at / 8]));
  } else {
    return hn::Set(d, row[at / 4]);
  }
}
template <class DF>
HWY_INLINE hn::Vec<DF> row_of_b(DF d, const float (&row)[kBlock], std::size_t at) {
  constexpr std::size_t lanes = hn::MaxLanes(DF());
  if constexpr (lanes >= 8)
    return hn::LoadDup128(d, row);
  else if constexpr (lanes == 4)
    return hn::Load(d, row);
  else
    return hn::Load(d, row + at % 4);
}

HWY_INLINE V min3(V a, V b, V c) { return hn::Min(hn::Min(a, b), c); }
HWY_INLINE V max3(V a, V b, V c) { return hn::Max(hn::Max(a, b), c); }
HWY_INLINE V dot_f(const P& a, const P& b) { return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, a.x * b.x)); }
HWY_INLINE P cross_f(const P& a, const P& b) { return {hn::MulSub(a.y, b.z, a.z * b.y), hn::MulSub(a.z, b.x, a.x * b.z), hn::MulSub(a.x, b.y, a.y * b.x)}; }

// A direction n, taken as the exact value of its floats, truly separates if the projections are farther apart than the errors of corners and roundings can move
// them: see slack() in pair_traversal_kernels.cpp. A margin requires |n| margin more. The 2^-120 covers underflow (products below 2^-126, each off by at most
// 2^-149).
struct Lanes {
  P a1, a2, b0, b1, b2;  // relative to a's corner 0
  V slack, margin;
};
template <bool kMargin>
HWY_INLINE M surely_apart(const Lanes& t, const P& n) {
  const F d;
  const V a1 = dot_f(t.a1, n), a2 = dot_f(t.a2, n), b0 = dot_f(t.b0, n), b1 = dot_f(t.b1, n), b2 = dot_f(t.b2, n);
  V room = hn::MulAdd(t.slack, lanes::taxicab(n), hn::Set(d, 0x1p-120f));
  if constexpr (kMargin) room = hn::MulAdd(t.margin, hn::Sqrt(dot_f(n, n) + hn::Set(d, 0x1p-100f)), room);  // the addend outweighs the underflow
  const V low_a = min3(a1, a2, hn::Zero(d)), high_a = max3(a1, a2, hn::Zero(d));
  return hn::Max(min3(b0, b1, b2) - high_a, low_a - max3(b0, b1, b2)) > room;
}

/// Pairs that boxes do not separate, and of these, those that the directions of faces do not.
struct Survivors {
  std::uint32_t boxes = 0, faces = 0;
};

/// The bits of lanes from k on that are not apart.
HWY_INLINE std::uint32_t bits_of_others(M apart, std::size_t k) {
  const F d;
  std::uint8_t bytes[8] = {0};
  hn::StoreMaskBits(d, hn::Not(apart), bytes);
  return ((bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) & ((1u << hn::Lanes(d)) - 1)) << k;
}

/// Bit 4 i + j: triangle i of a and triangle j of b may be within the margin, with room for `slack` in each coordinate. kFaces: tests only boxes, the direction
/// `along`, and faces. Without it, `survivors` receives the pairs that the first tests do not separate, if it is not null.
template <bool kMargin, bool kFaces>
HWY_INLINE std::uint32_t touching_pairs(const TriangleBlock& a, const LocalBlock& b, float slack_, float margin_, const float* along = nullptr,
                                        Survivors* survivors = nullptr) {
  const F d;
  const V margin = hn::Set(d, margin_);
  std::uint32_t bits = 0;
  const V slack = hn::Set(d, slack_);
  for (std::size_t k = 0; k < 16; k += hn::Lanes(d)) {
    const V ox = hn::Set(d, b.origin[0]), oy = hn::Set(d, b.origin[1]), oz = hn::Set(d, b.origin[2]);
    const P a0{row_of_a(d, a.corner[0], k) - ox, row_of_a(d, a.corner[1], k) - oy, row_of_a(d, a.corner[2], k) - oz};
    const P a1{row_of_a(d, a.corner[3], k) - ox, row_of_a(d, a.corner[4], k) - oy, row_of_a(d, a.corner[5], k) - oz};
    const P a2{row_of_a(d, a.corner[6], k) - ox, row_of_a(d, a.corner[7], k) - oy, row_of_a(d, a.corner[8], k) - oz};
    const P b0{row_of_b(d, b.corner[0], k), row_of_b(d, b.corner[1], k), row_of_b(d, b.corner[2], k)},
        b1{row_of_b(d, b.corner[3], k), row_of_b(d, b.corner[4], k), row_of_b(d, b.corner[5], k)},
        b2{row_of_b(d, b.corner[6], k), row_of_b(d, b.corner[7], k), row_of_b(d, b.corner[8], k)};
    const auto gap = [&](V x0, V x1, V x2, V y0, V y1, V y2) { return hn::Max(min3(y0, y1, y2) - max3(x0, x1, x2), min3(x0, x1, x2) - max3(y0, y1, y2)); };
    const V gx = gap(a0.x, a1.x, a2.x, b0.x, b1.x, b2.x), gy = gap(a0.y, a1.y, a2.y, b0.y, b1.y, b2.y), gz = gap(a0.z, a1.z, a2.z, b0.z, b1.z, b2.z);
    M apart;
    if constexpr (kMargin) {
      const V zero = hn::Zero(d), cx = hn::Max(gx - slack, zero), cy = hn::Max(gy - slack, zero), cz = hn::Max(gz - slack, zero);
      apart = hn::MulAdd(cz, cz, hn::MulAdd(cy, cy, cx * cx)) > hn::MulAdd(margin, margin, hn::Set(d, 0x1p-100f));
    } else {
      apart = max3(gx, gy, gz) > slack;
    }
    if (hn::AllTrue(d, apart)) continue;
    if (!kFaces && survivors != nullptr) survivors->boxes |= bits_of_others(apart, k);
    const Lanes t{a1 - a0, a2 - a0, b0 - a0, b1 - a0, b2 - a0, slack, margin};
    if constexpr (kFaces) {
      apart = hn::Or(apart, surely_apart<kMargin>(t, P{hn::Set(d, along[0]), hn::Set(d, along[1]), hn::Set(d, along[2])}));
      if (hn::AllTrue(d, apart)) continue;
    }
    const P e0 = t.a1, e1 = a2 - a1, e2 = t.a2, f0 = b1 - b0, f1 = b2 - b1, f2 = b2 - b0;
    apart = hn::Or(apart, hn::Or(surely_apart<kMargin>(t, cross_f(e0, e1)), surely_apart<kMargin>(t, cross_f(f0, f1))));
    if (hn::AllTrue(d, apart)) continue;
    if constexpr (!kFaces) {
      if (survivors != nullptr) survivors->faces |= bits_of_others(apart, k);
      apart = hn::Or(apart, hn::Or(hn::Or(surely_apart<kMargin>(t, cross_f(e0, f0)), surely_apart<kMargin>(t, cross_f(e0, f1))),
                                   surely_apart<kMargin>(t, cross_f(e0, f2))));
      apart = hn::Or(apart, hn::Or(hn::Or(surely_apart<kMargin>(t, cross_f(e1, f0)), surely_apart<kMargin>(t, cross_f(e1, f1))),
                                   surely_apart<kMargin>(t, cross_f(e1, f2))));
      apart = hn::Or(apart, hn::Or(hn::Or(surely_apart<kMargin>(t, cross_f(e2, f0)), surely_apart<kMargin>(t, cross_f(e2, f1))),
                                   surely_apart<kMargin>(t, cross_f(e2, f2))));
    }
    bits |= bits_of_others(apart, k);
  }
  return bits;
}

}  // namespace pair_touch
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
