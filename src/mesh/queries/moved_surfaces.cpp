// A pose whose translation is the sum in doubles finds the pairs of triangles that may touch; these are decided with exact sums.
#include "mesh/queries/moved_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/decide/curved_decide.hpp"
#include "convex/decide/decide.hpp"
#include "math/limits.hpp"
#include "mesh/queries/bodies.hpp"
#include "mesh/queries/surface_queries.hpp"

namespace graze {
namespace {

double largest_coordinate(const Box3& b) {
  double most = 0;
  for (int i = 0; i < 3; ++i) most = std::max({most, std::fabs(b.lo[i]), std::fabs(b.hi[i])});
  return most;
}

/// Whether a corner of a component of the surface, plus v, is in the solid.
bool contains_component(const MeshView& solid, const MeshView& surface, const Vec3& v) {
  const BodyPart part(solid, true);
  const auto& components = surface.mesh->component_triangles();
  return std::any_of(components.begin(), components.end(),
                     [&](std::uint32_t t) { return contains(part, ExactPoint{exact(surface.triangle(t).points[0]) + exact(v)}); });
}

}  // namespace

bool for_moved_pairs(const MeshView& a, const Vec3& v, const MeshView& b, const std::function<bool(const ConvexSet&, const ConvexSet&)>& f) {
  if (a.mesh->tree.empty() || b.mesh->tree.empty()) return false;
  Pose pose = a.pose ? *a.pose : Pose{};
  const double from = largest_coordinate(loose_bounds(a)), offset = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}),
               translation = std::max({std::fabs(pose.translation.x), std::fabs(pose.translation.y), std::fabs(pose.translation.z)});
  pose.translation += v;
  const MeshView moved_view(*a.mesh, &pose);
  // Each of the three roundings of a coordinate is off by 2^-53 of a number that is at most this sum; 2 for the length of the vector of errors.
  const double error = (from + offset + translation) * 0x1p-50 + 0x1p-1070;
  if (!(error <= kLargest)) return true;
  if (!within(moved_view, b, error)) return false;
  for (const TrianglePair& p : triangle_pairs(moved_view, b, error))
    if (f(moved(convex_triangle(a.triangle(p.a)), v), convex_triangle(b.triangle(p.b)))) return true;
  return false;
}

bool meets_moved(const SurfaceOrSolid& a, const Vec3& v, const SurfaceOrSolid& b) {
  if (a.surface.mesh->tree.empty() || b.surface.mesh->tree.empty()) return false;
  if (for_moved_pairs(a.surface, v, b.surface, [](const ConvexSet& s, const ConvexSet& t) { return within(s, t); })) return true;
  return (b.solid && contains_component(b.surface, a.surface, v)) || (a.solid && contains_component(a.surface, b.surface, -v));
}

}  // namespace graze
