// Searches two placed trees whose surfaces touch, or nearly touch, for the pair that touches first and for the nearest pair of triangles. Boxes along the axes
// suffice there, and cost a fifth of the oriented boxes by which nearest_pair_kernels.hpp searches at any distance.
#pragma once
#include <cstdint>

#include "mesh/kernels/near_pair.hpp"
#include "mesh/kernels/oriented_node.hpp"
#include "mesh/kernels/pair_frames.hpp"

namespace graze {

struct ClosePairSearch {
  static constexpr std::uint32_t kCandidates = 48;  ///< a choice; where they fill up, the caller decides them and calls again
  static constexpr std::uint32_t kClose = 32;       ///< a choice
  PlacedPair trees;                                 ///< paddings for pairs that touch
  StartNodes from;
  const OrientedNode *boxes_a, *boxes_b;  ///< needed for nearest() only, as `turn` and `along`
  TurnPlacement turn;                     ///< as in NearPairSearch
  float along[3];                         ///< as in NearPairSearch
  double least;                           ///< smallest upper bound of a distance so far
  BlockPlace bound_a, bound_b;            ///< the pair that proved it to touching()
  std::uint32_t steps;                    ///< pairs of nodes that nearest() may process before it pauses
  std::uint32_t leaves;                   ///< pairs of leaves that touching() has processed
  std::uint32_t close;                    ///< pairs of leaves that were close; the last kClose of them are in close_pair, round and round
  std::uint32_t found;
  std::int32_t top;
  LeafPair close_pair[kClose];
  NearPair candidate[kCandidates];
  PairFrame frame[kPairFrames];
};

struct ClosePairKernels {
  /// Starts at `from`, to find pairs that touch, or pairs at most `least` apart.
  void (*start_touching)(ClosePairSearch& search);
  void (*start_nearest)(ClosePairSearch& search);
  /// Continues until the search is done (true), or until there are candidates that may touch (false; reset `found` to 0 and call again). They come in an order
  /// that only the trees and poses determine. Lowers `least` to a distance that exists, if boxes of leaves overlap.
  bool (*touching)(ClosePairSearch& search);
  /// Continues until the search is done (true), or until there is no room for another candidate (false; reset `found` to 0 and call again), or until `steps` is
  /// 0 (false). The caller may lower `least`.
  bool (*nearest)(ClosePairSearch& search);
};

const ClosePairKernels& close_pair_kernels();

}  // namespace graze
