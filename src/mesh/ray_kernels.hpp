// Rays through a tree down to its triangles: the whole walk in one kernel, so that only triangles that doubles cannot decide come back to the caller.
#pragma once
#include "bvh/wide_node.hpp"
#include "mesh/triangle_blocks.hpp"

namespace graze {

/// A ray for tests of blocks. Axis z is that of the greatest component of its direction, x and y the two others; a corner's x seen along the ray is p_x - start_x - slope_x (p_z - start_z), and its
/// depth (p_z - start_z) * inverse_z.
///
/// Error: a corner is off by kBlockError, the ray by `spread` in each coordinate, |slope| <= 1 and |inverse_z| <= 1: so x, y and depth are off by at most 2 (kBlockError + spread), and by the roundings
/// of 5 operations on numbers below 5 (2^-47): together `epsilon`, which is infinite where nothing is known.
struct BlockRay {
  std::uint32_t x, y, z;
  double start_x, start_y, start_z, slope_x, slope_y, inverse_z;
  double epsilon;
  double length;  ///< hits have parameters in [0, length], within epsilon
};

/// lo <= parameter <= hi (the tree's) for a triangle that is hit: certainly, or as the caller found.
struct RayCandidate {
  double lo, hi;
  BlockPlace place;
};

enum class RayEvent { done, unsure, full };

struct RayWalk {
  static constexpr std::uint32_t kCandidates = 16, kTogether = 8;
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only asked for early
  QueryRay box_ray;
  BlockRay ray;
  double least;            ///< no hit beyond can be the first: the least hi of all candidates
  std::uint32_t unsure;    ///< lanes of `block` that the caller has to decide
  std::uint32_t block;
  std::uint32_t found;
  std::int32_t top;
  RayCandidate candidate[kCandidates];
  WalkEntry stack[kWalkStack];
};

struct RayKernels {
  /// Goes on until the tree is done, a block holds triangles that may be hit but not certainly (`unsure`), or there is no room for a candidate (`full`: the block is tested again when called again).
  RayEvent (*first)(RayWalk& walk);
  /// As first, but `full` says that a triangle is certainly hit; no candidates are kept.
  RayEvent (*any)(RayWalk& walk);
  /// The same up to the first event of each of up to kTogether walks that have just begun, in turns, so that none waits for memory alone.
  void (*first_of_each)(RayWalk* walks, std::uint32_t n, RayEvent* events);
  void (*any_of_each)(RayWalk* walks, std::uint32_t n, RayEvent* events);
};

/// The kernels of the CPU level in force. Ask once per query.
const RayKernels& ray_kernels();

}  // namespace graze
