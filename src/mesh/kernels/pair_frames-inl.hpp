// Frames of a traversal of two trees by boxes along the axes of both: which of 8 x 8 children overlap, and which pair of nodes comes next. Compiled once per
// CPU level; included inside Highway's per-target passes.
#if defined(GRAZE_MESH_PAIR_FRAMES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_PAIR_FRAMES_INL
#undef GRAZE_MESH_PAIR_FRAMES_INL
#else
#define GRAZE_MESH_PAIR_FRAMES_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/coarse_leaves-inl.hpp"
#include "mesh/kernels/leaf_pairs-inl.hpp"
#include "mesh/kernels/pair_frames.hpp"
#include "mesh/kernels/pair_touch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace pair_frames {
namespace hn = hwy::HWY_NAMESPACE;

using D = traversal::D;
using VF = hn::Vec<D>;

struct Bounds {
  VF lo[3], hi[3];
};

HWY_INLINE Bounds load(const WideNode& node, std::size_t k) {
  const D d;
  Bounds b;
  for (int i = 0; i < 3; ++i) {
    b.lo[i] = hn::Load(d, node.plane[i] + k);
    b.hi[i] = hn::Load(d, node.plane[3 + i] + k);
  }
  return b;
}

HWY_INLINE Bounds transformed(const Bounds& b, const BoxPlacement& p) {
  const D d;
  VF c[3], s[3];
  for (int i = 0; i < 3; ++i) {
    c[i] = b.lo[i] + b.hi[i];
    s[i] = b.hi[i] - b.lo[i];
  }
  Bounds r;
  for (int i = 0; i < 3; ++i) {
    VF center = hn::Set(d, p.offset[i]), half = hn::Set(d, p.pad);
    for (int j = 0; j < 3; ++j) {
      center = hn::MulAdd(c[j], hn::Set(d, p.axis[j][i]), center);
      half = hn::MulAdd(s[j], hn::Set(d, p.size[j][i]), half);
    }
    r.lo[i] = center - half;
    r.hi[i] = center + half;
  }
  return r;
}

/// Bits 8 i + j: child i of a and child j of b overlap in both frames.
HWY_INLINE std::uint64_t overlaps(const PlacedPair& w, const WideNode& a, std::uint32_t a_slots, const WideNode& b, const float* box) {
  const D d;
  alignas(64) float turned[6][kWidth];
  std::uint32_t reach = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Bounds r = transformed(load(a, k), w.a_in_b);
    for (int i = 0; i < 3; ++i) {
      hn::Store(r.lo[i], d, turned[i] + k);
      hn::Store(r.hi[i], d, turned[3 + i] + k);
    }
    if (box != nullptr) {
      VF g = hn::Max(r.lo[0] - hn::Set(d, box[3 * kWidth]), hn::Set(d, box[0]) - r.hi[0]);
      for (int c = 1; c < 3; ++c) g = hn::Max(g, hn::Max(r.lo[c] - hn::Set(d, box[(3 + c) * kWidth]), hn::Set(d, box[c * kWidth]) - r.hi[c]));
      reach |= traversal::mask_bits(g <= hn::Zero(d), k);
    }
  }
  if (box != nullptr) a_slots &= reach;
  if (a_slots == 0) return 0;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Bounds own = load(b, k), in_a = transformed(own, w.b_in_a);
    const VF minus_a[3] = {hn::Neg(in_a.hi[0]), hn::Neg(in_a.hi[1]), hn::Neg(in_a.hi[2])},
             minus_b[3] = {hn::Neg(own.hi[0]), hn::Neg(own.hi[1]), hn::Neg(own.hi[2])};
    for (std::uint32_t rest = a_slots; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = traversal::lowest_bit(rest);
      VF g = hn::Max(in_a.lo[0] - hn::Set(d, a.plane[3][i]), minus_a[0] + hn::Set(d, a.plane[0][i]));
      VF h = hn::Max(own.lo[0] - hn::Set(d, turned[3][i]), minus_b[0] + hn::Set(d, turned[0][i]));
      for (int c = 1; c < 3; ++c) {
        g = hn::Max(g, hn::Max(in_a.lo[c] - hn::Set(d, a.plane[3 + c][i]), minus_a[c] + hn::Set(d, a.plane[c][i])));
        h = hn::Max(h, hn::Max(own.lo[c] - hn::Set(d, turned[3 + c][i]), minus_b[c] + hn::Set(d, turned[c][i])));
      }
      all |= static_cast<std::uint64_t>(traversal::mask_bits(hn::Max(g, h) <= hn::Zero(d), k)) << (8 * i);
    }
  }
  return all;
}

constexpr std::uint64_t kColumn = 0x0101010101010101u;
/// Sets bit 8 i for every bit i.
HWY_INLINE std::uint64_t spread_column(std::uint32_t bits) {
  return ((bits & 0x7Fu) * 0x0002040810204081u & kColumn) | static_cast<std::uint64_t>(bits >> 7) << 56;
}

