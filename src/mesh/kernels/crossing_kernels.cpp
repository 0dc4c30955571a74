// Counts crossings of a ray along an axis, compiled once per CPU level. Only certain crossings are counted, and only triangles that certainly are not crossed
// are left out; the rest is for the caller.
#include "mesh/kernels/crossing_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/crossing_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>

#include "bvh/box_kernels.hpp"
#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using namespace block;

HWY_INLINE std::uint32_t boxes_met(const WideNode& node, const QueryBox& q) {
  const traversal::D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto met = hn::And(hn::Load(d, node.plane[0] + k) <= hn::Set(d, q.hi[0]), hn::Load(d, node.plane[3] + k) >= hn::Set(d, q.lo[0]));
    for (int i = 1; i < 3; ++i)
      met = hn::And(met, hn::And(hn::Load(d, node.plane[i] + k) <= hn::Set(d, q.hi[i]), hn::Load(d, node.plane[3 + i] + k) >= hn::Set(d, q.lo[i])));
    bits |= traversal::mask_bits(met, k);
  }
  return bits & traversal::used_mask(node);
}

/// The corners relative to the start: across the ray (b, c) and along it (h).
struct Corner {
  V b, c, h;
};
HWY_INLINE Corner corner_at(const CrossingSearch& w, const TriangleBlock& block, std::size_t corner, std::size_t k) {
  const DD d;
  const std::uint32_t a = w.axis, b = (a + 1) % 3, c = (a + 2) % 3;
  const float(*rows)[kBlock] = block.corner + 3 * corner;
  return {row_lanes(rows[b], k) - hn::Set(d, w.at[b]), row_lanes(rows[c], k) - hn::Set(d, w.at[c]), row_lanes(rows[a], k) - hn::Set(d, w.at[a])};
}
/// The turn of the start about the edge from u to v, seen along the axis: orient2d(u, v, start).
HWY_INLINE V turn(const Corner& u, const Corner& v) { return u.b * v.c - u.c * v.b; }

// Let e be the error and m the largest coordinate of a block's corners relative to the start, as computed; e also covers the rounding of the differences, at
// most 2^-51. A turn errs by 4 e m + 2 e^2, and by 2^-52 2 m^2 in rounding, which the excess of 5 e m + 3 e^2 covers with e >= 2^-25 m 2^-20 (m is at most 2 +
// e). The start lies before a triangle of turns w of one sign, by the sum of w h: its error is at most that of the turns times m + e, plus e times the sum
// of |w|, and three roundings.
HWY_INLINE void count_crossings(CrossingSearch& w, std::uint32_t leaf, std::uint32_t count) {
  const DD d;
  const TriangleBlock& block = w.blocks[leaf];
  const V e = hn::Set(d, w.error), minus_e = hn::Neg(e);
  for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
    const Corner p = corner_at(w, block, 0, k), q = corner_at(w, block, 1, k), r = corner_at(w, block, 2, k);
    const auto outside = [&](V x, V y, V z) HWY_ATTR { return hn::Or(min3(x, y, z) > e, max3(x, y, z) < minus_e); };
    M apart = hn::Or(outside(p.b, q.b, r.b), outside(p.c, q.c, r.c));
    apart = hn::Or(apart, w.down ? min3(p.h, q.h, r.h) > e : max3(p.h, q.h, r.h) < minus_e);
    if (hn::AllTrue(d, apart)) continue;
    const auto size = [&](V x, V y, V z) HWY_ATTR { return max3(hn::Abs(x), hn::Abs(y), hn::Abs(z)); };
    const V m = hn::Max(size(p.b, q.b, r.b), size(p.c, q.c, r.c)), height = size(p.h, q.h, r.h);
    const V t0 = turn(q, r), t1 = turn(r, p), t2 = turn(p, q);
    const V turn_error = e * (m * hn::Set(d, 5.0) + e * hn::Set(d, 3.0));
    const M left = min3(t0, t1, t2) > turn_error, right = max3(t0, t1, t2) < hn::Neg(turn_error);
    const M beside = hn::And(max3(t0, t1, t2) > turn_error, min3(t0, t1, t2) < hn::Neg(turn_error));
    // Sum of turns times heights: positive where the plane is ahead along the axis, for turns > 0.
    const V sum = t0 * p.h + t1 * q.h + t2 * r.h;
    const V sum_error = (turn_error * hn::Set(d, 3.0) * (height + e) + e * (hn::Abs(t0) + hn::Abs(t1) + hn::Abs(t2))) * hn::Set(d, 1 + 0x1p-20);
    const M above = sum > sum_error, below = sum < hn::Neg(sum_error);
    const M ahead = w.down ? hn::Or(hn::And(left, below), hn::And(right, above)) : hn::Or(hn::And(left, above), hn::And(right, below));
    const M certain = hn::Or(hn::Or(apart, beside), hn::And(hn::Or(left, right), hn::Or(above, below)));
    const M crossed = hn::AndNot(hn::Or(apart, beside), ahead);
    const std::uint32_t used = ((1u << count) - 1);
    const auto number = [&](M x) HWY_ATTR { return static_cast<std::int32_t>(hwy::PopCount(lane_bits(x, k) & used)); };
    const std::int32_t fronts = number(hn::And(crossed, left)) - number(hn::And(crossed, right));
    w.winding += w.down ? -fronts : fronts;
    for (std::uint32_t rest = lane_bits(hn::Not(certain), k) & used; rest != 0; rest &= rest - 1)
      w.place[w.undecided++] = leaf * static_cast<std::uint32_t>(kBlock) + traversal::lowest_bit(rest);
  }
}

void start(CrossingSearch& w) {
  w.winding = 0;
  w.undecided = 0;
  w.stack[0] = 0;
  w.top = 1;
}

bool search(CrossingSearch& w) {
  ++kernel_counts.overlap[traversal::kLevel];
  while (w.top > 0) {
    if (w.undecided > CrossingSearch::kRoom - kWidth * kBlock) return false;
    const WideNode& node = made(w.nodes[w.stack[--w.top]]);
    for (std::uint32_t bits = boxes_met(node, w.box); bits != 0; bits &= bits - 1) {
      const std::uint32_t s = traversal::lowest_bit(bits);
      if (node.count[s] != 0) {
        count_crossings(w, node.leaf_number(s), node.count[s]);
      } else {
        GRAZE_EXPECTS(w.top < kTraversalStack);
        w.stack[w.top++] = node.child[s];
      }
    }
  }
  return true;
}

}  // namespace

const CrossingKernels* crossing_table() {
  static constexpr CrossingKernels table{&start, &search};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(crossing_table);

const CrossingKernels& crossing_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(crossing_table)();
}

}  // namespace graze
#endif
