// Traverses a tree with a ray down to its triangles. One kernel runs the whole traversal; only triangles that doubles cannot decide are returned to the caller.
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A ray for tests of blocks. Axis z is that of the largest component of the ray's direction, x and y are the two others. Seen along the ray, a corner has the
/// x coordinate p_x - start_x - slope_x (p_z - start_z) and the depth (p_z - start_z) * inverse_z.
///
/// Error: a corner is off by kBlockError, the ray by `spread` in each coordinate, |slope| <= 1 and |inverse_z| <= 1, so x, y and depth are off by at most 2
/// (kBlockError + spread), and by the roundings of 5 operations on numbers below 5 (2^-47). `epsilon` is the sum of both; it is infinite if no bound is known.
struct BlockRay {
  std::uint32_t x, y, z;  ///< byte offsets from a corner's first row
  double start_x, start_y, start_z, slope_x, slope_y, inverse_z;
  double epsilon;
  double length;  ///< hits have parameters in [0, length], within epsilon
};

/// A ray for tests of nodes, derived from a QueryRay. At the near planes, plane * inverse + near_shift never exceeds the true parameter of a true hit; at the
/// far planes, plane * inverse + far_shift never falls below it. Errors as for QueryRay: a shift is rounded by 2^-24 of 1.3 in positions, the product (not
/// rounded where it is fused) by 2^-24, the sum by 2^-24 of 2.3, less than the three operations that its padding covers.
struct RaySlabs {
  float inverse[3], near_shift[3], far_shift[3];
  std::uint32_t near_plane[3], far_plane[3];  ///< byte offsets from the node
  float t_hi;                                 ///< closed; shrinks as hits are found
};

/// A triangle that is hit, certainly or by the caller's decision, with lo <= parameter <= hi in the tree's parameter.
struct RayCandidate {
  double lo, hi;
  double true_lo, true_hi;  ///< bounds of the ray's own parameter if the caller has enclosed it; else true_lo > true_hi
  BlockPlace place;
};

enum class RayEvent { done, undecided, full };

/// Which of the certain hits count. Undecided triangles are the caller's.
struct HitChoice {
  bool from_front = true, from_back = true;                          ///< the side of the triangle's normal, or the other
  bool (*accepts)(const void* context, BlockPlace place) = nullptr;  ///< null: all
  const void* context = nullptr;
};

struct alignas(64) RayTraversal {
  static constexpr std::uint32_t kCandidates = 16, kTogether = 16;  ///< choices; where candidates fill up, the caller decides them and calls again
  RaySlabs slabs;
  BlockRay ray;
  double time_unit, t_in, spread;  ///< the tree's parameter is t * time_unit - t_in, off by at most spread, which may be infinite
  double least;                    ///< the smallest hi of all candidates: no hit beyond it can be the first
  std::uint32_t undecided;         ///< lanes of `block` that the caller must decide
  std::uint32_t block;
  std::uint32_t found;  ///< number of candidates
  std::int32_t top;     ///< -1: not yet started
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only for prefetching
  const HitChoice* choice;        ///< read by RayKernels::chosen only
  std::uint64_t* stack;  ///< kTraversalStack entries. High half: bits of the lower bound of the parameter, which sort as the bound does; low half: node * 8 +
                         ///< slot. Not used by waves.
  RayCandidate candidate[kCandidates];
};

/// Work lists of a wave of rays, and the triangles that it leaves undecided for the caller. Particles in a batch on the bunny: 96 ns a segment in turns, 61 so.
struct RayWave {
  static constexpr std::uint32_t kRays = 64, kRoom = 1024, kUndecided = 64;
  struct Undecided {
    std::uint32_t ray, block, lanes;  ///< undecided lanes
  } undecided[kUndecided];
  std::uint32_t undecided_count;
  std::uint32_t node[kRoom + kWidth], ray_at_node[kRoom + kWidth];  ///< whole vectors are written behind the last entry
  std::uint32_t leaf[kRoom + kWidth], ray_at_leaf[kRoom + kWidth], count[kRoom + kWidth];
};

/// N rays of ordinary magnitude and the frame of the tree. The kernels derive from them in SIMD lanes what LocalRay derives.
template <std::size_t N>
struct RayStarts {
  static constexpr std::size_t kLanes = N;
  double center[3], scale;                                   ///< the tree's frame; scale is a power of two in [2^-900, 2^900]
  double origin[3][N], direction[3][N], t_min[N], t_max[N];  ///< no lane may hold NaN
};

struct RayTraversals {
  /// Continues until the tree is done, a block holds undecided triangles (`undecided`), or there is no room for a candidate (`full`: the next call tests the
  /// block again).
  RayEvent (*first)(RayTraversal& traversal);
  /// Like first, but `full` means that a triangle is certainly hit. Keeps no candidates.
  RayEvent (*any)(RayTraversal& traversal);
  /// Like first, but keeps every triangle that is hit, once. `full` means that the candidates must be removed.
  RayEvent (*all)(RayTraversal& traversal);
  /// The same for each of up to kTogether traversals whose bit is set in `which`, up to the next event of each. The traversals take turns to hide memory
  /// latency.
  void (*first_of_each)(RayTraversal* traversals, std::uint32_t which, RayEvent* events);
  void (*any_of_each)(RayTraversal* traversals, std::uint32_t which, RayEvent* events);
  void (*all_of_each)(RayTraversal* traversals, std::uint32_t which, RayEvent* events);
};

struct RayKernels {
  /// Sets slabs, ray and times of traversals[0 .. n - 1]. Bit k of the result: ray k is not of ordinary magnitude and was not set up. Bit k of `misses`: ray k
  /// does not come near the tree.
  std::uint32_t (*start)(const RayStarts<RayTraversal::kTogether>& starts, RayTraversal* traversals, std::uint32_t n, std::uint32_t& misses);
  std::uint32_t (*start_one)(const RayStarts<1>& starts, RayTraversal* traversal, std::uint32_t n, std::uint32_t& misses);
  RayTraversals plain, chosen;  ///< `chosen` counts the hits that the traversal's choice admits
  /// Like plain.first, for all of up to RayWave::kRays traversals whose bit is set, at once: first all nodes that any ray enters, then all leaves. Nodes are
  /// not visited in order along a ray, so hits do not end it early; this pays for short rays only. Returns false if there was no room; the candidates are then
  /// invalid.
  bool (*first_of_wave)(RayTraversal* traversals, std::uint64_t which, RayWave& wave);
};

/// Returns the kernels of the CPU level in force. Fetch once per query.
const RayKernels& ray_kernels();

}  // namespace graze
