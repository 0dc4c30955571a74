// Code shared by the traversals of points and small shapes, compiled once per CPU level: stack entries, rows of several blocks, and enclosures of a point's
// distances from triangles. Included inside Highway's per-target passes.
#if defined(GRAZE_MESH_NEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_NEAR_INL
#undef GRAZE_MESH_NEAR_INL
#else
#define GRAZE_MESH_NEAR_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "bvh/traversal-inl.hpp"
#include "math/points-inl.hpp"
#include "mesh/kernels/triangle_blocks.hpp"
#include "platform/expects.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace near {
namespace hn = hwy::HWY_NAMESPACE;
using lanes::Point3;

// ---- traversal, all leaves of a node at once ----

// Entries of stacks. High half: the key as in traversal-inl.hpp. Low half: kLeafEntry and the number of a leaf, or the number of a node.
constexpr std::uint64_t kLeafEntry = std::uint64_t{1} << 31;

using traversal::key_bits;
using traversal::key_of;
HWY_INLINE std::uint32_t number_of(std::uint64_t e) { return static_cast<std::uint32_t>(e) & ~static_cast<std::uint32_t>(kLeafEntry); }

HWY_INLINE void exchange(std::uint64_t& a, std::uint64_t& b) {
  const std::uint64_t x = a, y = b;
  a = x < y ? x : y;
  b = x < y ? y : x;
}

/// Sorts up to 8 entries without branches on their values, which are unpredictable. Overwrites entries behind the last.
HWY_INLINE void sort(std::uint64_t* HWY_RESTRICT e, std::uint32_t n) {
  if (n < 2) return;
  if (n == 2) {
    exchange(e[0], e[1]);
    return;
  }
  constexpr std::uint64_t last = ~std::uint64_t{0};
  if (n <= 4) {
    if (n == 3) e[3] = last;
    exchange(e[0], e[1]), exchange(e[2], e[3]), exchange(e[0], e[2]), exchange(e[1], e[3]), exchange(e[1], e[2]);
    return;
  }
  for (std::uint32_t i = n; i < 8; ++i) e[i] = last;
  for (std::uint32_t i = 0; i < 8; i += 4)
    exchange(e[i], e[i + 1]), exchange(e[i + 2], e[i + 3]), exchange(e[i], e[i + 2]), exchange(e[i + 1], e[i + 3]), exchange(e[i + 1], e[i + 2]);
  for (std::uint32_t i = 0; i < 4; ++i) exchange(e[i], e[i + 4]);
  exchange(e[2], e[4]), exchange(e[3], e[5]), exchange(e[1], e[2]), exchange(e[3], e[4]), exchange(e[5], e[6]);
}

/// Turns the children in `bits` into entries: leaves go into `leaf` (sorted), inner nodes onto the stack (the smallest on top). Prefetches all of them. Returns
/// the number of leaves.
HWY_INLINE std::uint32_t list_children(const WideNode& node, std::uint32_t bits, const float* HWY_RESTRICT keys, const WideNode* nodes,
                                       const TriangleBlock* blocks, std::uint64_t* HWY_RESTRICT leaf, std::uint64_t* HWY_RESTRICT stack, std::int32_t& top) {
  std::uint64_t inner[kWidth];
  std::uint32_t leaves = 0, n = 0;
  for (std::uint32_t on = bits & node.leaves; on != 0; on &= on - 1) {
    const std::uint32_t s = traversal::lowest_bit(on), number = node.leaf_number(s);
    leaf[leaves++] = key_bits(keys[s]) | kLeafEntry | number;
    traversal::prefetch_four(blocks + number);
  }
  for (std::uint32_t on = bits & ~node.leaves; on != 0; on &= on - 1) {
    const std::uint32_t s = traversal::lowest_bit(on), child = node.child[s];
    inner[n++] = key_bits(keys[s]) | child;
    traversal::prefetch_four(nodes + child);
  }
  sort(inner, n);
  GRAZE_EXPECTS(top + static_cast<std::int32_t>(n) <= kTraversalStack);
  for (std::uint32_t i = n; i-- > 0;) stack[top++] = inner[i];
  sort(leaf, leaves);
  return leaves;
}

