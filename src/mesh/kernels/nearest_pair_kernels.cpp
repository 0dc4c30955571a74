// Searches for the nearest pair of triangles of two trees, compiled once per CPU level. Boxes and filters only discard pairs that provably are not nearest.
// Levels may differ in which pairs they discard, but not in any answer.
#include "mesh/kernels/nearest_pair_kernels.hpp"

#include "mesh/kernels/nearest_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/nearest_pair_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>
#include <utility>

#include "bvh/box_kernels.hpp"
#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/coarse_leaves-inl.hpp"
#include "mesh/kernels/leaf_pairs-inl.hpp"
#include "mesh/kernels/near_leaves-inl.hpp"
#include "mesh/kernels/oriented_lanes-inl.hpp"
#include "mesh/kernels/pair_touch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using namespace leaf_pairs;
using namespace near_leaves;
using namespace oriented_lanes;
using traversal::squared_limit;

// ---- nodes ----

// Sets the keys of box s of x and all boxes of y: lower bounds of the squared distance. The distance of two points is at least the gap between the two boxes
// along any direction of length 1, and at least the root of the sum of the squared gaps along the three axes of one box. `gap` is that along the search's
// direction. The bound along the pair's own direction would be the best, and that of the nearest pair is near it where it counts.
//
// Roundings, v = 2^-24, far: the largest component of the offset, r: the ratio. Centers (below 3.1) of b's boxes err in a's coordinates by v (19 r + 2 far) in
// each component, their differences by v (far + 3.1 r + 3.1) more; projections of the difference, which is below sqrt(3) (far + 3.1 r + 3.1), by 4 v of that,
// and the last subtractions by 3 v (far + 4 r + 4). With the factor sqrt(3) of the components this is below v (16 far + 63 r + 40), which turn.pad covers (see
// RelativePlacement::turns). All other errors are proportional to a box's largest half size m: axes of b turned in floats are off by 7 v, whose effect is 12 v
// m; axes that are not quite orthonormal, 28 v m; third axes that round otherwise than in the fitting, 16 v m; dot products of axes, 12 v m; sums, 7 v m: 75 v
// m in all, which the boxes have in store (see OrientedNode). Axes, as computed, are orthonormal up to 40 v, and sums of squares err by 6 v; 2^-18 = 64 v and
// the factor in lower_bound cover both.
HWY_INLINE void set_keys(const Boxes& x, std::uint32_t s, const Boxes& y, const float* HWY_RESTRICT gap_along, float pad_, float* HWY_RESTRICT key) {
  const D d;
  const VF zero = hn::Zero(d), pad = hn::Set(d, pad_);
  const Vector center = broadcast(x.center, s), half = broadcast(x.half, s),
               axis[3] = {broadcast(x.axis[0], s), broadcast(x.axis[1], s), broadcast(x.axis[2], s)};
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Vector at = load(y.center, k), other = load(y.half, k);
    const Vector between{{at.at[0] - center.at[0], at.at[1] - center.at[1], at.at[2] - center.at[2]}};
    VF reach[3] = {half.at[0] + pad, half.at[1] + pad, half.at[2] + pad};  // of both boxes along the axes of x
    VF sum_x = zero, sum_y = zero, deep = hn::Set(d, -0x1p60f);
    for (int j = 0; j < 3; ++j) {
      const Vector own = load(y.axis[j], k);
      VF r = other.at[j] + pad;
      for (int i = 0; i < 3; ++i) {
        const VF m = hn::Abs(dot(axis[i], own));
        r = hn::MulAdd(half.at[i], m, r);
        reach[i] = hn::MulAdd(other.at[j], m, reach[i]);
      }
      const VF gap = hn::Abs(dot(own, between)) - r, g = hn::Max(gap, zero);
      deep = hn::Max(deep, gap);
      sum_y = hn::MulAdd(g, g, sum_y);
    }
    for (int i = 0; i < 3; ++i) {
      const VF gap = hn::Abs(dot(axis[i], between)) - reach[i], g = hn::Max(gap, zero);
      deep = hn::Max(deep, gap);
      sum_x = hn::MulAdd(g, g, sum_x);
    }
    const VF along = hn::Max(hn::Load(d, gap_along + k), zero);
    const VF lower = traversal::lower_bound(hn::Max(hn::Max(sum_x, sum_y), along * along) * hn::Set(d, 1 - 0x1p-18f));
    hn::StoreU(hn::IfThenElse(lower > zero, lower, hn::Min(deep, zero)), d, key + k);
  }
}

