// Traverses two placed trees of triangles against each other. One kernel runs the whole traversal and tests 8 x 8 children at once and the 16 triangle pairs of
// two leaves side by side.
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/pair_kernels.hpp"

namespace graze {

/// Two nodes, and the pairs of their children that are still to be processed: bit 8 i + j for child i of a and child j of b.
struct PairFrame {
  std::uint32_t a, b;
  std::uint64_t leaves;    ///< pairs of leaves
  std::uint64_t inner;     ///< pairs of nodes: both are expanded next
  std::uint64_t expand_b;  ///< a leaf of a and a node of b, which is expanded next
  std::uint64_t expand_a;
};

/// Two leaves with the pairs of triangles (bit 4 i + j) that may touch.
struct LeafPair {
  std::uint32_t a, b, bits;
};

inline constexpr int kPairFrames = 2 * kMaxTreeDepth + 2;  ///< each frame is a level deeper in one of the trees

/// Two trees, and the transformations between their coordinates.
struct PlacedPair {
  const WideNode *nodes_a, *nodes_b;
  const TriangleBlock *blocks_a, *blocks_b;
  const unsigned char *vertices_a, *vertices_b;  ///< 24 bytes each; only for prefetching
  BoxPlacement b_in_a, a_in_b;
  BlockPlacement corners;  ///< b in a
};

struct PairSearch {
  static constexpr std::uint32_t kRoom = 64;  ///< a choice
  PlacedPair trees;
  double margin;       ///< pairs within this distance count, in a's units; included in the paddings of boxes but not in `corners.error`
  std::uint32_t room;  ///< the traversal stops when this many leaf pairs are found
  std::uint32_t found;
  std::int32_t top;
  LeafPair pair[kRoom];
  PairFrame frame[kPairFrames];
};

struct PairTraversalKernels {
  /// Starts with the given children of two nodes.
  void (*start)(PairSearch& search, std::uint32_t a, std::uint32_t a_slots, std::uint32_t b, std::uint32_t b_slots);
  /// Continues until the traversal is done (true) or `room` leaf pairs are found (false; reset `found` to 0 and call again).
  bool (*traversal)(PairSearch& search);
};

const PairTraversalKernels& pair_traversal_kernels();

}  // namespace graze
