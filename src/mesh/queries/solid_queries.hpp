// Queries of solids: the surface and all points of nonzero winding number.
#pragma once
#include <optional>
#include <vector>

#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Tests whether the point is on the surface or has a winding number other than zero.
bool solid_contains(const MeshView& solid, const Vec3& point);

/// Tests whether the convex set lies inside the solid. Requires that it does not meet the surface.
bool solid_encloses(const MeshView& solid, const ConvexSet& convex);
/// Returns a vertex of a component of `surface` that lies inside the solid, the first found in the order of components. Requires that the surfaces do not meet.
std::optional<Vec3> enclosed_vertex(const MeshView& solid, const MeshView& surface);

/// The placed corners of a solid that is their hull; none where it is not, or has so many that telling would take long.
std::vector<Vec3> corners_if_convex(const MeshView& solid);

}  // namespace graze