HWY_INLINE void prefetch_lines(const void* p, int lines) {
  for (int i = 0; i < lines; ++i) traversal::prefetch(static_cast<const unsigned char*>(p) + 64 * i);
}

HWY_INLINE void prefetch_child(const WideNode& node, std::uint32_t s, const WideNode* nodes, const OrientedNode* boxes, const TriangleBlock* blocks) {
  if (node.count[s] == 0) {
    traversal::prefetch(nodes[node.child[s]].child);
    prefetch_lines(boxes + node.child[s], sizeof(OrientedNode) / 64);
  } else {
    prefetch_lines(blocks + node.leaf_number(s), 3);
  }
}

/// Raises the keys of the boxes of a node beside a leaf that is much larger than they are.
HWY_INLINE void raise_keys(const float (*corner)[kBlock], std::uint32_t count, const float* origin, float error, const Boxes& boxes, float* HWY_RESTRICT key) {
  const D d;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    coarse_leaves::TurnedBoxes b;
    for (int i = 0; i < 3; ++i) {
      b.center[i] = hn::Load(d, boxes.center[i] + k) - hn::Set(d, origin[i]);
      b.half[i] = hn::Load(d, boxes.half[i] + k);
      for (int c = 0; c < 3; ++c) b.axis[i][c] = hn::Load(d, boxes.axis[i][c] + k);
    }
    const VF gap = coarse_leaves::gap(corner, count, error, b), old = hn::Load(d, key + k);
    hn::Store(hn::IfThenElse(gap > hn::Zero(d), hn::Max(old, traversal::lower_bound(gap * gap)), old), d, key + k);
  }
}
HWY_INLINE float largest_child(const WideNode& n) {
  float most = 0;
  for (std::uint32_t s = 0; s < n.used; ++s) most = coarse_leaves::extent(n, s) > most ? coarse_leaves::extent(n, s) : most;
  return most;
}

