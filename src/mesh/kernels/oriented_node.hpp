// Oriented boxes of the children of a tree's node, for distances of two surfaces: they fit a surface's patches more closely than boxes along the axes do, above
// all where patches of two turned surfaces face each other. Plain data only, since kernels are compiled once per CPU level.
#pragma once
#include "bvh/wide_node.hpp"

namespace graze {

/// Boxes of up to 8 children, in the tree's own coordinates. For each corner p, in floats, of the triangles below child s, and each axis k: |axis_k (p -
/// center)|
/// + 2^-16 m <= half_k, where m is the largest half size. The third axis is the cross product of the two others. With any orthonormal directions near the axes
/// their matrix A has |A^T A - 1| <= 16 * 2^-24. |center| is below 3.1, half sizes are below 4. Slots from `used` of the tree's node on hold boxes of size 0.
struct alignas(64) OrientedNode {
  float center[3][kWidth];
  float axis[2][3][kWidth];  ///< [k][i]: component i of axis k
  float half[3][kWidth];
};
static_assert(sizeof(OrientedNode) == 384);

}  // namespace graze
