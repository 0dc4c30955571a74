// Classifies shapes against a plane or a frustum, and computes signed distances.
#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query/classify.hpp>
#include <optional>
#include <type_traits>
#include <vector>

#include "convex/containment.hpp"
#include "convex/penetration.hpp"
#include "math/limits.hpp"
#include "parts/parts.hpp"
#include "platform/expects.hpp"
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
  for (std::uint32_t i = 0; i < part.mesh->triangles.size(); ++i)
    if (!inside(convex_triangle(part.triangle(i)), hull)) return false;
  return true;
}
bool inside(const SolidView& part, const Hull& hull) { return inside(part.surface, hull); }

/// Distance of a point from the boundary of a convex set without radius that contains it: of all of it, if it is flat.
double depth_in(const ConvexSet& point, const ConvexSet& solid) {
  const ConvexFaces faces(solid);
  if (faces.dimension() < 3) return 0;
  double depth = kInfinity;
  faces.for_each([&](const ConvexSet& face) {
    depth = std::min(depth, closest(point, face).distance);
    return true;
  });
  return depth;
}

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

double signed_distance(const Vec3& p, ShapeRef solid) {
  const DefaultFloatEnvironment guard;
  const Point point{p};
  if (const Plane* plane = solid.get<Plane>())
    return classify(point, Plane{placed_point(plane->point, solid.pose()), placed_direction(plane->normal, solid.pose())}).distance;
  if (const Solid* s = solid.get<Solid>()) return signed_distance(p, SolidView{MeshView(s->mesh(), solid.pose())});
  const double outside = closest(point, solid).distance;
  if (outside > 0) return outside;
  const ConvexSet at = convex_point(p);
  double depth = 0;
  visit_shape(solid, [&]<class S>(const S& s) {
    if constexpr (std::is_same_v<S, HalfSpace>) {
      depth = closest(point, Plane{placed_point(s.point, solid.pose()), placed_direction(s.normal, solid.pose())}).distance;
    } else if constexpr (form_of<S>() == Form::convex) {
      const ConvexSet convex = convex_set_of(s, solid.pose());
      depth = convex.radius > 0 ? -signed_gap(at, convex) : depth_in(at, convex);
    } else if constexpr (form_of<S>() == Form::curved) {
      const Curved curved = curved_of(s, solid.pose());
      if (curved.convex()) {
        const ConvexPenetration q = penetration(at, curved);
        depth = q.found ? q.depth : 0;
      } else {
        depth = depth_in(curved, p);
      }
    } else if constexpr (form_of<S>() == Form::compound) {
      for_each_child(s, solid.pose(), [&](std::size_t, ShapeRef child) {
        depth = std::max(depth, -signed_distance(p, child));
        return true;
      });
    }
  });
  return depth > 0 ? -depth : 0;
}

}  // namespace graze
