// Searches two placed trees for their nearest pair of triangles. One kernel runs the whole search: it tests the oriented boxes of 8 x 8 children at once, goes
// on with the pair of the least lower bound, and encloses the distances of the 16 pairs of two leaves side by side.
#pragma once
#include <cstdint>

#include "mesh/kernels/near_pair.hpp"
#include "mesh/kernels/oriented_node.hpp"
#include "mesh/kernels/pair_kernels.hpp"

namespace graze {

/// Two nodes, and the pairs of their children that are still to be processed.
struct NearFrame {
  std::uint32_t a, b;
  float key[kWidth][kWidth];  ///< > 0: lower bound of the squared distance, in a's units; else how deep the boxes overlap; kNoPair: processed, or none
};
inline constexpr float kNoPair = 0x1p127f;

struct NearPairSearch {
  static constexpr std::uint32_t kCandidates = 48;       ///< a choice; where they fill up, the caller decides them and calls again
  static constexpr int kFrames = 2 * kMaxTreeDepth + 2;  ///< each frame is a level deeper in one of the trees
  const WideNode *nodes_a, *nodes_b;
  const TriangleBlock *blocks_a, *blocks_b;
  const OrientedNode *boxes_a, *boxes_b;
  StartNodes from;
  TurnPlacement turn;           ///< b in a; its padding includes the error of corners
  BlockPlacement corners;       ///< b in a
  double least;                 ///< smallest upper bound of a distance so far
  double enough;                ///< the search ends when `least` is below this
  BlockPlace bound_a, bound_b;  ///< the nearest pair that find_bound() found
  float along[3];               ///< about the unit vector from a to b where they are nearest, in a's coordinates, or 0; any vector up to that length is valid
  std::uint32_t steps;          ///< pairs of nodes or leaves that search() may process before it pauses
  std::uint32_t found;
  std::int32_t top;
  NearPair candidate[kCandidates];
  NearFrame frame[kFrames];
};

struct NearestPairKernels {
  /// Lowers `least` to a distance that exists below `from`, often nearly the least. Returns whether it did.
  bool (*find_bound)(NearPairSearch& search);
  /// Starts at `from`.
  void (*start)(NearPairSearch& search);
  /// Continues until the search is done (true), or until there is no room for another candidate (false; reset `found` to 0 and call again), or until `steps`
  /// is 0 (false; set `steps` and call again). The caller may lower `least`.
  bool (*search)(NearPairSearch& search);
  /// Moves about half of the pairs of the frame nearest to the roots to `out`. Returns false where the search has too few pairs left.
  bool (*split)(NearPairSearch& search, NearFrame& out);
};

const NearestPairKernels& nearest_pair_kernels();

}  // namespace graze
