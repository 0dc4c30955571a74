// Fits an oriented box to the triangles below each node of a mesh's tree.
#pragma once
#include "bvh/wide_bvh.hpp"
#include "mesh/kernels/oriented_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// Returns the boxes of each node's children, by the node's number. O(n).
LargeArray<OrientedNode> oriented_boxes(const WideBvh& tree, const LargeArray<TriangleBlock>& blocks);

}  // namespace graze
