// Searches two trees whose surfaces nearly touch, compiled once per CPU level. Boxes and filters only discard pairs that provably neither touch nor are
// nearest. Levels may differ in which pairs they discard, but not in any answer.
#include "mesh/kernels/close_pair_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/close_pair_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>

#include "bvh/box_kernels.hpp"
#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/leaf_pairs-inl.hpp"
#include "mesh/kernels/near_leaves-inl.hpp"
#include "mesh/kernels/oriented_lanes-inl.hpp"
#include "mesh/kernels/pair_frames-inl.hpp"
#include "mesh/kernels/pair_touch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace leaf_pairs;
using namespace near_leaves;
using namespace oriented_lanes;
using pair_frames::any_of_columns;
using pair_frames::any_of_rows;
using pair_frames::first64;
using pair_frames::kColumn;
using pair_frames::next_pair;
using pair_frames::NodePair;

using traversal::squared_limit;

HWY_INLINE BlockPlace place_of(std::uint32_t leaf, std::uint32_t lane) { return leaf * static_cast<std::uint32_t>(kBlock) + lane; }

template <bool kNearest>
struct ClosePairs {
  static constexpr std::uint32_t kFirstLeaves = 12;  // a choice: before distances are of interest, since meshes deep in each other touch at once

  ClosePairSearch& w;
  float error, margin, limit, pad_a, pad_b;
  LocalBlock local;
  PlacedBlock placed;
  bool in_doubles = false;  ///< `placed` is the leaf of b in hand
  NodePair children;

  explicit HWY_INLINE ClosePairs(ClosePairSearch& search)
      : w(search), error(rounded_up(w.trees.corners.error)), pad_a(w.trees.b_in_a.pad), pad_b(w.trees.a_in_b.pad) {
    set_margin();
  }
  HWY_INLINE ~ClosePairs() {
    w.trees.b_in_a.pad = pad_a;
    w.trees.a_in_b.pad = pad_b;
  }
  /// Sets a bound above every distance that counts. The factors cover the roundings of the paddings' sums, and of sums with them.
  HWY_INLINE void set_margin() {
    const double far = nearest_limit(w.least);
    margin = w.least < 0x1p40 ? static_cast<float>(far * (1 + w.trees.corners.relative) * (1 + 0x1p-20)) : 0x1p40f;
    limit = squared_limit(far);
    if constexpr (kNearest) {
      w.trees.b_in_a.pad = (pad_a + margin) * (1 + 0x1p-20f);
      w.trees.a_in_b.pad = (pad_b + margin / w.turn.ratio) * (1 + 0x1p-20f);  // the ratio is a power of two
    }
  }

