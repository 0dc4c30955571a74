// Tests a sphere, capsule or box against 4 triangles at once, and traverses a tree for one triangle that touches it.
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// { center + sum s_k half_k + ball : |s_k| <= 1 } in a tree's coordinates. Center and halves (as a sum) are off by at most `error` in each coordinate,
/// including the corners of blocks and all roundings of coordinates. The radius lies in [radius_lo, radius_hi].
struct LocalConvexSet {
  double center[3], half[3][3];
  std::uint32_t halves;
  double radius_lo, radius_hi, error;
  bool square;  ///< the halves are orthogonal up to 2^-30 of their sizes, and longer than 2^-20
};

struct ConvexHits {
  std::uint32_t possible;  ///< bit i: triangle i may touch
  bool certain;            ///< one of them certainly touches
};

/// State of a traversal that searches for one touching triangle.
struct ConvexTraversal {
  static constexpr std::uint32_t kUndecided = 32;  ///< a choice; where they fill up, the caller decides them and calls again
  struct Undecided {
    std::uint32_t block, bits;
  };
  const WideNode* nodes;
  const TriangleBlock* blocks;
  LocalConvexSet convex;
  QueryBox box;  ///< contains the convex set
  std::uint32_t undecided_count;
  std::int32_t top;
  Undecided undecided[kUndecided];       ///< undecided triangles
  std::uint64_t stack[kTraversalStack];  ///< as in near-inl.hpp; {0}: the root
};

enum class ConvexEvent { touches, full, done };

struct ConvexKernels {
  ConvexHits (*touch)(const TriangleBlock& block, std::uint32_t count, const LocalConvexSet& convex);
  /// Continues until a triangle certainly touches, there is no room for undecided triangles (the caller empties `undecided` and calls again), or the tree is
  /// done.
  ConvexEvent (*traversal)(ConvexTraversal& traversal);
};

/// Returns the kernels of the CPU level in force. Fetch once per query.
const ConvexKernels& convex_kernels();

}  // namespace graze
