// Counts the crossings of a ray along an axis with the triangles of a tree, for winding numbers.
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A ray along an axis in a tree's coordinates, and how far the traversal is.
struct CrossingSearch {
  static constexpr std::uint32_t kRoom = 64;  ///< a choice, at least those of a node; where it fills up, the caller decides them and calls again
  const WideNode* nodes;
  const TriangleBlock* blocks;
  QueryBox box;             ///< contains the ray
  double at[3];             ///< where it starts, off by at most `error` in each coordinate relative to corners
  double error;             ///< at most 2^-20
  std::uint32_t axis;       ///< 0 to 2
  bool down;                ///< towards lower coordinates
  std::int32_t winding;     ///< certain crossings: +1 where the ray leaves by a triangle's front, -1 where it enters
  std::uint32_t undecided;  ///< number of triangles that may contain the start, or whose crossing is not certain
  BlockPlace place[kRoom];
  std::int32_t top;
  std::uint32_t stack[kTraversalStack];  ///< nodes
};

struct CrossingKernels {
  /// Starts at the root.
  void (*start)(CrossingSearch& search);
  /// Continues until the traversal is done (true), or until undecided triangles fill the room (false; reset `undecided` and call again).
  bool (*search)(CrossingSearch& search);
};

const CrossingKernels& crossing_kernels();

}  // namespace graze