  HWY_INLINE PairFrame& frame() const { return w.frame[w.top - 1]; }
  HWY_INLINE bool next() {
    for (; w.top > 0; --w.top) {
      if (at_leaf() || next_pair(frame(), w.trees, children)) return true;
    }
    return false;
  }
  HWY_INLINE bool at_leaf() const { return frame().leaves != 0; }
  HWY_INLINE bool node() {
    push(children);
    return kNearest && --w.steps == 0;
  }
  HWY_INLINE void push(const NodePair& o) {
    if constexpr (kNearest)
      pair_frames::push(w, o, [&](std::uint32_t a, std::uint32_t b, std::uint64_t met) HWY_ATTR { return met & near_along_rows(a, b, met); });
    else
      pair_frames::push(w, o);
  }
  /// Of the pairs of children in the rows of `met`, those whose oriented boxes may be near along the search's direction.
  HWY_INLINE std::uint64_t near_along_rows(std::uint32_t a, std::uint32_t b, std::uint64_t met) const {
    const D d;
    Boxes boxes_a, boxes_b;
    set_boxes(w.boxes_a[a], w.along, boxes_a);
    place_boxes(w.boxes_b[b], w.turn, w.along, boxes_b);
    alignas(64) float gap[kWidth];
    std::uint64_t near = 0;
    for (std::uint32_t rows = any_of_rows(met); rows != 0; rows &= rows - 1) {
      const std::uint32_t i = traversal::lowest_bit(rows);
      for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
        const auto mask = near_along(hn::Set(d, boxes_a.hi[i]), hn::Load(d, boxes_b.lo + k), w.turn.pad, limit, gap + k);
        near |= static_cast<std::uint64_t>(traversal::mask_bits(mask, k)) << (8 * i);
      }
    }
    return near;
  }

  HWY_INLINE void place_in_doubles(std::uint32_t leaf_b) {
    if (!in_doubles) pair_lanes::place_block(w.trees.blocks_b[leaf_b], w.trees.corners, placed);
    in_doubles = true;
  }

  /// Keeps the pairs of two leaves that may be nearest. Returns false if there is no room.
  HWY_INLINE bool keep(std::uint32_t leaf_a, std::uint32_t leaf_b, std::uint32_t used, float slack_) {
    const std::uint32_t lanes = pair_touch::touching_pairs<true, true>(w.trees.blocks_a[leaf_a], local, slack_, margin, w.along) & used;
    if (lanes == 0) return true;
    place_in_doubles(leaf_b);
    if (!take_leaves(w, w.trees.blocks_a, w.trees.corners, leaf_a, leaf_b, lanes, placed)) {
      sift(w);
      if (!take_leaves(w, w.trees.blocks_a, w.trees.corners, leaf_a, leaf_b, lanes, placed)) return false;
    }
    set_margin();
    return true;
  }

  /// Lowers the bound by pairs of two leaves.
  HWY_INLINE void bound(const LeafPair& p) {
    double lo[16], hi[16];
    std::uint32_t rest = pair_lanes::distance(w.trees.blocks_a[p.a], p.bits, placed, w.trees.corners, nearest_limit(w.least), lo, hi);
    for (; rest != 0; rest &= rest - 1) {
      const std::uint32_t at = traversal::lowest_bit(rest);
      if (!(hi[at] < w.least)) continue;
      w.least = hi[at];
      w.bound_a = place_of(p.a, at / 4);
      w.bound_b = place_of(p.b, at % 4);
    }
  }
  HWY_INLINE void bound_by_close() {
    for (std::uint32_t k = w.close < ClosePairSearch::kClose ? w.close : ClosePairSearch::kClose; k-- > 0;) {
      in_doubles = false;
      place_in_doubles(w.close_pair[k].b);
      bound(w.close_pair[k]);
    }
  }

  /// Keeps the pairs of two leaves that may touch. Returns false if there are any; else lowers the bound by the pairs that only their edges separate.
  HWY_INLINE bool separate(std::uint32_t leaf_a, std::uint32_t leaf_b, std::uint32_t used, float slack_) {
    pair_touch::Survivors close;
    std::uint32_t rest = pair_touch::touching_pairs<false, false>(w.trees.blocks_a[leaf_a], local, slack_, 0, nullptr, &close) & used;
    for (; rest != 0; rest &= rest - 1) {
      const std::uint32_t at = traversal::lowest_bit(rest);
      w.candidate[w.found++] = {0, place_of(leaf_a, at / 4), place_of(leaf_b, at % 4)};
    }
    if (w.found != 0) return false;
    if (++w.leaves > kFirstLeaves && (close.faces & used) != 0) {
      place_in_doubles(leaf_b);
      bound({leaf_a, leaf_b, close.faces & used});
    } else if ((close.boxes & used) != 0) {
      w.close_pair[w.close++ % ClosePairSearch::kClose] = {leaf_a, leaf_b, close.boxes & used};
    }
    return true;
  }

  HWY_INLINE bool leaf() {
    PairFrame& f = frame();
    const WideNode &na = w.trees.nodes_a[f.a], &nb = w.trees.nodes_b[f.b];
    const std::uint32_t j = traversal::lowest_bit(any_of_columns(f.leaves));
    const std::uint64_t column = f.leaves & kColumn << j;
    f.leaves &= ~column;
    const std::uint32_t leaf_b = nb.leaf_number(j);
    pair_touch::place_block(w.trees.blocks_b[leaf_b], w.trees.corners, local);
    in_doubles = false;
    for (std::uint64_t rest = column; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = first64(rest) >> 3, leaf_a = na.leaf_number(i), used = lanes_of(na, i, nb, j);
      const float slack_ = slack(error, na, i, local);
      if (kNearest ? keep(leaf_a, leaf_b, used, slack_) : separate(leaf_a, leaf_b, used, slack_)) continue;
      f.leaves |= kNearest ? rest : rest & (rest - 1);
      return true;
    }
    return false;
  }
};

template <bool kNearest>
void start(ClosePairSearch& w) {
  w.top = 0;
  w.found = 0;
  ClosePairs<kNearest> pairs{w};
  pairs.push({w.from.a, w.from.a_slots, w.from.b, w.from.b_slots, nullptr});
}

void start_touching(ClosePairSearch& w) {
  ++kernel_counts.oriented_overlap[traversal::kLevel];
  w.leaves = 0;
  w.close = 0;
  for (float& x : w.along) x = 0;
  start<false>(w);
}

void start_nearest(ClosePairSearch& w) {
  ++kernel_counts.oriented_distance[traversal::kLevel];
  start<true>(w);
}

bool touching(ClosePairSearch& w) {
  ClosePairs<false> pairs{w};
  if (traversal::run_traversal(pairs)) return false;
  pairs.bound_by_close();
  return true;
}

bool nearest(ClosePairSearch& w) {
  GRAZE_EXPECTS(w.steps > 0);
  ClosePairs<true> pairs{w};
  if (traversal::run_traversal(pairs)) return false;
  sift(w);
  return true;
}

}  // namespace

const ClosePairKernels* close_pair_table() {
  static constexpr ClosePairKernels table{&start_touching, &start_nearest, &touching, &nearest};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(close_pair_table);

const ClosePairKernels& close_pair_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(close_pair_table)();
}

}  // namespace graze
#endif
