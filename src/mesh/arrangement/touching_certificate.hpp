// A proof, from the triangles that touch alone, that two solids share no inner point.
#pragma once
#include <graze/query/mesh_triangles.hpp>
#include <vector>

#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Returns true only if two solids whose surfaces touch have no inner point in common and neither contains the other. Most solids that only touch are of this
/// kind; false decides nothing.
///
/// `touching` is all pairs of triangles that touch; they take most of the time. The proof is in docs/derivations/touching.md.
bool only_touch(const MeshView& a, const MeshView& b, const std::vector<TrianglePair>& touching);

}  // namespace graze