/// Pushes the pairs of the slots of two nodes (all, or one) whose bounds do not exceed the limit.
HWY_INLINE void push(NearPairSearch& w, std::uint32_t a, std::uint32_t a_slots, std::uint32_t b, std::uint32_t b_slots, float limit) {
  const D d;
  const WideNode &na = made(w.nodes_a[a]), &nb = made(w.nodes_b[b]);
  a_slots &= traversal::used_mask(na);
  b_slots &= traversal::used_mask(nb);
  GRAZE_EXPECTS(w.top < NearPairSearch::kFrames);
  NearFrame& f = w.frame[w.top];
  Boxes boxes_a, boxes_b;
  set_boxes(w.boxes_a[a], w.along, boxes_a);
  place_boxes(w.boxes_b[b], w.turn, w.along, boxes_b);
  for (std::size_t i = 0; i < kWidth; ++i)
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) hn::StoreU(hn::Set(d, kNoPair), d, f.key[i] + k);
  alignas(64) float key[kWidth], gap[kWidth];
  const auto near = [&](std::uint32_t slots) HWY_ATTR {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) bits |= traversal::mask_bits(hn::Load(d, key + k) <= hn::Set(d, limit), k);
    return bits & slots;
  };
  /// Computes the gaps along the search's direction; returns whether any of the slots may be near.
  const auto any_near = [&](auto near_of, auto far_of, std::uint32_t slots) HWY_ATTR {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) bits |= traversal::mask_bits(near_along(near_of(k), far_of(k), w.turn.pad, limit, gap + k), k);
    return (bits & slots) != 0;
  };
  std::uint32_t rows = 0, columns = 0;
  if ((b_slots & (b_slots - 1)) == 0) {  // one box of b: those of a side by side
    const std::uint32_t j = traversal::lowest_bit(b_slots);
    if (any_near([&](std::size_t k) HWY_ATTR { return hn::Load(d, boxes_a.hi + k); }, [&](std::size_t) HWY_ATTR { return hn::Set(d, boxes_b.lo[j]); },
                 a_slots)) {
      set_keys(boxes_b, j, boxes_a, gap, w.turn.pad, key);
      const std::uint32_t leaf_b = b_slots & nb.leaves;
      if (leaf_b != 0 && (a_slots & (a_slots - 1)) != 0 && coarse_leaves::coarse(nb, leaf_b, largest_child(na) / w.turn.ratio) != 0) {
        pair_touch::LocalBlock placed;
        pair_touch::place_block(w.blocks_b[nb.leaf_number(j)], w.corners, placed);
        raise_keys(placed.corner, nb.count[j], placed.origin, rounded_up(w.corners.error) + w.turn.pad, boxes_a, key);
      }
      rows = near(a_slots);
      columns = rows != 0 ? b_slots : 0;
    }
    for (std::uint32_t rest = rows; rest != 0; rest &= rest - 1) f.key[traversal::lowest_bit(rest)][j] = key[traversal::lowest_bit(rest)];
  } else {
    const std::uint32_t leaves_a = a_slots & na.leaves, coarse_a = leaves_a != 0 ? coarse_leaves::coarse(na, leaves_a, largest_child(nb) * w.turn.ratio) : 0;
    for (std::uint32_t rest = a_slots; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = traversal::lowest_bit(rest);
      if (!any_near([&](std::size_t) HWY_ATTR { return hn::Set(d, boxes_a.hi[i]); }, [&](std::size_t k) HWY_ATTR { return hn::Load(d, boxes_b.lo + k); },
                    b_slots))
        continue;
      set_keys(boxes_a, i, boxes_b, gap, w.turn.pad, key);
      if ((coarse_a >> i & 1) != 0) {
        constexpr float none[3] = {0, 0, 0};
        raise_keys(w.blocks_a[na.leaf_number(i)].corner, na.count[i], none, rounded_up(w.corners.error) + w.turn.pad, boxes_b, key);
      }
      const std::uint32_t bits = near(b_slots);
      rows |= bits != 0 ? 1u << i : 0;
      columns |= bits;
      for (std::uint32_t some = bits; some != 0; some &= some - 1) f.key[i][traversal::lowest_bit(some)] = key[traversal::lowest_bit(some)];
    }
  }
  if (rows == 0) return;
  f.a = a;
  f.b = b;
  ++w.top;
  for (; rows != 0; rows &= rows - 1) prefetch_child(na, traversal::lowest_bit(rows), w.nodes_a, w.boxes_a, w.blocks_a);
  for (; columns != 0; columns &= columns - 1) prefetch_child(nb, traversal::lowest_bit(columns), w.nodes_b, w.boxes_b, w.blocks_b);
}

/// Returns the position 8 i + j of the least key.
HWY_INLINE std::uint32_t least_key(const NearFrame& f) {
  const D d;
  VF least = hn::Set(d, kNoPair);
  for (std::size_t i = 0; i < kWidth; ++i)
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) least = hn::Min(least, hn::LoadU(d, f.key[i] + k));
  least = hn::MinOfLanes(d, least);
  for (std::uint32_t i = 0; i < kWidth; ++i) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) bits |= traversal::mask_bits(hn::LoadU(d, f.key[i] + k) <= least, k);
    if (bits != 0) return kWidth * i + traversal::lowest_bit(bits);
  }
  return 0;
}

/// Which children of two are not expanded: leaves, and nodes that lie beside a much larger one.
struct Kept {
  bool a, b;
  HWY_INLINE Kept(const NearPairSearch& w, const WideNode& na, std::uint32_t i, const WideNode& nb, std::uint32_t j)
      : a(na.leaf(static_cast<int>(i))), b(nb.leaf(static_cast<int>(j))) {
    using coarse_leaves::kCoarse;
    if (a || b || (w.turn.ratio <= kCoarse && w.turn.ratio >= 1 / kCoarse)) return;
    const float of_a = coarse_leaves::extent(na, i), of_b = coarse_leaves::extent(nb, j) * w.turn.ratio;
    a = of_b > kCoarse * of_a;
    b = of_a > kCoarse * of_b;
  }
};

struct NearestPairs {
  NearPairSearch& w;
  float error, limit;
  LocalBlock local;
  PlacedBlock placed;
  std::uint32_t i = 0, j = 0;  ///< children of the frame's nodes that are next
  bool full = false;           ///< stopped for want of room

