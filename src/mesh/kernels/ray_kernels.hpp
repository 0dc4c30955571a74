// Rays through a tree down to its triangles: the whole walk in one kernel, so that only triangles that doubles cannot decide come back to the caller.
#pragma once
#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A ray for tests of blocks. Axis z is that of the greatest component of its direction, x and y the two others; a corner's x seen along the ray is p_x -
/// start_x - slope_x (p_z - start_z), and its depth (p_z - start_z) * inverse_z.
///
/// Error: a corner is off by kBlockError, the ray by `spread` in each coordinate, |slope| <= 1 and |inverse_z| <= 1: so x, y and depth are off by at most 2
/// (kBlockError + spread), and by the roundings of 5 operations on numbers below 5 (2^-47): together `epsilon`, which is infinite where nothing is known.
struct BlockRay {
  std::uint32_t x, y, z;  ///< bytes from a corner's first row
  double start_x, start_y, start_z, slope_x, slope_y, inverse_z;
  double epsilon;
  double length;  ///< hits have parameters in [0, length], within epsilon
};

/// A ray for tests of nodes, made of a QueryRay: (plane) * inverse + near_shift never exceeds the true parameter of a true hit at the near planes, + far_shift
/// never falls below it at the far ones. Errors as for QueryRay: a shift is rounded by 2^-24 of 1.3 in positions, the product (none where it is fused) by
/// 2^-24, the sum by 2^-24 of 2.3, less than the three operations that its padding covers.
struct RaySlabs {
  float inverse[3], near_shift[3], far_shift[3];
  std::uint32_t near_plane[3], far_plane[3];  ///< bytes from the node
  float t_hi;                                 ///< closed; shrinks as hits are found
};

/// lo <= parameter <= hi (the tree's) for a triangle that is hit: certainly, or as the caller found.
struct RayCandidate {
  double lo, hi;
  double true_lo, true_hi;  ///< of the ray's own parameter, when the caller has enclosed it; else true_lo > true_hi
  BlockPlace place;
};

enum class RayEvent { done, unsure, full };

struct alignas(64) RayWalk {
  static constexpr std::uint32_t kCandidates = 16, kTogether = 16;
  RaySlabs slabs;
  BlockRay ray;
  double time_unit, t_in, spread;  ///< the tree's parameter is t * time_unit - t_in, off by at most spread, which may be infinite
  double least;                    ///< no hit beyond can be the first: the least hi of all candidates
  std::uint32_t unsure;            ///< lanes of `block` that the caller has to decide
  std::uint32_t block;
  std::uint32_t found;
  std::int32_t top;  ///< -1: not yet begun
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only asked for early
  std::uint64_t*
      stack;  ///< of kWalkStack entries. Above, the bits of the lower bound of the parameter, which sort like it; below, node * 8 + slot. Waves need none
  RayCandidate candidate[kCandidates];
};

/// Where a wave of rays has still to go, and what it leaves to the caller.
struct RayWave {
  static constexpr std::uint32_t kRays = 64, kRoom = 1024, kOpen = 64;
  struct Open {
    std::uint32_t ray, block, lanes;  ///< may be hit, but not certainly
  } open[kOpen];
  std::uint32_t opened;
  std::uint32_t node[kRoom + kWidth], ray_at_node[kRoom + kWidth];  ///< whole vectors are written behind the last
  std::uint32_t leaf[kRoom + kWidth], ray_at_leaf[kRoom + kWidth], count[kRoom + kWidth];
};

/// N rays of ordinary size and the tree that they are brought to. What LocalRay derives, in lanes.
template <std::size_t N>
struct RayStarts {
  static constexpr std::size_t kLanes = N;
  double center[3], scale;                             ///< the tree's frame; scale is a power of two in [2^-900, 2^900]
  double origin[3][N], way[3][N], t_min[N], t_max[N];  ///< all lanes must hold numbers
};

struct RayKernels {
  /// Fills in slabs, ray and times of walks[0 .. n - 1]. Bit k of the result: lane k is not of ordinary size, nothing is known; `misses`: it does not come near
  /// the tree.
  std::uint32_t (*start)(const RayStarts<RayWalk::kTogether>& starts, RayWalk* walks, std::uint32_t n, std::uint32_t& misses);
  std::uint32_t (*start_one)(const RayStarts<1>& starts, RayWalk* walk, std::uint32_t n, std::uint32_t& misses);
  /// Goes on until the tree is done, a block holds triangles that may be hit but not certainly (`unsure`), or there is no room for a candidate (`full`: the
  /// block is tested again when called again).
  RayEvent (*first)(RayWalk& walk);
  /// As first, but `full` says that a triangle is certainly hit; no candidates are kept.
  RayEvent (*any)(RayWalk& walk);
  /// The same for each of up to kTogether walks whose bit is set in `which`, up to the next event of each: in turns, so that none waits for memory alone.
  void (*first_of_each)(RayWalk* walks, std::uint32_t which, RayEvent* events);
  void (*any_of_each)(RayWalk* walks, std::uint32_t which, RayEvent* events);
  /// As first, for all of up to RayWave::kRays walks whose bit is set, at once: all nodes that any ray enters, then all leaves. No order of its nodes tells a
  /// ray to end early, so that this is for short ones. False: there was no room, candidates mean nothing.
  bool (*first_of_wave)(RayWalk* walks, std::uint64_t which, RayWave& wave);
};

/// The kernels of the CPU level in force. Ask once per query.
const RayKernels& ray_kernels();

}  // namespace graze