/// A traversal that tests up to four leaves at a time. `Tests` supplies
///   bool beyond(float key)                     entries whose keys are beyond the limit are dropped,
///   bool children(node, bits, keys)            the children worth visiting; true: stop,
///   bool room()                                whether there is room for what four leaves may add; if not, the traversal stops and can go on later,
///   bool leaves(const std::uint64_t*, n)       tests n leaves, 1 to 4; true: stop.
template <class State, class Tests>
struct LeafTraversal {
  State& w;
  Tests& tests;
  std::uint64_t entry = 0;
  bool full = false;               ///< stopped for want of room
  std::uint64_t list[kWidth + 4];  ///< the leaves of a node, nearest first

  HWY_INLINE LeafTraversal(State& state, Tests& of_leaves) : w(state), tests(of_leaves) {}
  HWY_INLINE bool next() {
    while (w.top > 0) {
      entry = w.stack[--w.top];
      if (!tests.beyond(key_of(entry))) return true;
    }
    return false;
  }
  HWY_INLINE bool at_leaf() const { return false; }  // leaves are tested with the other leaves of their node
  HWY_INLINE bool leaf() const { return false; }
  HWY_INLINE bool node() {
    std::uint32_t n = 1;
    if ((entry & kLeafEntry) != 0) {  // put back for want of room
      list[0] = entry;
    } else {
      alignas(64) float keys[kWidth];
      const WideNode& node = made(w.nodes[number_of(entry)]);
      std::uint32_t bits;
      if (tests.children(node, bits, keys)) return true;
      n = list_children(node, bits, keys, w.nodes, w.blocks, list, w.stack, w.top);
    }
    for (std::uint32_t i = 0; i < n && !tests.beyond(key_of(list[i])); i += 4) {
      if (!tests.room()) {
        GRAZE_EXPECTS(w.top + static_cast<std::int32_t>(n - i) <= kTraversalStack);
        for (std::uint32_t k = n; k-- > i;) w.stack[w.top++] = list[k];
        full = true;
        return true;
      }
      if (tests.leaves(list + i, HWY_MIN(n - i, 4))) return true;
    }
    return false;
  }
};

// ---- triangles ----

using D4 = hn::CappedTag<float, kBlock>;

/// Rounds up, for 2^-60 < x < 2^60.
HWY_INLINE float above(double x) { return static_cast<float>(x * (1 + 0x1p-22)); }

HWY_INLINE float least_key(const float* v) { return HWY_MIN(HWY_MIN(v[0], v[1]), HWY_MIN(v[2], v[3])); }

/// A point, and the error of its distances from corners of blocks.
template <class T>
struct From {
  T point[3], wider, narrower, pad;
};