  explicit HWY_INLINE NearestPairs(NearPairSearch& search) : w(search), error(rounded_up(w.corners.error)), limit(squared_limit(nearest_limit(w.least))) {}
  HWY_INLINE NearFrame& frame() const { return w.frame[w.top - 1]; }
  HWY_INLINE bool next() {
    if (w.least < w.enough) return false;
    for (; w.top > 0; --w.top) {
      const std::uint32_t at = least_key(frame());
      i = at / kWidth;
      j = at % kWidth;
      if (frame().key[i][j] <= limit) return true;
    }
    return false;
  }
  HWY_INLINE bool at_leaf() const { return w.nodes_a[frame().a].leaf(static_cast<int>(i)) && w.nodes_b[frame().b].leaf(static_cast<int>(j)); }
  HWY_INLINE bool node() {
    NearFrame& f = frame();
    const WideNode &na = w.nodes_a[f.a], &nb = w.nodes_b[f.b];
    const Kept kept(w, na, i, nb, j);
    f.key[i][j] = kNoPair;
    push(w, kept.a ? f.a : na.child[i], kept.a ? 1u << i : 0xFF, kept.b ? f.b : nb.child[j], kept.b ? 1u << j : 0xFF, limit);
    return --w.steps == 0;
  }
  /// Only lowers the bound, by the pairs of two leaves.
  HWY_INLINE void bound(std::uint32_t a, std::uint32_t row, std::uint32_t b, std::uint32_t column) {
    const WideNode &na = w.nodes_a[a], &nb = w.nodes_b[b];
    double lo[16], hi[16];
    pair_lanes::place_block(w.blocks_b[nb.leaf_number(column)], w.corners, placed);
    std::uint32_t rest =
        pair_lanes::distance(w.blocks_a[na.leaf_number(row)], lanes_of(na, row, nb, column), placed, w.corners, nearest_limit(w.least), lo, hi);
    for (; rest != 0; rest &= rest - 1) {
      const std::uint32_t at = traversal::lowest_bit(rest);
      if (!(hi[at] < w.least)) continue;
      w.least = hi[at];
      w.bound_a = na.leaf_number(row) * static_cast<std::uint32_t>(kBlock) + at / 4;
      w.bound_b = nb.leaf_number(column) * static_cast<std::uint32_t>(kBlock) + at % 4;
    }
    limit = squared_limit(nearest_limit(w.least));
  }
  /// Takes all leaves of a's node that may be near to b's leaf: placing it costs as much as a pair.
  HWY_INLINE bool leaf() {
    NearFrame& f = frame();
    const WideNode &na = w.nodes_a[f.a], &nb = w.nodes_b[f.b];
    const std::uint32_t leaf_b = nb.leaf_number(j);
    pair_touch::place_block(w.blocks_b[leaf_b], w.corners, local);
    bool in_doubles = false;
    // From row i on, in a circle, so that the nearest is first.
    for (std::uint32_t rest = (na.leaves >> i | na.leaves << (kWidth - i)) & 0xFF; rest != 0; rest &= rest - 1) {
      const std::uint32_t row = (i + traversal::lowest_bit(rest)) % kWidth, leaf_a = na.leaf_number(row);
      if (!(f.key[row][j] <= limit)) continue;
      const float far = w.least < 0x1p40 ? static_cast<float>(nearest_limit(w.least) * (1 + w.corners.relative) * (1 + 0x1p-20)) : 0x1p40f;
      const std::uint32_t lanes =
          pair_touch::touching_pairs<true, true>(w.blocks_a[leaf_a], local, slack(error, na, row, local), far, w.along) & lanes_of(na, row, nb, j);
      if (lanes != 0) {
        if (!in_doubles) pair_lanes::place_block(w.blocks_b[leaf_b], w.corners, placed);
        in_doubles = true;
        if (!take_leaves(w, w.blocks_a, w.corners, leaf_a, leaf_b, lanes, placed)) {
          sift(w);
          full = !take_leaves(w, w.blocks_a, w.corners, leaf_a, leaf_b, lanes, placed);
          if (full) return true;
        }
        limit = squared_limit(nearest_limit(w.least));
      }
      f.key[row][j] = kNoPair;
      if (w.least < w.enough) break;
    }
    return --w.steps == 0;
  }
};

/// Children of two nodes.
struct ChildPair {
  std::uint32_t a, i, b, j;
  float key;
};

