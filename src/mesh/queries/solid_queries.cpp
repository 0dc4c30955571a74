// Queries of solids: the surface and all points of nonzero winding number.
#include "mesh/queries/solid_queries.hpp"

#include <cstdint>

#include "convex/convex_set_bounds.hpp"
#include "math/limits.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "mesh/queries/winding.hpp"
#include "pairs/point_triangle.hpp"

namespace graze {

using namespace leaf;

bool solid_contains(const MeshView& solid, const Vec3& point) {
  // Only triangles that the ray from the point towards +x may meet have crossings or contain the point.
  int winding = 0;
  LocalRay ray(placed_tree(solid), {point, Vec3(1, 0, 0)});
  const bool on_surface = for_each_along(solid.mesh->tree, ray, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle t = triangle_at(solid, k);
      if (triangle_contains(t, point)) return true;
      winding += winding_crossing(t, point);
    }
    return false;
  });
  return on_surface || winding != 0;
}

namespace {

/// Returns an exact point of the convex set: the first base point plus, for each segment, the multiple 0 if it is allowed, else the end nearest to 0.
V3<Dyadic> exact_point(const ConvexSet& convex) {
  V3<Dyadic> p = exact(convex.base(0));
  for (std::uint32_t k = 0; k < convex.segments; ++k) {
    const double s = convex.lo[k] > 0 ? convex.lo[k] : convex.hi[k] < 0 ? convex.hi[k] : 0;
    p = p + Dyadic(s) * exact(convex.segment[k]);
  }
  return p;
}

}  // namespace

bool solid_encloses(const MeshView& solid, const ConvexSet& convex) {
  if (!convex.bounded() || solid.mesh->tree.empty()) return false;
  const Box3 box = bounds(convex);
  if (!box.overlaps(loose_bounds(solid))) return false;
  const V3<Dyadic> inside = exact_point(convex);
  const Vec3 rounded(to_double(inside[0]), to_double(inside[1]), to_double(inside[2]));
  if (within(convex_point(rounded), convex)) return solid_contains(solid, rounded);
  return winding_number(solid, {inside}) != 0;  // a convex set so thin that the rounded point lies outside it
}

std::optional<Vec3> enclosed_vertex(const MeshView& solid, const MeshView& surface) {
  if (solid.mesh->tree.empty() || surface.mesh->tree.empty() || !loose_bounds(solid).overlaps(loose_bounds(surface))) return std::nullopt;
  for (std::uint32_t t : surface.mesh->component_triangles()) {
    const Vec3 v = surface.triangle(t).points[0];
    if (solid_contains(solid, v)) return v;
  }
  return std::nullopt;
}

}  // namespace graze
