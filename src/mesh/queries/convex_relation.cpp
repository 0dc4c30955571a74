// The inner points of a convex set are connected. So a solid whose surface they do not meet contains all of them or none, and one of whose surface they meet
// contains them only if all of that surface are walls, with the solid on both sides.
#include "mesh/queries/convex_relation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "convex/closest.hpp"
#include "convex/containment.hpp"
#include "convex/decide.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/germs.hpp"
#include "mesh/queries/meeting_points.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/winding.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

bool contains_all(const ConvexSet& a, const MeshView& b) {
  for (std::uint32_t i = 0; i < b.mesh->triangles.size(); ++i)
    for (const Vec3& p : b.triangle(i).points)
      if (!within(convex_point(p), a)) return false;
  return true;
}

/// Whether a point of a beside the triangle, on either side of it, is not in the solid. Doubles propose the points; they count as they are.
bool leaves_beside(const ConvexSet& a, const MeshView& solid, const Triangle& t) {
  const Vec3 n = cross(minus(t.points[1], t.points[0]), minus(t.points[2], t.points[0]));
  const double area = length(n);
  const V3<Dyadic> inner = some_inner_point(a);
  const Vec3 middle(to_double(inner.x), to_double(inner.y), to_double(inner.z)), foot = closest(convex_point(middle), convex_triangle(t)).on_b;
  for (const double share : {0x1p-6, 0x1p-16}) {  // choices, of the triangle's size
    const Vec3 step = n * (share * std::sqrt(area) / area);
    for (const Vec3& p : {foot + step, foot - step})
      if (is_finite(p) && within(convex_point(p), a) && !solid_contains(solid, p)) return true;
  }
  return false;
}

/// Whether the solid has points on both sides of all of the triangle.
bool is_wall(const MeshView& solid, std::uint32_t number, const std::vector<TrianglePair>& self) {
  const Triangle t = solid.triangle(number);
  MeshData data;
  data.vertices.assign(t.points.begin(), t.points.end());
  data.triangles.push_back({0, 1, 2});
  const Mesh alone(std::move(data));
  MeetingPoints corners;  // of the faces into which others cut it
  for (const Vec3& p : t.points) corners.add(p);
  std::vector<Triangle> others;
  for (const TrianglePair& p : self) {
    if (p.a != number && p.b != number) continue;
    others.push_back(solid.triangle(p.a == number ? p.b : p.a));
    corners.add_meeting(t, others.back());
    for (const Vec3& q : others.back().points) corners.add(q);
    for (std::size_t k = 0; k + 1 < others.size(); ++k) corners.add_common(t, others[k], others.back());
  }
  const Body whole(solid, true), piece(MeshView(alone), false);
  const Germs germs(whole, piece);
  return std::none_of(corners.vertices.begin(), corners.vertices.end(), [&](const Vec3& v) { return germs.borders(v); }) &&
         std::none_of(corners.points.begin(), corners.points.end(), [&](const ExactPoint& v) { return germs.borders(v); });
}

/// Whether the solid contains a, some of whose inner points lie on the triangles `entered`, ascending; nothing if a part of one is a wall.
std::optional<bool> contains_beside_walls(const MeshView& solid, const ConvexSet& a, const std::vector<std::uint32_t>& entered) {
  if (!a.bounded()) return false;
  for (const std::uint32_t i : entered)
    if (leaves_beside(a, solid, solid.triangle(i))) return false;
  const auto is_entered = [&](std::uint32_t t) { return std::binary_search(entered.begin(), entered.end(), t); };
  const std::vector<TrianglePair> self = self_pairs(solid, [&](std::uint32_t s, std::uint32_t t) { return is_entered(s) || is_entered(t); });
  for (const std::uint32_t i : entered) {
    if (is_wall(solid, i, self)) continue;
    // A triangle that meets no other beyond edges and corners has one winding number on either side. Of others, part may be a wall.
    const auto of_pair = [&](const TrianglePair& p) { return p.a == i || p.b == i; };
    if (std::none_of(self.begin(), self.end(), of_pair)) return false;
    return std::nullopt;
  }
  return true;
}

}  // namespace

std::optional<Relation> relation_of(const ConvexSet& a, const SurfaceOrSolid& b) {
  if (b.surface.mesh->tree.empty()) return Relation::disjoint;
  std::vector<std::uint32_t> entered = triangles_within(b.surface, a);
  const bool touching = !entered.empty();
  std::erase_if(entered, [&](std::uint32_t i) { return !share_inner_points(a, convex_triangle(b.surface.triangle(i))); });
  bool a_in_b = false;
  if (b.solid && entered.empty()) a_in_b = a.bounded() && winds_around(b.surface, {some_inner_point(a)});
  if (b.solid && !entered.empty()) {
    const std::optional<bool> contained = contains_beside_walls(b.surface, a, entered);
    if (!contained) return std::nullopt;
    a_in_b = *contained;
  }
  if (!touching && !a_in_b) return Relation::disjoint;
  const bool b_in_a = contains_all(a, b.surface);
  if (a_in_b) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  return entered.empty() ? Relation::touching : Relation::overlapping;
}

}  // namespace graze
