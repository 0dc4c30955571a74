// The boxes of a mesh's tree, for drawing.
#pragma once
#include <graze/mesh/mesh.hpp>
#include <graze/shapes/box.hpp>
#include <vector>

namespace graze {

/// Returns the boxes of the mesh's tree `level` steps below its root, for display. O(n).
///
/// Level 0 is one box that contains all triangles. A leaf above the level is included as it is, so a level deeper than the tree gives the boxes of all leaves.
/// Each box is exactly the bounds of the triangles below its node, and every triangle lies below exactly one of them. Empty for the empty mesh.
[[nodiscard]] std::vector<Box> tree_boxes(const Mesh& mesh, unsigned level);

}  // namespace graze
