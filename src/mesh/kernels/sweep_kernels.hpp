// Traverses a tree with a moving ball, capsule or box down to its triangles. One kernel runs the whole traversal; only triangles that may be touched first are
// returned to the caller. Bounds: docs/derivations/sweep.md.
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/convex_kernels.hpp"

namespace graze {

/// A triangle that may be touched, not before `lo`, and certainly by `hi` (infinite if not known). Times are fractions of the motion.
struct SweepCandidate {
  double lo, hi;
  BlockPlace place;
};

enum class SweepEvent { done, full, candidates, spent };

/// State of a traversal. The mover is `convex`, whose centre moves by t * `motion`, t in [0, 1], in the tree's coordinates. It is a ball (no halves), a capsule
/// (one half), or a box or rectangle without radius.
struct SweepTraversal {
  static constexpr std::uint32_t kCandidates = 48;  ///< a choice; where they fill up, the caller decides them and calls again
  const WideNode* nodes;
  const TriangleBlock* blocks;
  const unsigned char* vertices;  ///< 24 bytes each; only for prefetching
  QueryRay box_ray;  ///< the mover's box as a ray among the nodes' boxes (lanes of a LocalSweep); its parameter is min(t * time_scale, time_out) - time_in, off
                     ///< by less than time_pad
  double time_scale, time_out, time_in, time_pad;
  float tube_at[3], tube_direction[3];  ///< the centre at parameter s is about tube_at + s * tube_direction
  float tube_radius, tube_pad;    ///< points farther from that centre than tube_radius, with every coordinate off by tube_pad, are not touched; tube_radius is
                                  ///< infinite where floats do not suffice
  float tube_half[3], tube_thin;  ///< of a capsule: half its axis, and the distance beyond which no point is touched; of a ball tube_thin is tube_radius
  LocalConvexSet convex;          ///< its error holds at all times
  double motion[3];
  double radius_lo, radius_hi;  ///< include the error: apart if the distance is above radius_hi, certainly deeper than touching if at most radius_lo (if not
                                ///< positive: never known)
  bool encloses;                ///< `convex` is a bounding volume, so hits give no upper bound on the time of contact
  double normal[3][3];          ///< normals of the box's faces
  double normal_products[3];    ///< the sum of the sizes of all products that the normal consists of; negative: no normal, only another direction
  bool certain;                 ///< of boxes: overlap along all normals proves contact
  double size;                  ///< at least |centre| + 1, |motion| and the sum of |halves| in each coordinate
  double least;                 ///< contacts after this time cannot be first; shrinks
  std::uint32_t deep;           ///< the lowest triangle that is certainly deeper than touching at the start; ~0: none. Higher ones are skipped.
  BlockPlace deep_place;
  std::uint32_t visits;  ///< of nodes and leaves that are still allowed
  std::uint32_t found;
  std::int32_t top;  ///< -1: not yet started
  SweepCandidate candidate[kCandidates];
  std::uint64_t stack[kTraversalStack];  ///< high half: bits of the lower bound of the parameter, which sort as the bound does; low half: node * 8 + slot
};

struct SweepKernels {
  /// Continues until the tree is done or there is no room for a candidate (`full`: the next call tests the block again). Hits of bounding volumes give no upper
  /// bound on the time of contact, and neither do some hits of boxes. A block with such a candidate returns `candidates`, which lets the caller find that bound
  /// and lower `least`. Where no more visits are allowed, it ends unfinished (`spent`).
  SweepEvent (*ball)(SweepTraversal& traversal);
  SweepEvent (*capsule)(SweepTraversal& traversal);
  SweepEvent (*box)(SweepTraversal& traversal);
};

/// Returns the kernels of the CPU level in force. Fetch once per query.
const SweepKernels& sweep_kernels();

}  // namespace graze
