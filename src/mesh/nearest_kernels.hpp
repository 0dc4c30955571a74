// A point's way through a tree to the nearest triangles: the whole walk in one kernel, which encloses the distances of 4 triangles at once.
#pragma once
#include "bvh/wide_node.hpp"
#include "mesh/triangle_blocks.hpp"

namespace graze {

/// Distances in the tree's units. A triangle at a place is at least `lo` away.
struct NearCandidate {
  double lo;
  BlockPlace place;
};

struct NearestWalk {
  static constexpr std::uint32_t kCandidates = 32;
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only asked for early
  QueryBox box;                   ///< contains the point
  double point[3];
  double absolute, relative;      ///< true distances lie within d (1 -+ relative) -+ absolute of those between the point and corners as the block has them
  double floor;                   ///< nothing nearer than this interests
  double least;                   ///< max(floor, least upper bound of a distance so far)
  std::uint32_t found;
  std::int32_t top;
  NearCandidate candidate[kCandidates];
  WalkEntry stack[kWalkStack];
};

/// Candidates beyond this cannot be nearest, errors of exact distances included.
inline double nearest_limit(double least) { return least * (1 + 1e-12); }

struct NearestKernels {
  /// Goes on until the tree is done (true), or there is no room for a candidate (false; call again when there is).
  bool (*walk)(NearestWalk& walk);
};

/// The kernels of the CPU level in force. Ask once per query.
const NearestKernels& nearest_kernels();

}  // namespace graze
