// Classifies shapes against a plane or a frustum.
#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query/classify.hpp>
#include <optional>
#include <type_traits>
#include <vector>

#include "convex/containment/containment.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

bool inside(const ConvexSet& part, const Hull& hull) { return is_subset(part, convex_set_of(hull, nullptr)); }

bool inside(const Curved& part, const Hull& hull) {
  if (hull.dimension() < 3 || !within(convex_point(part.point()), convex_set_of(hull, nullptr))) return false;
  for (const auto& t : hull.triangles()) {
    const Triangle face{{hull.points()[t[0]], hull.points()[t[1]], hull.points()[t[2]]}};
    if (within(part, convex_set_of(face, nullptr))) return false;
  }
  return true;
}

bool inside(const MeshView& part, const Hull& hull) {
  part.mesh->complete();
  for (std::uint32_t i = 0; i < part.mesh->triangles.size(); ++i)
    if (!inside(convex_triangle(part.triangle(i)), hull)) return false;
  return true;
}
bool inside(const SolidView& part, const Hull& hull) { return inside(part.surface, hull); }

}  // namespace

Classification classify(ShapeRef shape, const Plane& plane) {
  const DefaultFloatEnvironment guard;
  Classification r;
  const bool in_front = !intersects(shape, HalfSpace{plane.point, plane.normal}),
             behind = !in_front && !intersects(shape, HalfSpace{plane.point, -plane.normal});
  r.side = in_front ? Side::front : behind ? Side::behind : Side::intersects;  // neither: the shape meets the plane, or has parts on both sides
  if (const Sphere* s = shape.get<Sphere>()) {  // the distance is that of the centre, which may lie on either side while the sphere meets the plane
    const Point center{placed_point(s->center, shape.pose())};
    r.distance = closest(center, plane).distance;
    if (intersects(center, HalfSpace{plane.point, plane.normal}) && r.distance > 0) r.distance = -r.distance;
  } else if (in_front || behind || !intersects(shape, plane)) {
    const Closest c = closest(shape, plane);
    const bool nearest_behind = behind || (!in_front && intersects(Point{c.on_a}, HalfSpace{plane.point, plane.normal}));
    r.distance = nearest_behind ? -c.distance : c.distance;
  }
  return r;
}

Visibility classify(ShapeRef shape, const Frustum& frustum) {
  const DefaultFloatEnvironment guard;
  if (!intersects(shape, frustum)) return Visibility::outside;
  bool all = true;
  visit_shape(shape, [&](const auto& s) { all = for_each_part(s, shape.pose(), [&](const auto& part) { return inside(part, frustum.hull()); }); });
  return all ? Visibility::inside : Visibility::crossing;
}

}  // namespace graze
