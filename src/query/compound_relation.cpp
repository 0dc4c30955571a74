// Compounds without round and curved children are bodies of triangles. For others the relations of pairs of children decide most: a child inside one other is
// inside, and one that meets a single other without being inside it leaves. What several children contain together is decided for bodies, or shown by a point.
#include "query/compound_relation.hpp"

#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query/closest.hpp>
#include <graze/query/intersects.hpp>
#include <string>
#include <vector>

#include "convex/containment/curved_containment.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "mesh/arrangement/convex_relation.hpp"
#include "parts/children.hpp"
#include "query/inner_points.hpp"
#include "query/loose_bounds.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

Box3 bounds_of(std::span<const ShapeRef> shapes) {
  Box3 box;
  for (const ShapeRef& s : shapes) box.add(loose_bounds(s));
  return box;
}

bool any_unbounded(std::span<const ShapeRef> shapes) {
  return std::any_of(shapes.begin(), shapes.end(), [](const ShapeRef& s) { return is_unbounded(s); });
}

class CompoundRelation {
 public:
  CompoundRelation(const ShapeRef& a, const ShapeRef& b) : a_(a), b_(b), children_{a_.all(), b_.all()}, pairs_(a_.size() * b_.size()) {}

  Relation operator()() {
    if (const auto bodies = bodies_of(a_.all(), b_.all())) return relation_of_bodies(bodies->a.body, bodies->b.body);
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = 0; j < b_.size(); ++j) {
        Relation& r = pairs_[i * b_.size() + j];
        r = relation(a_[i], b_[j]);
        met_ = met_ || r != Relation::disjoint;
      }
    if (!met_) return Relation::disjoint;
    const bool a_leaves = leaves(0), b_leaves = leaves(1);
    if (!a_leaves) return b_leaves ? Relation::a_in_b : Relation::identical;
    if (!b_leaves) return Relation::b_in_a;
    return inner_points_meet(a_, b_) ? Relation::overlapping : Relation::touching;
  }

 private:
  /// The relation of child i of `side` to child j of the other.
  Relation of_pair(int side, std::size_t i, std::size_t j) const { return side == 0 ? pairs_[i * b_.size() + j] : mirrored(pairs_[j * b_.size() + i]); }

  /// Whether a point of one of the compounds is not in the other.
  bool leaves(int side) const {
    std::vector<std::size_t> open;  // children of which only all others together could contain every point
    for (std::size_t i = 0; i < children_[side].size(); ++i) {
      std::vector<ShapeRef> met;
      bool contained = false;
      for (std::size_t j = 0; j < children_[1 - side].size() && !contained; ++j) {
        const Relation r = of_pair(side, i, j);
        contained = r == Relation::a_in_b || r == Relation::identical;
        if (r != Relation::disjoint) met.push_back(children_[1 - side][j]);
      }
      if (contained) continue;
      if (met.size() < 2 || (is_unbounded(children_[side][i]) && !any_unbounded(met)) || has_point_outside(children_[side][i], met)) return true;
      open.push_back(i);
    }
    return std::any_of(open.begin(), open.end(), [&](std::size_t i) { return leaves_union(side, i); });
  }

  bool leaves_union(int side, std::size_t i) const {
    const ShapeRef& child = children_[side][i];
    std::vector<ShapeRef> met;
    for (std::size_t j = 0; j < children_[1 - side].size(); ++j)
      if (of_pair(side, i, j) != Relation::disjoint) met.push_back(children_[1 - side][j]);
    if (const auto bodies = bodies_of({&child, 1}, met)) return findings_of_bodies(bodies->a.body, bodies->b.body).a_leaves_b;
    if (const std::optional<Relation> r = relation_of_volume(child, met)) return *r != Relation::a_in_b && *r != Relation::identical;
    throw Error(ErrorCode::unsupported_shape,
                "relation: child " + std::to_string(i) + " of the " + (side == 0 ? "first" : "second") + " shape, " + article_name(child.kind()) + ", meets " +
                    std::to_string(met.size()) +
                    " children of the other; must lie inside one of them or have a point that shows outside, unless all of them are linear");
  }

  /// Whether a point of the child in one of some directions is in none of the shapes. Doubles propose points; they count as they are.
  static bool has_point_outside(const ShapeRef& child, std::span<const ShapeRef> shapes) {
    Box3 box = loose_bounds(child);
    const bool bounded = is_finite(box.lo) && is_finite(box.hi);
    if (!bounded) box = {Vec3(-1, -1, -1), Vec3(1, 1, 1)};
    const Vec3 middle = closest(child, Point{box.lo * 0.5 + box.hi * 0.5}).on_a;
    for (double reach = 4; reach < (bounded ? 5 : 0x1p60); reach *= 0x1p10) {  // choices
      const Vec3 half = (box.hi * 0.5 - box.lo * 0.5) * reach;
      for (int k = 0; k < 27; ++k) {
        const int i = k % 3 - 1, j = k / 3 % 3 - 1, l = k / 9 - 1;
        const Vec3 far = middle + Vec3(i * half.x, j * half.y, l * half.z);
        if (!is_finite(far)) continue;
        const Vec3 end = closest(child, Point{far}).on_a;
        for (const double share : {0.0, 0x1p-30, 0x1p-10}) {  // from the end back to the middle, for ends that rounding put outside
          const Point p{end + (middle - end) * share};
          if (intersects(p, child) && std::none_of(shapes.begin(), shapes.end(), [&](const ShapeRef& s) { return intersects(p, s); })) return true;
        }
      }
    }
    return false;
  }

  Children a_, b_;
  std::span<const ShapeRef> children_[2];
  std::vector<Relation> pairs_;
  bool met_ = false;
};

}  // namespace

