// Whether two surfaces consist of the same triangles, in whatever order.
#pragma once
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Returns true only if each triangle of one surface, with its corners in their order from any of them on, is a triangle of the other as often; or each is one
/// of the other when all of that are turned over. Surfaces with different boxes cost no more than these.
bool equal_surfaces(const MeshView& a, const MeshView& b);

}  // namespace graze
