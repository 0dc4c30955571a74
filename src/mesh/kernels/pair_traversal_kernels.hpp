// Two placed trees of triangles against each other: the whole descent in one kernel, which tests 8 x 8 children at once and the 16 pairs of two leaves side by
// side.
#pragma once
#include "bvh/wide_node.hpp"
#include "mesh/kernels/pair_kernels.hpp"

namespace graze {

/// Two nodes and the pairs of their children that are still to be looked at: bit 8 i + j for child i of a and child j of b.
struct PairFrame {
  std::uint32_t a, b;
  std::uint64_t leaves;  ///< a leaf and a leaf
  std::uint64_t inner;   ///< two nodes: both are opened next
  std::uint64_t open_b;  ///< a leaf of a and a node of b
  std::uint64_t open_a;
};

/// Two leaves with the pairs of triangles (bit 4 i + j) that may touch.
struct LeafPair {
  std::uint32_t a, b, bits;
};

inline constexpr int kPairFrames = 2 * kMaxTreeDepth + 2;

/// Two trees and where b's lies in a's coordinates, and the reverse.
struct PlacedPair {
  const WideNode *nodes_a, *nodes_b;
  const TriangleBlock *blocks_a, *blocks_b;
  const unsigned char *vertices_a, *vertices_b;  ///< 24 bytes each; only asked for early
  BoxPlacement b_in_a, a_in_b;
  BlockPlacement corners;  ///< b in a
};

struct PairSearch {
  static constexpr std::uint32_t kRoom = 64;
  PlacedPair trees;
  double margin;       ///< pairs within this distance count, in a's units: the paddings of boxes hold it, `corners.error` does not
  std::uint32_t room;  ///< stop when so many leaf pairs are found
  std::uint32_t found;
  std::int32_t top;
  LeafPair pair[kRoom];
  PairFrame frame[kPairFrames];
};

/// A pair of triangles at places, at least `lo` apart, in a's units.
struct NearPair {
  double lo;
  BlockPlace a, b;
};

/// As PairFrame, for the search of the nearest pair.
struct NearFrame {
  PairFrame pairs;
  bool sorted;                ///< the most promising pair has been taken first
  float key[kWidth][kWidth];  ///< > 0: lower bound of the squared distance, in a's units; else how deep the boxes overlap
};

struct NearPairSearch {
  static constexpr std::uint32_t kCandidates = 48;
  PlacedPair trees;
  float b_to_a;   ///< square of b's unit in a's
  double least;   ///< least upper bound of a distance so far
  double enough;  ///< done when `least` is below
  std::uint32_t found;
  std::int32_t top;
  NearPair candidate[kCandidates];
  NearFrame frame[kPairFrames];
};

struct PairWalkKernels {
  /// Starts with children of two nodes.
  void (*start)(PairSearch& search, std::uint32_t a, std::uint32_t a_slots, std::uint32_t b, std::uint32_t b_slots);
  /// Goes on until all is done (true), or `room` leaf pairs are found (false; call again with `found` set back to 0).
  bool (*walk)(PairSearch& search);
  /// Likewise with both roots, for pairs that may be the nearest; stops when there is no room for another candidate. The caller may lower `least`.
  void (*start_nearest)(NearPairSearch& search);
  bool (*walk_nearest)(NearPairSearch& search);
};

const PairWalkKernels& pair_walk_kernels();

}  // namespace graze