/// A number of pairs with the least keys, ascending.
struct Beam {
  static constexpr std::uint32_t kPairs = 8;  // a choice: about a tenth of the time of a search
  ChildPair pair[kPairs];
  std::uint32_t count = 0;

  HWY_INLINE bool takes(float key) const { return count < kPairs || key < pair[kPairs - 1].key; }
  HWY_INLINE void add(const ChildPair& p) {
    std::uint32_t k = count < kPairs ? count++ : kPairs - 1;
    for (; k > 0 && pair[k - 1].key > p.key; --k) pair[k] = pair[k - 1];
    pair[k] = p;
  }
};

// Finds an initial bound: with a poor bound, the search expands many pairs needlessly, and the least lower bounds alone lead it to large boxes first. All
// pairs of a round are about equally large. Of those that the next round finds, it keeps the nearest few.
bool find_bound(NearPairSearch& w) {
  w.top = 0;
  w.found = 0;
  for (float& x : w.along) x = 0;
  const double before = w.least;
  NearestPairs leaves{w};
  Beam beam;
  const auto take_best = [&](Beam& out) HWY_ATTR {
    if (w.top == 0) return;
    NearFrame& f = w.frame[0];
    for (std::uint32_t at = least_key(f); f.key[at / kWidth][at % kWidth] <= leaves.limit && out.takes(f.key[at / kWidth][at % kWidth]); at = least_key(f)) {
      float& key = f.key[at / kWidth][at % kWidth];
      out.add({f.a, at / kWidth, f.b, at % kWidth, key});
      key = kNoPair;
    }
    w.top = 0;
  };
  push(w, w.from.a, w.from.a_slots, w.from.b, w.from.b_slots, leaves.limit);
  take_best(beam);
  while (beam.count > 0) {
    Beam next;
    for (std::uint32_t k = 0; k < beam.count && !(w.least < w.enough); ++k) {
      const ChildPair& p = beam.pair[k];
      if (!(p.key <= leaves.limit)) continue;
      const WideNode &na = w.nodes_a[p.a], &nb = w.nodes_b[p.b];
      const Kept kept(w, na, p.i, nb, p.j);
      if (kept.a && kept.b) {
        leaves.bound(p.a, p.i, p.b, p.j);
      } else {
        push(w, kept.a ? p.a : na.child[p.i], kept.a ? 1u << p.i : 0xFF, kept.b ? p.b : nb.child[p.j], kept.b ? 1u << p.j : 0xFF, leaves.limit);
        take_best(next);
      }
    }
    beam = next;
  }
  return w.least < before;
}

void start(NearPairSearch& w) {
  ++kernel_counts.oriented_distance[traversal::kLevel];  // not in search(), which several threads may call
  w.top = 0;
  w.found = 0;
  push(w, w.from.a, w.from.a_slots, w.from.b, w.from.b_slots, squared_limit(nearest_limit(w.least)));
}

bool search(NearPairSearch& w) {
  GRAZE_EXPECTS(w.steps > 0);
  NearestPairs pairs{w};
  if (traversal::run_traversal(pairs)) return false;
  sift(w);
  return true;
}

bool split(NearPairSearch& w, NearFrame& out) {
  const float limit = squared_limit(nearest_limit(w.least));
  for (std::int32_t t = 0; t < w.top; ++t) {
    NearFrame& f = w.frame[t];
    std::uint32_t near = 0;
    for (std::uint32_t k = 0; k < kWidth * kWidth; ++k) near += f.key[k / kWidth][k % kWidth] <= limit ? 1 : 0;
    if (near < (t + 1 == w.top ? 2u : 1u)) continue;
    out.a = f.a;
    out.b = f.b;
    bool moves = near == 1;  // every second pair, or the only one
    for (std::uint32_t k = 0; k < kWidth * kWidth; ++k) {
      float &from = f.key[k / kWidth][k % kWidth], &to = out.key[k / kWidth][k % kWidth];
      to = kNoPair;
      if (!(from <= limit)) continue;
      if (moves) std::swap(from, to);
      moves = !moves;
    }
    return true;
  }
  return false;
}

}  // namespace

const NearestPairKernels* nearest_pair_table() {
  static constexpr NearestPairKernels table{&find_bound, &start, &search, &split};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(nearest_pair_table);

const NearestPairKernels& nearest_pair_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(nearest_pair_table)();
}

}  // namespace graze
#endif
