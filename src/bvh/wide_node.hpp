// The node of the 8-wide tree, and the queries and stacks that the SIMD kernels take. Plain data only, since kernels are compiled once per CPU level.
#pragma once
#include <cstdint>

namespace graze {

inline constexpr int kWidth = 8;

/// A box in a tree's coordinates, rounded outward.
struct QueryBox {
  float lo[3], hi[3];
};

/// Boxes of up to 8 children, in the tree's own coordinates. A child is an inner node (count 0, child = its number) or a leaf (items [child, child + count)).
/// Slots from `used` on hold boxes that overlap nothing; their numbers are finite.
struct alignas(64) WideNode {
  float plane[6][kWidth];  ///< lo x, lo y, lo z, hi x, hi y, hi z
  std::uint32_t child[kWidth];
  std::uint8_t count[kWidth];
  std::uint32_t used;
  std::uint32_t first_leaf;  ///< number of leaves in nodes with lower numbers
  std::uint32_t leaves;      ///< bit i: child i is a leaf
  std::uint32_t lowest;      ///< lowest number of all items below
  std::uint64_t source;      ///< 0, or where the node waits to be made: the address of its NodeSource. Then no other field but `lowest` is set

  void set_box(std::uint32_t slot, const QueryBox& box) {
    for (int k = 0; k < 3; ++k) plane[k][slot] = box.lo[k], plane[3 + k][slot] = box.hi[k];
  }
  bool leaf(int slot) const { return count[slot] != 0; }
  /// The leaves of a tree are numbered by node, then slot. Users of the tree index data of leaves by this number.
  std::uint32_t leaf_number(std::uint32_t slot) const { return first_leaf + bits_in(leaves & ((1u << slot) - 1)); }
  /// Counts the bits of a byte. std::popcount is a call where the compiler's baseline has no instruction for it.
  static std::uint32_t bits_in(std::uint32_t byte) {
    constexpr std::uint64_t of_four = 0x4332322132212110u;
    return static_cast<std::uint32_t>((of_four >> (4 * (byte & 15)) & 15) + (of_four >> (4 * (byte >> 4)) & 15));
  }
};
static_assert(sizeof(WideNode) == 256);

/// Makes a node that waits, and what is below it; see NodeSource. Any number of threads may wait for the same node.
void make_node(std::uint64_t source, const WideNode& node);

/// Returns the node, made if it waited. Every traversal must pass each node that it enters through this.
inline const WideNode& made(const WideNode& node) {
  if (const std::uint64_t source = __atomic_load_n(&node.source, __ATOMIC_ACQUIRE); source != 0) [[unlikely]]
    make_node(source, node);
  return node;
}

/// A ray in a tree's coordinates, padded (see local_query.hpp): (near plane - o_near) * inverse never exceeds the true parameter of a true hit, and (far plane
/// - o_far) * inverse never falls below it.
struct QueryRay {
  float o_near[3], o_far[3], inverse[3];
  std::uint32_t near_plane[3], far_plane[3];
  float t_hi;  ///< closed; shrinks as hits are found
};

/// A box rotated relative to the tree's axes: its axis-parallel bounds in the tree's coordinates, and its centre, unit axes (rows) and padded half sizes.
struct QueryOrientedBox {
  QueryBox bounds;
  float center[3], axis[3][3], half[3];
};

/// Transforms boxes of one tree into another's coordinates, in floats: the rotated box of lo, hi has the centre sum_j axis[j] (lo_j + hi_j) + offset and the
/// half sizes sum_j size[j] (hi_j - lo_j) + pad.
struct BoxPlacement {
  float axis[3][3], size[3][3];  ///< [j][i]: component i of half of axis j, and its absolute value
  float offset[3], pad, ratio;   ///< ratio: size of the unit of the boxes in the other tree's
};

/// Turns boxes of one tree into another's coordinates, in floats: a point p is at ratio * sum_j axis[j] p_j + offset.
struct TurnPlacement {
  float axis[3][3], offset[3], ratio;
  float pad;  ///< bounds the error of a box's position along any direction
};

/// Items [first, first + count) of a leaf.
struct LeafItems {
  std::uint32_t first, count;
};

inline constexpr int kMaxTreeDepth = 84;                                           ///< maximum number of inner nodes on a path (see build.cpp)
inline constexpr int kTraversalStack = (kWidth - 1) * kMaxTreeDepth + 1 + kWidth;  ///< maximum number of entries in a depth-first traversal

inline constexpr std::uint32_t kNoItem = ~0u;

/// State of a traversal that visits the nearest child first. Kernels stop at each leaf and resume after the visitor has run.
struct SortedTraversal {
  const WideNode* nodes;
  const unsigned char* leaf_data;  ///< data that the visitor reads at leaves, for prefetching; may be null
  std::uint64_t leaf_stride;
  const std::uint32_t* leaf_ids;       ///< by position of the item: its id, or kNoItem; may be null. For prefetching
  const unsigned char* item_pointers;  ///< by id: the address of item_bytes of data
  std::uint64_t item_bytes;
  std::int32_t top;                      ///< -1: not yet started
  std::uint64_t stack[kTraversalStack];  ///< as in traversal-inl.hpp
};

}  // namespace graze