// ---- leaves much larger than the boxes of a node: their triangles are asked one by one ----

/// Of the pairs of children of two nodes, those near to a triangle of the coarse leaves.
HWY_INLINE std::uint64_t near_coarse_leaves(const PlacedPair& w, const WideNode& a, std::uint32_t coarse_a, const WideNode& b, std::uint32_t coarse_b,
                                            std::uint64_t met) {
  const float error = leaf_pairs::rounded_up(w.corners.error), no_origin[3] = {0, 0, 0};
  const auto boxes_of = [](const Bounds& of, const float* origin) HWY_ATTR {
    coarse_leaves::StraightBoxes r;
    for (int i = 0; i < 3; ++i) {
      const VF o = hn::Set(D(), origin[i]), lo = of.lo[i] - o, hi = of.hi[i] - o, part = hn::Set(D(), 0.5f);
      r.center[i] = (lo + hi) * part;
      r.half[i] = (hi - lo) * part;
    }
    return r;
  };
  for (; coarse_a != 0; coarse_a &= coarse_a - 1) {
    const std::uint32_t i = traversal::lowest_bit(coarse_a);
    if ((met >> (8 * i) & 0xFF) == 0) continue;
    std::uint32_t near = 0;
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(D())) {
      const VF gap = coarse_leaves::gap(w.blocks_a[a.leaf_number(i)].corner, a.count[i], error, boxes_of(transformed(load(b, k), w.b_in_a), no_origin));
      near |= traversal::mask_bits(gap <= hn::Zero(D()), k);
    }
    met &= ~(std::uint64_t{0xFF} << (8 * i)) | static_cast<std::uint64_t>(near) << (8 * i);
  }
  for (; coarse_b != 0; coarse_b &= coarse_b - 1) {
    const std::uint32_t j = traversal::lowest_bit(coarse_b);
    if ((met >> j & kColumn) == 0) continue;
    pair_touch::LocalBlock placed;
    pair_touch::place_block(w.blocks_b[b.leaf_number(j)], w.corners, placed);
    std::uint32_t near = 0;
    for (std::size_t k = 0; k < kWidth; k += hn::Lanes(D())) {
      const VF gap = coarse_leaves::gap(placed.corner, b.count[j], error + w.b_in_a.pad, boxes_of(load(a, k), placed.origin));
      near |= traversal::mask_bits(gap <= hn::Zero(D()), k);
    }
    met &= ~(kColumn << j) | spread_column(near) << j;
  }
  return met;
}

/// Sets row i for every bit i.
HWY_INLINE std::uint64_t row_bits(std::uint32_t bits) { return spread_column(bits) * 0xFF; }

HWY_INLINE std::uint32_t first64(std::uint64_t bits) { return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)); }

/// Bit j: any bit of column j is set.
HWY_INLINE std::uint32_t any_of_columns(std::uint64_t bits) {
  bits |= bits >> 32;
  bits |= bits >> 16;
  return static_cast<std::uint32_t>(bits | bits >> 8) & 0xFF;
}
/// Bit i: bit 8 i is set.
HWY_INLINE std::uint32_t gather_column(std::uint64_t column) { return static_cast<std::uint32_t>(column * 0x0102040810204080u >> 56); }
/// Bit i: any bit of row i is set.
HWY_INLINE std::uint32_t any_of_rows(std::uint64_t bits) {
  bits |= bits >> 4;
  bits |= bits >> 2;
  return gather_column((bits | bits >> 1) & kColumn);
}

HWY_INLINE void prefetch_child(const WideNode& node, std::uint32_t s, const WideNode* nodes, const TriangleBlock* blocks) {
  if (node.count[s] == 0) {
    const auto* p = reinterpret_cast<const unsigned char*>(nodes + node.child[s]);
    for (int line = 0; line < 4; ++line) traversal::prefetch(p + 64 * line);
  } else {
    const auto* p = reinterpret_cast<const unsigned char*>(blocks + node.leaf_number(s));
    for (int line = 0; line < 3; ++line) traversal::prefetch(p + 64 * line);
  }
}

/// Of pairs of nodes of which one is much larger, expands that one alone: its box would meet all children of the other.
HWY_INLINE void expand_larger(PairFrame& f, const WideNode& a, const WideNode& b, float ratio) {
  for (std::uint32_t rows = any_of_rows(f.inner); rows != 0; rows &= rows - 1) {
    const std::uint32_t i = traversal::lowest_bit(rows), row = static_cast<std::uint32_t>(f.inner >> (8 * i)) & 0xFF;
    const float size = coarse_leaves::extent(a, i) / ratio;
    const std::uint32_t larger = coarse_leaves::coarse(b, row, size), smaller = row & ~coarse_leaves::larger(b, row, size / coarse_leaves::kCoarse);
    f.expand_b |= static_cast<std::uint64_t>(larger) << (8 * i);
    f.expand_a |= static_cast<std::uint64_t>(smaller) << (8 * i);
    f.inner &= ~(static_cast<std::uint64_t>(larger | smaller) << (8 * i));
  }
}

