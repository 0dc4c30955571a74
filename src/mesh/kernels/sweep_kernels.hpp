// A moving ball, capsule or box through a tree down to its triangles: the whole walk in one kernel, so that only triangles that may be touched first come back
// to the caller. Bounds: docs/derivations/sweep.md.
#pragma once
#include "bvh/wide_node.hpp"
#include "mesh/kernels/convex_kernels.hpp"

namespace graze {

/// A triangle that may be touched: not before lo, and certainly by hi (infinite if that is not known). Times are fractions of the motion.
struct SweepCandidate {
  double lo, hi;
  BlockPlace place;
};

enum class SweepEvent { done, full, ask };

/// The mover is `convex`, the centre going on by t * `motion`, t in [0, 1], in the tree's coordinates: a ball (no halves), a capsule (one), or a box or
/// rectangle without radius.
struct SweepWalk {
  static constexpr std::uint32_t kCandidates = 48;
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only asked for early
  QueryRay box_ray;  ///< the mover's box among the nodes' (a LocalSweep's lanes); its parameter is min(t * time_scale, time_out) - time_in, off by less than
                     ///< time_pad
  double time_scale, time_out, time_in, time_pad;
  float tube_at[3], tube_way[3];  ///< the centre at parameter s is about tube_at + s * tube_way,
  float tube_radius, tube_pad;    ///< and what is farther from it than tube_radius, with every coordinate off by tube_pad, is not touched; tube_radius is
                                  ///< infinite where floats do not reach
  float tube_half[3], tube_thin;  ///< of a capsule: half its axis, and what is farther from that than tube_thin; a ball's is tube_radius
  LocalConvexSet convex;          ///< its error holds at all times
  double motion[3];
  double radius_lo, radius_hi;  ///< with the error: apart where the distance is above radius_hi, deeper than touching where it is at most radius_lo (not above
                                ///< 0: never known)
  bool encloses;                ///< the convex set only encloses what moves: of nothing a time is known by which it is touched
  double normal[3][3];          ///< of the box's faces
  double size;                  ///< at least |centre| + 1, |motion| and the sum of |halves| in each coordinate
  double least;                 ///< contacts after it cannot be first; shrinks
  std::uint32_t deep;  ///< the lowest triangle that is certainly touched at the start, and deeper than touching; ~0: none. Others above it are left out.
  BlockPlace deep_place;
  std::uint32_t found;
  std::int32_t top;  ///< -1: not yet begun
  SweepCandidate candidate[kCandidates];
  std::uint64_t stack[kWalkStack];  ///< above, the bits of the lower bound of the parameter, which sort like it; below, node * 8 + slot
};

struct SweepKernels {
  /// Goes on until the tree is done, or there is no room for a candidate (`full`: the block is tested again when called again). Of boxes, and of what is only
  /// enclosed, no time is known by which they touch: after every block with a candidate `ask` gives the caller the chance to find one and to lower `least`.
  SweepEvent (*ball)(SweepWalk& walk);
  SweepEvent (*capsule)(SweepWalk& walk);
  SweepEvent (*box)(SweepWalk& walk);
};

/// The kernels of the CPU level in force. Ask once per query.
const SweepKernels& sweep_kernels();

}  // namespace graze
