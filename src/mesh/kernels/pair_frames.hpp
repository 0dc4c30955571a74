// Two placed trees that a kernel traverses against each other, and the frames of its stack. Plain data only, since kernels are compiled once per CPU level.
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
  std::uint64_t expand_b;  ///< a leaf or a much smaller node of a, and a node of b, which is expanded next
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

}  // namespace graze
