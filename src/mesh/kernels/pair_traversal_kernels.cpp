// Traverses mesh against mesh, compiled once per CPU level. Boxes and filters only discard pairs that provably cannot touch. Levels may differ in which pairs
// they discard, but not in any answer.
#include "mesh/kernels/pair_traversal_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/pair_traversal_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>

#include "bvh/box_kernels.hpp"
#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/leaf_pairs-inl.hpp"
#include "mesh/kernels/pair_frames-inl.hpp"
#include "mesh/kernels/pair_touch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace leaf_pairs;
using namespace pair_frames;
using pair_touch::touching_pairs;

void start(PairSearch& w, std::uint32_t a, std::uint32_t a_slots, std::uint32_t b, std::uint32_t b_slots) {
  w.top = 0;
  w.found = 0;
  push(w, {a, a_slots, b, b_slots, nullptr});
}

// ---- leaves ----

/// Prefetches the vertices that the exact tests will read.
HWY_INLINE void prefetch_corners(const PlacedPair& w, std::uint32_t leaf_a, std::uint32_t leaf_b, std::uint32_t bits) {
  const TriangleBlock &a = w.blocks_a[leaf_a], &b = w.blocks_b[leaf_b];
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t at = traversal::lowest_bit(bits);
    for (std::size_t c = 0; c < 3; ++c) {
      traversal::prefetch(w.vertices_a + 24 * static_cast<std::size_t>(a.vertex[c][at / 4]));
      traversal::prefetch(w.vertices_b + 24 * static_cast<std::size_t>(b.vertex[c][at % 4]));
    }
  }
}

template <bool kMargin>
struct TouchingPairs {
  PairSearch& w;
  float error, margin;
  LocalBlock placed;
  NodePair children;

  explicit HWY_INLINE TouchingPairs(PairSearch& search) : w(search), error(rounded_up(w.trees.corners.error)), margin(rounded_up(w.margin)) {}

  HWY_INLINE PairFrame& frame() const { return w.frame[w.top - 1]; }
  HWY_INLINE bool next() {
    for (; w.top > 0; --w.top) {
      if (at_leaf() || next_pair(frame(), w.trees, children)) return true;
    }
    return false;
  }
  HWY_INLINE bool at_leaf() const { return frame().leaves != 0; }
  HWY_INLINE bool node() {
    push(w, children);
    return false;
  }
  HWY_INLINE bool leaf() {
    PairFrame& f = frame();
    const WideNode &na = w.trees.nodes_a[f.a], &nb = w.trees.nodes_b[f.b];
    const std::uint32_t j = traversal::lowest_bit(any_of_columns(f.leaves));
    const std::uint64_t column = f.leaves & kColumn << j;
    f.leaves &= ~column;
    const std::uint32_t leaf_b = nb.leaf_number(j);
    pair_touch::place_block(w.trees.blocks_b[leaf_b], w.trees.corners, placed);
    for (std::uint64_t rest = column; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = first64(rest) >> 3, leaf_a = na.leaf_number(i);
      const std::uint32_t bits = touching_pairs<kMargin, false>(w.trees.blocks_a[leaf_a], placed, slack(error, na, i, placed), margin) & lanes_of(na, i, nb, j);
      if (bits == 0) continue;
      GRAZE_EXPECTS(w.found < PairSearch::kRoom);
      w.pair[w.found++] = {leaf_a, leaf_b, bits};
      if (w.room > 1) prefetch_corners(w.trees, leaf_a, leaf_b, bits);
      if (w.found >= w.room) {
        f.leaves |= rest & (rest - 1);
        return true;
      }
    }
    return false;
  }
};

template <bool kMargin>
HWY_INLINE bool traverse_pairs(PairSearch& w) {
  TouchingPairs<kMargin> pairs{w};
  return !traversal::run_traversal(pairs);
}

bool traverse(PairSearch& w) {
  ++kernel_counts.oriented_overlap[traversal::kLevel];
  return w.margin > 0 ? traverse_pairs<true>(w) : traverse_pairs<false>(w);
}

}  // namespace

const PairTraversalKernels* pair_traversal_table() {
  static constexpr PairTraversalKernels table{&start, &traverse};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(pair_traversal_table);

const PairTraversalKernels& pair_traversal_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(pair_traversal_table)();
}

}  // namespace graze
#endif
