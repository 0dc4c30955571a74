// Exact planar and collinear tests from signs of orient2d, orient3d and comparisons of coordinates.
#include "pairs/detail/flat.hpp"

#include <cmath>

#include "exact/predicates.hpp"
#include "math/vec3.hpp"
#include "platform/expects.hpp"

namespace graze::flat {

int drop_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  const double n[3] = {std::fabs(uy * vz - uz * vy), std::fabs(uz * vx - ux * vz), std::fabs(ux * vy - uy * vx)};
  int first = 0;  // any order is correct; starting with the largest lets the filter decide
  if (n[1] > n[first]) first = 1;
  if (n[2] > n[first]) first = 2;
  for (int k = 0; k < 3; ++k) {
    const int drop = (first + k) % 3;
    if (orient2d(a, b, c, drop) != 0) return drop;
  }
  return -1;
}

Ends ends_of(const Triangle& degenerate) {
  const auto& p = degenerate.points;
  Ends r{p[0], p[0]};
  for (int i = 1; i < 3; ++i) {
    if (less(p[i], r.p)) r.p = p[i];
    if (less(r.q, p[i])) r.q = p[i];
  }
  return r;
}

namespace {

Ends ordered(const Ends& s) { return less(s.q, s.p) ? Ends{s.q, s.p} : s; }

/// For collinear segments with ends in lexicographic order.
bool overlap_on_line(const Ends& s, const Ends& t) { return !less(s.q, t.p) && !less(t.q, s.p); }

}  // namespace

bool point_on_segment(const Vec3& point, const Ends& s) {
  const Ends o = ordered(s);
  return !less(point, o.p) && !less(o.q, point) && collinear(o.p, o.q, point);
}

bool segments_meet(const Ends& s, const Ends& t) {
  if (s.p == s.q) return point_on_segment(s.p, t);
  if (t.p == t.q) return point_on_segment(t.p, s);
  if (orient3d(s.p, s.q, t.p, t.q) != 0) return false;
  int drop = drop_axis(s.p, s.q, t.p);
  if (drop < 0) drop = drop_axis(s.p, s.q, t.q);
  if (drop < 0) return overlap_on_line(ordered(s), ordered(t));
  // Not all four points are collinear, and the projection keeps their plane: each segment touches the other's line in at most one point, or the lines are
  // parallel and apart.
  return orient2d(s.p, s.q, t.p, drop) * orient2d(s.p, s.q, t.q, drop) <= 0 && orient2d(t.p, t.q, s.p, drop) * orient2d(t.p, t.q, s.q, drop) <= 0;
}

bool planar_triangle_contains(const Triangle& triangle, int drop, const Vec3& point) {
  GRAZE_EXPECTS(drop >= 0 && drop < 3);
  const auto& p = triangle.points;
  const int s0 = orient2d(p[0], p[1], point, drop), s1 = orient2d(p[1], p[2], point, drop);
  if (s0 * s1 < 0) return false;
  const int s2 = orient2d(p[2], p[0], point, drop);
  return s0 * s2 >= 0 && s1 * s2 >= 0;
}

bool segment_meets_triangle(const Ends& s, const Triangle& triangle, int drop) {
  GRAZE_EXPECTS(drop >= 0 && drop < 3);
  const auto& t = triangle.points;
  const int p = orient3d(t[0], t[1], t[2], s.p), q = orient3d(t[0], t[1], t[2], s.q);
  if (p * q > 0) return false;
  if (p != 0 || q != 0) {  // the line crosses the plane in one point, which the segment contains
    const int s0 = orient3d(s.p, s.q, t[0], t[1]), s1 = orient3d(s.p, s.q, t[1], t[2]);
    if (s0 * s1 < 0) return false;
    const int s2 = orient3d(s.p, s.q, t[2], t[0]);
    return s0 * s2 >= 0 && s1 * s2 >= 0;
  }
  // In one plane: convex sets whose difference has an area are apart exactly when an edge of the triangle or the segment's line separates them strictly.
  const int turn = orient2d(t[0], t[1], t[2], drop);
  for (int i = 0; i < 3; ++i) {
    const Vec3 &a = t[i], &b = t[(i + 1) % 3];
    if (orient2d(a, b, s.p, drop) == -turn && orient2d(a, b, s.q, drop) == -turn) return false;
  }
  const int s0 = orient2d(s.p, s.q, t[0], drop), s1 = orient2d(s.p, s.q, t[1], drop), s2 = orient2d(s.p, s.q, t[2], drop);
  return s0 == 0 || s0 != s1 || s1 != s2;
}

bool coplanar_triangles_meet(const Triangle& a, const Triangle& b, int drop) {
  GRAZE_EXPECTS(drop >= 0 && drop < 3);
  const Triangle* pair[2] = {&a, &b};
  for (int k = 0; k < 2; ++k) {  // the triangles are apart exactly when some edge of one separates them strictly
    const auto &p = pair[k]->points, &q = pair[1 - k]->points;
    const int turn = orient2d(p[0], p[1], p[2], drop);
    for (int i = 0; i < 3; ++i) {
      const Vec3 &u = p[i], &v = p[(i + 1) % 3];
      if (orient2d(u, v, q[0], drop) == -turn && orient2d(u, v, q[1], drop) == -turn && orient2d(u, v, q[2], drop) == -turn) return false;
    }
  }
  return true;
}

}  // namespace graze::flat
