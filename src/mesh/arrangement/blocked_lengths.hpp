// The lengths of a translation in a given direction at which one surface crosses another, in doubles: proposals for where they come apart.
#pragma once
#include <span>
#include <vector>

#include "math/box3.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// The placed triangles of a surface.
std::vector<Triangle> placed_triangles(const MeshView& view);

/// Lengths in (0, most] along the unit vector u after which `a` may be clear of `b`, ascending, each up to rounding: where triangles of `a`, moved so far, end
/// to cross those of `b`, and between crossings where triangles end to slide along others. None where crossings reach to `most`.
///
/// For each pair of triangles whose boxes meet seen along u, the length is an interval: that between the separating axes of both triangles, as in
/// D. Eberly, Geometric Tools, Intersection of Convex Objects: The Method of Separating Axes.
std::vector<double> gaps_along(const Vec3& u, std::span<const Triangle> a, std::span<const Triangle> b, double most);

}  // namespace graze