bool BodyPair::in_doubles() const {
  for (const Body* body : {&a.body, &b.body})
    for (const BodyPart& part : body->parts)
      if (!part.mesh) return false;
  return true;
}

std::optional<BodyPair> bodies_of(std::span<const ShapeRef> a, std::span<const ShapeRef> b) {
  const bool unbounded_a = any_unbounded(a), unbounded_b = any_unbounded(b);
  if (unbounded_a && unbounded_b) return std::nullopt;
  std::optional<ShapeBody> body_a = body_of(a, unbounded_a ? bounds_of(b) : Box3{});
  if (!body_a) return std::nullopt;
  std::optional<ShapeBody> body_b = body_of(b, unbounded_b ? bounds_of(a) : Box3{});
  if (!body_b) return std::nullopt;
  return BodyPair{std::move(*body_a), std::move(*body_b)};
}

std::optional<Relation> relation_of_volume(const ShapeRef& a, std::span<const ShapeRef> b) {
  std::optional<ConvexSet> convex;
  std::optional<Curved> curved;
  if (has_convex_set(a)) convex = convex_set_of(a);
  visit_shape(a, [&]<class S>(const S& s) {
    if constexpr (CurvedShape<S>) curved = curved_of(s, a.pose());
  });
  if (curved && curved->convex()) convex = *curved->convex();
  if (convex ? !has_volume(*convex) : !curved) return std::nullopt;
  const std::optional<ShapeBody> body = body_of(b, Box3{});
  if (!body || body->body.parts.size() != 1 || !body->body.parts[0].mesh) return std::nullopt;
  const SurfaceOrSolid other{*body->body.parts[0].mesh, body->body.parts[0].solid};
  return convex ? relation_of(*convex, other) : relation_of(*curved, other);
}

Relation relation_of_compounds(const ShapeRef& a, const ShapeRef& b) {
  if (is_surface(a) && is_surface(b)) return intersects(a, b) ? Relation::touching : Relation::disjoint;
  return CompoundRelation(a, b)();
}

}  // namespace graze
