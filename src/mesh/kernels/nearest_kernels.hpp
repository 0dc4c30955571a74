// A point's way through a tree to the nearest triangles: the whole walk in one kernel, which encloses the distances of 8 triangles at once in floats, those
// that may be nearest in doubles.
#pragma once
#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// Distances in the tree's units. A triangle at a place is at least `lo` away.
struct NearCandidate {
  double lo;
  BlockPlace place;
};

/// A block, all of whose triangles are at least `lo` away.
struct NearBlock {
  float lo;
  std::uint32_t block;
};

struct NearestWalk {
  static constexpr std::uint32_t kBlocks = 32, kCandidates = kBlocks * kBlock;
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only asked for early
  QueryBox box;                   ///< contains the point
  double point[3];
  double absolute, relative;  ///< true distances lie within d (1 -+ relative) -+ absolute of those between the point and corners as the block has them
  double floor;               ///< nothing nearer than this interests
  double least;               ///< max(floor, least upper bound of a distance so far)
  std::uint32_t blocks_kept, found;
  std::int32_t top;
  bool floats;  ///< the point is near enough for distances in floats
  NearBlock block[kBlocks];
  NearCandidate candidate[kCandidates];
  std::uint64_t stack[kWalkStack];  ///< as in near-inl.hpp; {0}: the root

  /// `floats` for a point in the tree's coordinates; in floats the point's own rounding (2^-24 of it) is an error.
  static bool fits_floats(const double* at) { return at[0] < 16 && at[0] > -16 && at[1] < 16 && at[1] > -16 && at[2] < 16 && at[2] > -16; }
};

/// Candidates beyond this cannot be nearest, errors of exact distances included.
inline double nearest_limit(double least) { return least * (1 + 1e-12); }

struct NearestKernels {
  /// Lowers `least` to what the triangles of a block prove.
  void (*begin)(NearestWalk& walk, std::uint32_t block);
  /// Goes on until the tree is done (true), or there is no room for a block (false; call again when there is). What may be nearest stands in candidate[0 ..
  /// found), by least at the end.
  bool (*walk)(NearestWalk& walk);
};

/// The kernels of the CPU level in force. Ask once per query.
const NearestKernels& nearest_kernels();

}  // namespace graze
