// Traverses a tree for the triangles nearest to a point. One kernel runs the whole traversal: it encloses the distances of 8 triangles at once in floats, and
// in doubles those of triangles that may be nearest.
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A triangle that is at least `lo` away, in the tree's units.
struct NearCandidate {
  double lo;
  BlockPlace place;
};

/// A block whose triangles are all at least `lo` away.
struct NearBlock {
  float lo;
  std::uint32_t block;
};

struct NearestTraversal {
  static constexpr std::uint32_t kBlocks = 32, kCandidates = kBlocks * kBlock;  ///< a choice; where they fill up, the caller decides them and calls again
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only for prefetching
  QueryBox box;                   ///< contains the point
  double point[3];
  double absolute, relative;  ///< true distances lie within d (1 -+ relative) -+ absolute of the distances d between the point and the block's corners
  double floor;               ///< smaller distances need not be distinguished
  double least;               ///< max(floor, smallest upper bound of a distance so far)
  std::uint32_t blocks_kept, found;
  std::int32_t top;
  bool floats;  ///< the point is near enough for distances in floats
  NearBlock block[kBlocks];
  NearCandidate candidate[kCandidates];
  std::uint64_t stack[kTraversalStack];  ///< as in near-inl.hpp; {0}: the root

  /// Tests whether a point in the tree's coordinates is near enough for distances in floats, where the point's own rounding (2^-24 of it) is an error.
  static bool fits_floats(const double* at) { return at[0] < 16 && at[0] > -16 && at[1] < 16 && at[1] > -16 && at[2] < 16 && at[2] > -16; }
};

/// Candidates beyond this limit cannot be nearest, even with the errors of exact distances.
inline double nearest_limit(double least) { return least * (1 + 1e-12); }

struct NearestKernels {
  /// Lowers `least` to the upper bound that the triangles of a block prove.
  void (*begin)(NearestTraversal& traversal, std::uint32_t block);
  /// Continues until the tree is done (true) or there is no room for a block (false; call again when there is). candidate[0 .. found) holds the triangles that
  /// may be nearest, filtered by `least` at the end.
  bool (*traversal)(NearestTraversal& traversal);
};

/// Returns the kernels of the CPU level in force. Fetch once per query.
const NearestKernels& nearest_kernels();

}  // namespace graze
