// Tests one triangle of A against 4 of B, compiled once per CPU level: separating directions, and enclosures of distances. Uses only + - * / sqrt min max and
// comparisons, each rounded separately, so all levels take the same steps.
#include "mesh/kernels/pair_kernels.hpp"

#include <cstdint>
#include <limits>

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/pair_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "mesh/kernels/pair_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace pair_lanes;

// A direction n truly separates if the projections are farther apart than the errors of corners and roundings can move them. Corners move by `error` in each
// coordinate (both sides together); the rounded products and sums by 4 u of |n|_1 times coordinates, which differences from a corner keep below `size`.
// Distances along n are at most the distances in space, and |n| <= |n|_1, so a margin requires margin |n|_1 more.
struct Pair {
  P a1, a2, b0, b1, b2;  // relative to A's corner 0
  V slack;               // error + margin + 16 u size
};
HWY_INLINE M surely_apart(const Pair& t, const P& n) {
  const DD d;
  const V a1 = dot(t.a1, n), a2 = dot(t.a2, n), b0 = dot(t.b0, n), b1 = dot(t.b1, n), b2 = dot(t.b2, n);
  const V room = t.slack * taxicab(n) + hn::Set(d, kUnderflow);  // coordinates are below 2^201, n below 2^404: no overflow
  const V low_a = min3(a1, a2, hn::Zero(d)), high_a = max3(a1, a2, hn::Zero(d));
  return hn::Or(min3(b0, b1, b2) - high_a > room, low_a - max3(b0, b1, b2) > room);
}

std::uint32_t touching_pairs(const TriangleBlock& a, std::uint32_t na, const PlacedBlock& b, std::uint32_t nb, double error, double margin) {
  const DD d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const P b0 = corner_b(b, 0, k), b1 = corner_b(b, 1, k), b2 = corner_b(b, 2, k);
    const P lo{min3(b0.x, b1.x, b2.x), min3(b0.y, b1.y, b2.y), min3(b0.z, b1.z, b2.z)},
        hi{max3(b0.x, b1.x, b2.x), max3(b0.y, b1.y, b2.y), max3(b0.z, b1.z, b2.z)};
    const V size_b = max3(max_norm(b0), max_norm(b1), max_norm(b2)), pad = hn::Set(d, error + margin);
    for (std::uint32_t i = 0; i < na; ++i) {
      const P a0 = corner_a(a, 0, i), a1 = corner_a(a, 1, i), a2 = corner_a(a, 2, i);
      const auto gap = [&](V b_lo, V b_hi, V x, V y, V z) { return hn::Max(b_lo - max3(x, y, z), min3(x, y, z) - b_hi); };
      const V gaps = max3(gap(lo.x, hi.x, a0.x, a1.x, a2.x), gap(lo.y, hi.y, a0.y, a1.y, a2.y), gap(lo.z, hi.z, a0.z, a1.z, a2.z));
      const V slack = (size_b + hn::Set(d, 1.0)) * hn::Set(d, 64 * u) + pad;
      M apart = gaps > slack;
      if (hn::AllTrue(d, apart)) continue;
      const Pair t{a1 - a0, a2 - a0, b0 - a0, b1 - a0, b2 - a0, slack};
      const P e0 = t.a1, e1 = t.a2 - t.a1, e2 = -t.a2, f0 = b1 - b0, f1 = b2 - b1, f2 = b0 - b2;
      apart = hn::Or(apart, hn::Or(surely_apart(t, cross(e0, e1)), surely_apart(t, cross(f0, f1))));
      if (hn::AllTrue(d, apart)) continue;
      apart = hn::Or(apart, hn::Or(hn::Or(surely_apart(t, cross(e0, f0)), surely_apart(t, cross(e0, f1))), surely_apart(t, cross(e0, f2))));
      apart = hn::Or(apart, hn::Or(hn::Or(surely_apart(t, cross(e1, f0)), surely_apart(t, cross(e1, f1))), surely_apart(t, cross(e1, f2))));
      apart = hn::Or(apart, hn::Or(hn::Or(surely_apart(t, cross(e2, f0)), surely_apart(t, cross(e2, f1))), surely_apart(t, cross(e2, f2))));
      bits |= lane_bits(hn::Not(apart), k) << (4 * i);
    }
  }
  return bits & (((1u << nb) - 1) * 0x1111u);
}

std::uint32_t distance_of_all(const TriangleBlock& a, std::uint32_t na, const PlacedBlock& b, std::uint32_t nb, const BlockPlacement& placement, double least,
                              double* lo, double* hi) {
  return distance(a, ((1u << nb) - 1) * 0x1111u & ((1u << 4 * na) - 1), b, placement, least, lo, hi);
}

}  // namespace

const PairKernels* pair_table() {
  static constexpr PairKernels table{&place_block, &touching_pairs, &distance_of_all};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(pair_table);

const PairKernels& pair_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(pair_table)();
}

}  // namespace graze
#endif
