// The relation of a convex set that has volume, or a curved shape, and a body of triangles.
#pragma once
#include <graze/query/relation.hpp>
#include <optional>

#include "convex/decide/curved_decide.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// The relation of `a`, which has inner points, and `b`, exactly; a may be round or without bounds. Returns nothing where a is a polytope and lies across a
/// triangle of a solid that meets others, so that a part of it may be inside.
std::optional<Relation> relation_of(const ConvexSet& a, const SurfaceOrSolid& b);

/// The same for a shape that is curved, within the bounds of curved_containment.hpp.
Relation relation_of(const Curved& a, const SurfaceOrSolid& b);

}  // namespace graze
