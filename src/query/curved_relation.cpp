// relation() of curved shapes: a shape without curvature keeps the exact answers of its convex set, others go to the containment of convex and curved sets, or
// through the triangles of a body.
#include "query/curved_relation.hpp"

#include <optional>

#include "convex/containment/curved_containment.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "parts/parts.hpp"
#include "platform/expects.hpp"
#include "query/compound_relation.hpp"

namespace graze {
namespace {

std::optional<Curved> curved_of(const ShapeRef& s) {
  std::optional<Curved> c;
  visit_shape(s, [&]<class S>(const S& shape) {
    if constexpr (form_of<S>() == Form::curved) c = graze::curved_of(shape, s.pose());
  });
  return c;
}

template <class A, class B>
Relation relation_of_sets(const A& a, const B& b) {
  if (!within(a, b)) return Relation::disjoint;
  const bool a_in_b = is_subset(a, b), b_in_a = is_subset(b, a);
  if (a_in_b) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  return share_inner_points(a, b) ? Relation::overlapping : Relation::touching;
}

/// The relation to a shape that is convex; nothing if it is not.
template <class A>
std::optional<Relation> relation_to_convex(const A& a, const ShapeRef& b) {
  if (has_convex_set(b)) return relation_of_sets(a, convex_set_of(b));
  const std::optional<Curved> other = curved_of(b);
  if (!other) return std::nullopt;
  return other->convex() ? relation_of_sets(a, *other->convex()) : relation_of_sets(a, *other);
}

}  // namespace

Relation relation_of_curved(const ShapeRef& a, const ShapeRef& b) {
  const std::optional<Curved> curved = curved_of(a);
  GRAZE_EXPECTS(curved.has_value());
  if (const auto r = curved->convex() ? relation_to_convex(*curved->convex(), b) : relation_to_convex(*curved, b)) return *r;
  if (const std::optional<BodyPair> bodies = bodies_of({&a, 1}, {&b, 1})) return relation_of_bodies(bodies->a.body, bodies->b.body);
  const std::optional<Relation> r = relation_of_volume(a, {&b, 1});
  GRAZE_EXPECTS(r.has_value());
  return *r;
}

}  // namespace graze
