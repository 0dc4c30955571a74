// Traverses two placed trees of triangles against each other. One kernel runs the whole traversal and tests 8 x 8 children at once and the 16 triangle pairs of
// two leaves side by side.
#pragma once
#include <cstdint>

#include "mesh/kernels/pair_frames.hpp"

namespace graze {

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
