// The relation of a convex set that has volume and a body of triangles.
#pragma once
#include <graze/query/relation.hpp>
#include <optional>

#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// The relation of `a`, which has inner points, and `b`, exactly; a may be round or without bounds. Returns nothing in one rare case: a lies across a triangle
/// of which only a part is inside the solid, and no point of a outside the solid shows.
std::optional<Relation> relation_of(const ConvexSet& a, const SurfaceOrSolid& b);

}  // namespace graze
