// Exact test of a point against a triangle, and the crossings of a ray with a triangle for winding numbers.
#include "pairs/point_triangle.hpp"

#include <algorithm>

#include "exact/predicates.hpp"
#include "pairs/detail/flat.hpp"

namespace graze {
namespace {

/// The turn u, v, p in the (y, z) plane for p moved by (e, e^2) with e > 0 as small as needed; 0 only when u and v are equal there. orient2d = (v - u)_y (p -
/// u)_z - (v - u)_z (p - u)_y changes by -(v - u)_z e + (v - u)_y e^2.
int turn_at_moved_point(const Vec3& u, const Vec3& v, const Vec3& p) {
  const int s = orient2d(u, v, p, 0);
  if (s != 0) return s;
  if (u.z != v.z) return v.z < u.z ? 1 : -1;
  return v.y > u.y ? 1 : v.y < u.y ? -1 : 0;
}

}  // namespace

bool triangle_contains(const Triangle& triangle, const Vec3& point) {
  const auto& t = triangle.points;
  for (int k = 0; k < 3; ++k) {  // the bounding box first: it decides nearly all calls
    if (point[k] < std::min({t[0][k], t[1][k], t[2][k]}) || point[k] > std::max({t[0][k], t[1][k], t[2][k]})) return false;
  }
  if (orient3d(t[0], t[1], t[2], point) != 0) return false;
  const int drop = flat::drop_axis(t[0], t[1], t[2]);
  return drop >= 0 ? flat::planar_triangle_contains(triangle, drop, point) : flat::point_on_segment(point, flat::ends_of(triangle));
}

// Why the contributions sum to the winding number. Let p be off the closed surface S and p' = p + (0, e, e^2), e -> 0+. For e small enough the segment p p'
// misses S, so both have one winding number, and the ray from p' along +x meets no edge and no vertex of S (its (y, z) lies on no line through two different
// projected vertices: such a line contains (e, e^2) + const for finitely many e only). So the winding number is the signed count of triangles whose projection
// contains p'_yz and whose plane lies beyond p' there: +1 where the normal points along +x, where a ray from the inside comes out.
// - The turn of p' about a directed edge is never 0 unless the edge projects to a point, and exactly changes sign with the edge's direction, so two triangles
// at an edge agree about its side: neither gap nor overlap.
// - p'_yz is inside a projected triangle exactly when the three turns are equal and non-zero. A triangle that projects to a segment or point (vertical, or
// without area) never contains p'_yz; then its directed edges lie on one line and sum to zero (so not all turns are equal), or one of them has turn 0: the
// contribution is 0.
// - Beyond: with turns s the normal's x has sign s, and p' lies before the plane when orient3d(p') = -s. For p in place of p' the sign is the same, because it
// is not 0: if p were in the plane, its projection, a limit of points in the projected triangle, would be in the closed one, so p would be on the triangle.
int winding_crossing(const Triangle& triangle, const Vec3& point) {
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2];
  if (std::max({a.y, b.y, c.y}) < point.y || std::min({a.y, b.y, c.y}) > point.y || std::max({a.z, b.z, c.z}) < point.z ||
      std::min({a.z, b.z, c.z}) > point.z || std::max({a.x, b.x, c.x}) < point.x)
    return 0;
  const int s = turn_at_moved_point(a, b, point);
  if (s == 0 || turn_at_moved_point(b, c, point) != s || turn_at_moved_point(c, a, point) != s) return 0;
  return orient3d(a, b, c, point) == -s ? s : 0;
}

}  // namespace graze
