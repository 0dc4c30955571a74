// The relation of a convex set that has volume, or a curved shape, and a body of triangles.
#pragma once
#include <graze/query/relation.hpp>
#include <optional>

#include "convex/curved.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// The relation of `a`, which has inner points, and `b`, exactly; a may be round or without bounds. Returns nothing in one rare case: a lies across a triangle
/// of which only a part is inside the solid, and no point of a outside the solid shows.
std::optional<Relation> relation_of(const ConvexSet& a, const SurfaceOrSolid& b);

/// The same for a shape that is curved, within the bounds of curved_containment.hpp. Throws where a shape that is flat, or thinner than 2^-40 of its
/// extent, meets the surface of a solid in more than a clear crossing, or where a flat one meets several triangles of a mesh in its plane.
std::optional<Relation> relation_of(const Curved& a, const SurfaceOrSolid& b);

}  // namespace graze
