// relation() of curved shapes: a shape without curvature becomes a segment or sphere and keeps its exact answers, others go to the containment of convex and
// curved sets, or through the triangles of a body.
#include "query/curved_relation.hpp"

#include <cstdint>
#include <graze/error.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "convex/curved_containment.hpp"
#include "mesh/queries/convex_relation.hpp"
#include "parts/parts.hpp"
#include "platform/expects.hpp"

namespace graze {
namespace {

std::optional<Curved> curved_of(const ShapeRef& s) {
  std::optional<Curved> c;
  visit_shape(s, [&]<class S>(const S& shape) {
    if constexpr (form_of<S>() == Form::curved) c = graze::curved_of(shape, s.pose());
  });
  return c;
}

/// A curved shape without curvature: a segment or a ball.
AnyShape plain_shape(const ConvexSet& c) {
  if (c.radius > 0) return Sphere{c.base(0), c.radius};
  Segment s{c.base(0), c.base(c.points - 1)};
  if (c.segments > 0) {
    s.a = c.base(0) + c.lo[0] * c.segment[0];
    s.b = c.base(0) + c.hi[0] * c.segment[0];
    const V3<Dyadic> middle = exact(c.base(0)), half = Dyadic(c.hi[0]) * exact(c.segment[0]);
    if (!is_zero(exact(s.a) - (middle - half)) || !is_zero(exact(s.b) - (middle + half)))
      throw Error(ErrorCode::unsupported_shape, "relation: an ellipsoid with one positive radius, must have ends that are doubles");
  }
  return s;
}

template <class B>
Relation relation_of_sets(const Curved& a, const B& b) {
  if (!within(a, b)) return Relation::disjoint;
  const bool a_in_b = is_subset(a, b), b_in_a = is_subset(b, a);
  if (a_in_b) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  return share_inner_points(a, b) ? Relation::overlapping : Relation::touching;
}

Mesh fan_mesh(const Polygon& polygon, const Pose* pose) {
  MeshData data;
  for (const Vec3& p : polygon.points()) data.vertices.push_back(placed_point(p, pose));
  for (std::uint32_t i = 2; i < data.vertices.size(); ++i) data.triangles.push_back({0, i - 1, i});
  return Mesh(std::move(data));
}

}  // namespace

Relation relation_of_curved(const ShapeRef& a, const ShapeRef& b) {
  const std::optional<Curved> curved = curved_of(a);
  GRAZE_EXPECTS(curved.has_value());
  if (curved->convex()) return relation(plain_shape(*curved->convex()), b);
  if (const std::optional<Curved> other = curved_of(b)) {
    if (other->convex()) return relation(a, plain_shape(*other->convex()));
    return relation_of_sets(*curved, *other);
  }
  if (has_convex_set(b)) return relation_of_sets(*curved, convex_set_of(b));
  if (const std::optional<MeshView> surface = surface_of(b)) return relation_of(*curved, {*surface, b.get<Solid>() != nullptr});
  if (const Polygon* polygon = b.get<Polygon>()) {
    const Mesh fan = fan_mesh(*polygon, b.pose());
    return relation_of(*curved, {MeshView(fan), false});
  }
  throw Error(ErrorCode::unsupported_shape, "relation: a curved shape must not be paired with a compound");
}

}  // namespace graze
