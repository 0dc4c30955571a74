// Linear shapes are compared as bodies of triangles. Each round or curved one is compared with each shape: its inner points are connected, so they meet a
// triangle of a body, or all lie inside or outside.
#include "query/inner_points.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "convex/containment/curved_containment.hpp"
#include "convex/decide/decide.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "mesh/arrangement/flat_findings.hpp"
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

template <class S>
bool share(const S& smooth, const MeshView& view, bool solid) {
  const std::vector<std::uint32_t> touching = triangles_within(view, smooth);
  if (!is_flat(smooth) && std::any_of(touching.begin(), touching.end(), [&](std::uint32_t i) { return share(smooth, convex_triangle(view.triangle(i))); }))
    return true;
  if (!solid) return false;
  if (const auto seams = view.placed_seams(); seams && share(smooth, *seams, false)) return true;
  if (!is_flat(smooth)) return winding_number(view, {some_inner_point(smooth)}) != 0;
  if constexpr (std::is_same_v<S, Curved>)
    return findings_of_flat(smooth, {view, true}, touching).inner;
  else
    return false;
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
  if (const auto bodies = bodies_of(linear[0], linear[1])) return share_inner_points(bodies->a.body, bodies->b.body);
  // Both are unbounded: pairs of convex shapes, or of one and a body.
  for (const ShapeRef& s : linear[0])
    for (const ShapeRef& t : linear[1]) {
      if (has_convex_set(s) && has_convex_set(t)) {
        if (share(convex_set_of(s), convex_set_of(t))) return true;
      } else if (const auto bodies = bodies_of({&s, 1}, {&t, 1})) {
        if (share_inner_points(bodies->a.body, bodies->b.body)) return true;
      }
    }
  return false;
}

}  // namespace graze
