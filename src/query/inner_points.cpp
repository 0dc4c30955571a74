// Linear shapes are compared as bodies of triangles. Each round or curved one is compared with each shape: its inner points are connected, so they meet a
// triangle of a body, or all lie inside or outside.
#include "query/inner_points.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "convex/curved_containment.hpp"
#include "convex/decide.hpp"
#include "convex/penetration.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/body_relation.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "parts/body_of_shape.hpp"
#include "parts/part_list.hpp"
#include "query/compound_relation.hpp"

namespace graze {
namespace {

/// A round or curved shape.
using Smooth = std::variant<ConvexSet, Curved>;

std::optional<Smooth> smooth_shape(const ShapeRef& s) {
  const PartList parts(s);
  if (parts.size() != 1) return std::nullopt;
  if (const ConvexSet* c = std::get_if<ConvexSet>(&parts[0].part)) return c->radius > 0 ? std::optional<Smooth>(*c) : std::nullopt;
  if (const Curved* c = std::get_if<Curved>(&parts[0].part)) {
    if (!c->convex()) return *c;
    if (c->convex()->radius > 0) return *c->convex();
  }
  return std::nullopt;
}

bool is_flat(const ConvexSet& c) { return !has_volume(c); }
bool is_flat(const Curved& c) { return c.convex() ? is_flat(*c.convex()) : !has_volume(c); }

template <class A, class B>
bool share(const A& a, const B& b) {
  return !(is_flat(a) && is_flat(b)) && within(a, b) && share_inner_points(a, b);
}

/// Whether a disc that no triangle crosses has a point inside the solid: its middle, or a place where the triangles in its plane are cut.
bool reaches_inside(const Curved& disc, const MeshView& solid, const std::vector<std::uint32_t>& touching) {
  const Ends ends = disc.ends();
  const V3<Dyadic> middle = Dyadic(0.5) * (exact(ends.a) + exact(ends.b)), normal = disc.visit([](const auto&kind) { return kind.flat_normal(); });
  ShapeBody plane;
  Box3 around = loose_bounds(solid);
  around.add(box_of(ExactPoint{middle}));
  plane.body.parts.push_back(exact_plane(middle, normal, around));
  const Body body(solid, true);
  const Germs germs(plane.body, body);
  Findings found;
  const auto examine = [&](const V3<Dyadic>& p) {
    const Vec3 rounded(to_double(p.x), to_double(p.y), to_double(p.z));
    if (!found.inner && within(disc, convex_point(rounded))) germs.examine(ExactPoint{p}, found);
  };
  if (contains(body, ExactPoint{middle}) && !is_on_surface(solid, {middle})) return true;
  examine(middle);
  const Vec3 center(to_double(middle.x), to_double(middle.y), to_double(middle.z));
  for (const std::uint32_t i : touching) {
    const Triangle t = solid.triangle(i);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &p = t.points[k], &q = t.points[(k + 1) % 3], edge = q - p;
      examine(exact(p));
      // The point of the edge next to the middle; any point of it within the disc would do.
      const double along = dot(center - p, edge) / dot(edge, edge);
      if (along > 0 && along < 1) examine(exact(p) + Dyadic(along) * (exact(q) - exact(p)));
    }
  }
  return found.inner;
}

template <class S>
bool share(const S& smooth, const MeshView& view, bool solid) {
  const std::vector<std::uint32_t> touching = triangles_within(view, smooth);
  if (!is_flat(smooth) && std::any_of(touching.begin(), touching.end(), [&](std::uint32_t i) { return share(smooth, convex_triangle(view.triangle(i))); }))
    return true;
  if (!solid) return false;
  if (!is_flat(smooth)) return winding_number(view, {some_inner_point(smooth)}) != 0;
  if constexpr (std::is_same_v<S, Curved>) {
    for (const std::uint32_t i : touching)
      if (penetration(Operand(smooth), Operand(convex_triangle(view.triangle(i)))).found) return true;
    return reaches_inside(smooth, view, touching);
  } else {
    return false;
  }
}

/// Whether a round or curved shape and another share inner points.
bool shares(const Smooth& smooth, const ShapeRef& other) {
  const PartList parts(other);
  return std::any_of(parts.begin(), parts.end(), [&](const ListedPart& part) {
    return std::visit(
        []<class S, class P>(const S& s, const P& p) {
          if constexpr (std::is_same_v<P, MeshView>)
            return share(s, p, false);
          else if constexpr (std::is_same_v<P, SolidView>)
            return share(s, p.surface, true);
          else
            return share(s, p);
        },
        smooth, part.part);
  });
}

}  // namespace

bool inner_points_meet(const Children& a, const Children& b) {
  std::vector<ShapeRef> linear[2];
  std::vector<Smooth> smooth[2];
  for (int side = 0; side < 2; ++side)
    for (const ShapeRef& s : side == 0 ? a.all() : b.all()) {
      if (const std::optional<Smooth> round = smooth_shape(s))
        smooth[side].push_back(*round);
      else
        linear[side].push_back(s);
    }
  for (const Smooth& s : smooth[0])
    for (const ShapeRef& other : b.all())
      if (shares(s, other)) return true;
  for (const Smooth& s : smooth[1])
    for (const ShapeRef& other : linear[0])
      if (shares(s, other)) return true;
  if (linear[0].empty() || linear[1].empty()) return false;
  if (const auto bodies = bodies_of(linear[0], linear[1])) return findings_of_bodies(bodies->a.body, bodies->b.body).inner;
  // Both are unbounded: pairs of convex shapes, or of one and a body.
  for (const ShapeRef& s : linear[0])
    for (const ShapeRef& t : linear[1]) {
      if (has_convex_set(s) && has_convex_set(t)) {
        if (share(convex_set_of(s), convex_set_of(t))) return true;
      } else if (const auto bodies = bodies_of({&s, 1}, {&t, 1})) {
        if (findings_of_bodies(bodies->a.body, bodies->b.body).inner) return true;
      }
    }
  return false;
}

}  // namespace graze