HWY_INLINE void fill(PairFrame& f, const PlacedPair& w, std::uint32_t a, std::uint32_t b, std::uint64_t met) {
  const WideNode &na = w.nodes_a[a], &nb = w.nodes_b[b];
  const std::uint64_t leaf_a = row_bits(na.leaves), leaf_b = nb.leaves * kColumn;
  f.a = a;
  f.b = b;
  f.leaves = met & leaf_a & leaf_b;
  f.inner = met & ~leaf_a & ~leaf_b;
  f.expand_b = met & leaf_a & ~leaf_b;
  f.expand_a = met & ~leaf_a & leaf_b;
  if (w.b_in_a.ratio > coarse_leaves::kCoarse || w.a_in_b.ratio > coarse_leaves::kCoarse) expand_larger(f, na, nb, w.b_in_a.ratio);
  // Prefetch: traversals spend most of their time waiting for memory.
  for (std::uint32_t rows = any_of_rows(met); rows != 0; rows &= rows - 1) prefetch_child(na, traversal::lowest_bit(rows), w.nodes_a, w.blocks_a);
  for (std::uint32_t columns = any_of_columns(met); columns != 0; columns &= columns - 1)
    prefetch_child(nb, traversal::lowest_bit(columns), w.nodes_b, w.blocks_b);
}

/// Two nodes whose children are to be tested against each other.
struct NodePair {
  std::uint32_t a, a_slots, b, b_slots;
  const float* box;                          ///< the smallest x of b's node among its parent's planes, or null
  std::uint32_t coarse_a = 0, coarse_b = 0;  ///< leaves among the slots that are much larger than the other node
};

/// Pushes the children of two nodes that overlap, of these pairs those that filter(a, b, pairs) returns.
template <class Search, class Filter>
HWY_INLINE void push(Search& w, const NodePair& o, Filter&& filter) {
  const auto [a, a_slots, b, b_slots, box, coarse_a, coarse_b] = o;
  const WideNode &na = made(w.trees.nodes_a[a]), &nb = made(w.trees.nodes_b[b]);
  std::uint64_t met = overlaps(w.trees, na, a_slots & traversal::used_mask(na), nb, box) & (b_slots & traversal::used_mask(nb)) * kColumn;
  if (met != 0 && (coarse_a | coarse_b) != 0) met = near_coarse_leaves(w.trees, na, coarse_a, nb, coarse_b, met);
  if (met != 0) met = filter(a, b, met);
  GRAZE_EXPECTS(met == 0 || w.top < kPairFrames);
  if (met != 0) fill(w.frame[w.top++], w.trees, a, b, met);
}
template <class Search>
HWY_INLINE void push(Search& w, const NodePair& o) {
  push(w, o, [](std::uint32_t, std::uint32_t, std::uint64_t met) { return met; });
}

/// Removes the next pair from the frame, or the next row or column of pairs in which one side is not expanded. Of two pairs, whether others are in the frame
/// does not change which comes first: the first pair that touches is to be the same at every CPU level.
HWY_INLINE bool next_pair(PairFrame& f, const PlacedPair& w, NodePair& o) {
  if (f.inner != 0) {
    const std::uint32_t at = first64(f.inner);
    f.inner &= f.inner - 1;
    o = {w.nodes_a[f.a].child[at >> 3], 0xFF, w.nodes_b[f.b].child[at & 7], 0xFF, &w.nodes_b[f.b].plane[0][at & 7]};
  } else if (f.expand_b != 0) {
    const std::uint32_t j = traversal::lowest_bit(any_of_columns(f.expand_b));
    const std::uint64_t column = f.expand_b & kColumn << j;
    f.expand_b &= ~column;
    const WideNode& nb = w.nodes_b[f.b];
    o = {f.a, gather_column(column >> j), nb.child[j], 0xFF, &nb.plane[0][j]};
    o.coarse_a = coarse_leaves::coarse(w.nodes_a[f.a], o.a_slots & w.nodes_a[f.a].leaves, w.b_in_a.ratio * coarse_leaves::extent(nb, j));
  } else if (f.expand_a != 0) {
    const std::uint32_t i = first64(f.expand_a) >> 3, row = static_cast<std::uint32_t>(f.expand_a >> (8 * i)) & 0xFF;
    f.expand_a &= ~(std::uint64_t{0xFF} << (8 * i));
    o = {w.nodes_a[f.a].child[i], 0xFF, f.b, row, nullptr};
    o.coarse_b = coarse_leaves::coarse(w.nodes_b[f.b], row & w.nodes_b[f.b].leaves, w.a_in_b.ratio * coarse_leaves::extent(w.nodes_a[f.a], i));
  } else {
    return false;
  }
  return true;
}

}  // namespace pair_frames
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
