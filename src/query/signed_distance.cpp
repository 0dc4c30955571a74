// Computes signed distances.
#include "query/signed_distance.hpp"

#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query/classify.hpp>
#include <graze/query/closest.hpp>
#include <string>
#include <type_traits>

#include "convex/containment/containment.hpp"
#include "convex/depth/penetration.hpp"
#include "math/limits.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

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

void require_inside(ShapeRef shape, const std::string& place) {
  if (shape.kind() != Kind::mesh && shape.kind() != Kind::height_field) return;
  throw Error(ErrorCode::unsupported_shape, "signed_distance: " + place + " is a " + (shape.kind() == Kind::mesh ? "mesh" : "height field") +
                                                ", a surface without an inside; solid(mesh) makes a Solid of a closed mesh, closest() returns the distance");
}

}  // namespace

void require_signed_distance(ShapeRef shape) {
  require_inside(shape, "the shape");
  const Compound* compound = shape.get<Compound>();
  if (compound == nullptr) return;
  for_each_child(*compound, nullptr, [](std::size_t i, ShapeRef child) {
    require_inside(child, "child " + std::to_string(i) + " of the compound");
    return true;
  });
}

double signed_distance(const Vec3& p, ShapeRef solid) {
  const DefaultFloatEnvironment guard;
  require_signed_distance(solid);
  const Point point{p};
  if (const Plane* plane = solid.get<Plane>())
    return classify(point, Plane{placed_point(plane->point, solid.pose()), placed_direction(plane->normal, solid.pose())}).distance;
  if (const Solid* s = solid.get<Solid>()) return signed_distance(p, SolidView{MeshView(*s, solid.pose())});
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
