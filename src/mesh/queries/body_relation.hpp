// The relation of two bodies of triangles: solids, or a solid and a surface.
#pragma once
#include <graze/query/relation.hpp>

#include "mesh/queries/germs.hpp"

namespace graze {

/// The relation of two sets that triangles bound or make up. Exact for any input: coplanar faces in any triangulation, overlapping shells, cavities, surfaces
/// that cross themselves, triangles without area. The surface of a solid must be closed.
Relation relation_of_bodies(const SurfaceOrSolid& a, const SurfaceOrSolid& b);

}  // namespace graze
