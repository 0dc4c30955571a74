// relation(): convex sets by their corners, bodies of triangles by the germs of their surfaces, compounds by their children.
#include <graze/query/intersects.hpp>
#include <graze/query/relation.hpp>
#include <optional>

#include "convex/containment/containment.hpp"
#include "convex/decide/decide.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "parts/parts.hpp"
#include "parts/table.hpp"
#include "platform/expects.hpp"
#include "platform/fp_environment.hpp"
#include "platform/progress_meter.hpp"
#include "query/compound_relation.hpp"
#include "query/curved_relation.hpp"

namespace graze {

namespace {

template <class S>
constexpr bool is_convex_form = form_of<S>() == Form::convex;

Relation relation_of_convex(const ConvexSet& a, const ConvexSet& b) {
  if (!within(a, b)) return Relation::disjoint;
  const bool a_in_b = is_subset(a, b), b_in_a = is_subset(b, a);
  if (a_in_b) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  return share_inner_points(a, b) ? Relation::overlapping : Relation::touching;
}

template <class A, class B>
struct RelationCell {
  static Relation call(const ShapeRef& a, const ShapeRef& b, [[maybe_unused]] ProgressMeter& meter) {
    if constexpr (form_of<A>() == Form::compound || form_of<B>() == Form::compound) {
      return relation_of_compounds(a, b);
    } else if constexpr (is_convex_form<A> && is_convex_form<B>) {
      if (is_surface(a) && is_surface(b)) return intersects(a, b) ? Relation::touching : Relation::disjoint;
      return relation_of_convex(convex_set_of(a), convex_set_of(b));
    } else if constexpr (CurvedShape<A>) {
      return relation_of_curved(a, b);
    } else if constexpr (CurvedShape<B>) {
      return mirrored(relation_of_curved(b, a));
    } else {
      if (is_surface(a) && is_surface(b)) return intersects(a, b) ? Relation::touching : Relation::disjoint;
      const std::optional<BodyPair> bodies = bodies_of({&a, 1}, {&b, 1});
      if (bodies && bodies->in_doubles()) return relation_of_bodies(bodies->a.body, bodies->b.body, meter);
      if (const std::optional<Relation> r = relation_of_volume(a, {&b, 1})) return *r;
      if (const std::optional<Relation> r = relation_of_volume(b, {&a, 1})) return mirrored(*r);
      GRAZE_EXPECTS(bodies.has_value());
      return relation_of_bodies(bodies->a.body, bodies->b.body);
    }
  }
};

constexpr auto kRelationTable = make_pair_table<Relation (*)(const ShapeRef&, const ShapeRef&, ProgressMeter&), RelationCell, true>();

}  // namespace

Relation relation(ShapeRef a, ShapeRef b, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(progress);
  meter.begin(1);
  return kRelationTable[place(a.kind()) * kKinds + place(b.kind())](a, b, meter);
}

const char* name_of(Relation r) {
  constexpr const char* names[] = {"disjoint", "touching", "overlapping", "a_in_b", "b_in_a", "identical"};
  return names[static_cast<int>(r)];
}

}  // namespace graze