// Corners are taken relative to the point; M bounds their coordinates, u is half the relative rounding of a number. The formulas find some point x = p0 + s e01
// - t e20 of the triangle, usually near the nearest; x and the corners are off by less than 16 u M, whatever s and t in the triangle are. The distance is at
// most |x| (1 + 8 u) + 32 u M, and at least (least of corner . x) / |x| (1 - 8 u) - 40 u M, since the triangle lies beyond that plane (as in
// distance_bounds.hpp). `pad`, `wider` and `narrower` have room for twice that. Divisors are kept above `tiny`, so nothing is NaN. Products that underflow
// affect only s and t, or the plane, which is not used if |x| is below `least`.
template <class D, class T = hn::TFromD<D>, class W = hn::Vec<D>>
HWY_INLINE void enclose(D d, const lanes::Point3<W>& p0, const lanes::Point3<W>& p1, const lanes::Point3<W>& p2, const From<T>& w, T tiny, T least, W& lo,
                        W& hi) {
  const W zero = hn::Zero(d), one = hn::Set(d, T{1}), small = hn::Set(d, tiny);
  const auto e01 = p1 - p0, e20 = p0 - p2;
  const W d01 = dot(p0, e01), g1 = dot(p0, e20), q01 = dot(e01, e01), q20 = dot(e20, e20), m = hn::Neg(dot(e01, e20));
  // The quadratic |x|^2 - |p0|^2 along the edges, from their first corners.
  const auto clamp = [&](W t) HWY_ATTR { return hn::Min(hn::Max(t, zero), one); };
  const auto value = [&](W t, W slope, W q) HWY_ATTR { return t * (slope + slope + t * q); };
  const W d20 = g1 - q20, d12 = hn::Neg(d01 + g1 + (q01 - m)), q12 = q01 + q20 - (m + m);
  const W t01 = clamp(hn::Neg(d01) / hn::Max(q01, small)), t12 = clamp(hn::Neg(d12) / hn::Max(q12, small)), t20 = clamp(hn::Neg(d20) / hn::Max(q20, small));
  const W v01 = value(t01, d01, q01), v12 = value(t12, d12, q12) + (d01 + d01 + q01), v20 = value(t20, d20, q20) + (q20 - (g1 + g1));
  const auto second = v12 < v01;
  const auto third = v20 < hn::Min(v01, v12);
  W s = hn::IfThenElse(second, one - t12, t01), t = hn::IfThenElseZero(second, t12);
  s = hn::IfThenElse(third, zero, s);
  t = hn::IfThenElse(third, one - t20, t);
  // The foot of the perpendicular, if it is inside.
  const W inverse = one / hn::Max(q01 * q20 - m * m, small);
  const W fs = hn::Neg(d01 * q20 + g1 * m) * inverse, ft = (g1 * q01 + d01 * m) * inverse;
  const auto inside = hn::And(hn::Min(fs, ft) > zero, fs + ft < one);
  s = hn::IfThenElse(inside, fs, s);
  t = hn::IfThenElse(inside, ft, t);
  const auto x = point_back(point_along(p0, s, e01), t, e20);
  const W length = hn::Sqrt(dot(x, x)), pad = hn::Set(d, w.pad);
  const W low = hn::Min(hn::Min(dot(p0, x), dot(p1, x)), dot(p2, x));
  hi = length * hn::Set(d, w.wider) + pad;
  lo = hn::IfThenElseZero(length > hn::Set(d, least), low / length) * hn::Set(d, w.narrower) - pad;
}

/// Lanes from `k` on of the same row of 2 or 4 blocks.
template <class DF8>
HWY_INLINE hn::Vec<DF8> rows_lanes(DF8 d, const TriangleBlock* const* b, std::size_t row, std::size_t k) {
#if HWY_TARGET != HWY_SCALAR  // the scalar target cannot combine vectors
  if constexpr (hn::MaxLanes(DF8()) == 2 * kBlock) {
    return hn::Combine(d, hn::Load(D4(), b[k / kBlock + 1]->corner[row]), hn::Load(D4(), b[k / kBlock]->corner[row]));
  } else if constexpr (hn::MaxLanes(DF8()) == 4 * kBlock) {
    const hn::Half<DF8> half;
    return hn::Combine(d, rows_lanes(half, b + 2, row, 0), rows_lanes(half, b, row, 0));
  } else
#endif
    return hn::Load(d, b[k / kBlock]->corner[row] + k % kBlock);
}

template <class DF>
HWY_INLINE void enclose_blocks(DF d, const TriangleBlock* const* b, const From<float>& w, std::size_t k, hn::Vec<DF>& lo, hn::Vec<DF>& hi) {
  const lanes::Point3<hn::Vec<DF>> point{hn::Set(d, w.point[0]), hn::Set(d, w.point[1]), hn::Set(d, w.point[2])};
  const auto corner = [&](std::size_t c) HWY_ATTR {
    return lanes::Point3<hn::Vec<DF>>{rows_lanes(d, b, 3 * c, k), rows_lanes(d, b, 3 * c + 1, k), rows_lanes(d, b, 3 * c + 2, k)} - point;
  };
  enclose(d, corner(0), corner(1), corner(2), w, 1e-30f, 0x1p-40f, lo, hi);
}

}  // namespace near
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
