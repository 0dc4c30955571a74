// Triangle against triangle. Generic pairs cost six signs of points against planes and two of edges against edges (P. Guigue, O. Devillers, "Fast and robust triangle-triangle overlap test using
// orientation predicates", 2003); coplanar and degenerate ones go to the exact planar tests.
#include "pairs/triangle_triangle.hpp"

#include <cmath>
#include <utility>

#include "exact/approx.hpp"
#include "exact/predicates.hpp"
#include "pairs/flat.hpp"

namespace graze {
namespace {

/// orient3d for several points against one plane: the normal is computed once. The same operations and so the same bound as in orient3d.
class PlaneSide {
 public:
  explicit PlaneSide(const Triangle& t) : t_(t) {
    const Vec3 &a = t.points[0], &b = t.points[1], &c = t.points[2];
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double p0 = uy * vz, q0 = uz * vy, p1 = uz * vx, q1 = ux * vz, p2 = ux * vy, q2 = uy * vx;
    nx_ = p0 - q0, ny_ = p1 - q1, nz_ = p2 - q2;
    mx_ = std::fabs(p0) + std::fabs(q0), my_ = std::fabs(p1) + std::fabs(q1), mz_ = std::fabs(p2) + std::fabs(q2);
  }
  int operator()(const Vec3& d) const {
    const Vec3& a = t_.points[0];
    const double wx = d.x - a.x, wy = d.y - a.y, wz = d.z - a.z;
    const double det = (nx_ * wx + ny_ * wy) + nz_ * wz;
    const double ax = std::fabs(wx), ay = std::fabs(wy), az = std::fabs(wz);
    const double permanent = (mx_ * ax + my_ * ay) + mz_ * az;
    const double bound = permanent * (7.0000001 * kUnitRoundoff);
    if (permanent > 0x1p-980 * (1 + (ax + ay + az)) && permanent < 0x1p1020) {
      if (det > bound) return 1;
      if (-det > bound) return -1;
    }
    return orient3d(a, t_.points[1], t_.points[2], d);
  }

 private:
  const Triangle& t_;
  double nx_, ny_, nz_, mx_, my_, mz_;
};

/// Index of the corner that is alone on its side of a plane that the triangle meets without lying in it: the two edges from it reach the plane, its own sign opposite to theirs, or 0 when theirs are equal.
inline int alone(int s0, int s1, int s2) {
  if (s0 * s1 > 0) return 2;
  if (s0 * s2 > 0) return 1;
  if (s1 * s2 > 0) return 0;
  // no two corners strictly on one side: one non-zero corner will do
  return s0 != 0 ? 0 : s1 != 0 ? 1 : 2;
}

/// All corners of one lie in the other's plane, or one has no area.
[[gnu::noinline]] bool special_triangles_intersect(const Triangle& a, const Triangle& b) {
  const int drop_a = flat::drop_axis(a.points[0], a.points[1], a.points[2]), drop_b = flat::drop_axis(b.points[0], b.points[1], b.points[2]);
  if (drop_a >= 0 && drop_b >= 0) return flat::coplanar_triangles_meet(a, b, drop_a);
  if (drop_a >= 0) return flat::segment_meets_triangle(flat::ends_of(b), a, drop_a);
  if (drop_b >= 0) return flat::segment_meets_triangle(flat::ends_of(a), b, drop_b);
  return flat::segments_meet(flat::ends_of(a), flat::ends_of(b));
}

/// Up to two segments from the first corner that make up a triangle without area; equal ends are left out.
struct Spokes {
  int count = 0;
  Vec3 end[2];
};
Spokes spokes_of(const Triangle& t) {
  Spokes r;
  for (int i = 1; i < 3; ++i)
    if (!flat::equal(t.points[i], t.points[0])) r.end[r.count++] = t.points[i];
  return r;
}

/// Proof in doubles that two triangles with the same first corner v share nothing else: along some axis, the line of v and one corner leaves one triangle weakly on one side and the other strictly on the other. A vertex may have
/// thousands of triangles, coplanar ones in a fan: then nearly all pairs end here, before any exact number. The bound is that of a 2x2 determinant of rounded differences, (3 + 16 u) u (Shewchuk 1997).
bool wedges_apart(const Triangle& a, const Triangle& b) {
  const Vec3& v = a.points[0];
  const Vec3 d[4] = {a.points[1] - v, a.points[2] - v, b.points[1] - v, b.points[2] - v};
  for (int axis = 0; axis < 3; ++axis) {
    const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
    const auto side = [&](int i, int j) {
      const double p = d[i][x] * d[j][y], q = d[i][y] * d[j][x], det = p - q, size = std::fabs(p) + std::fabs(q);
      return size > 0x1p-900 && std::fabs(det) > size * (4 * kUnitRoundoff) ? (det > 0 ? 1 : -1) : 0;  // NaN: 0
    };
    const int own_a = side(0, 1), own_b = side(2, 3), s02 = side(0, 2), s03 = side(0, 3), s12 = side(1, 2), s13 = side(1, 3);
    if (own_a != 0 && ((s02 == -own_a && s03 == -own_a) || (s12 == own_a && s13 == own_a))) return true;
    if (own_b != 0 && ((s02 == own_b && s12 == own_b) || (s03 == -own_b && s13 == -own_b))) return true;
  }
  return false;
}

}  // namespace

bool triangles_intersect(const Triangle& a, const Triangle& b) {
  const PlaneSide side_of_b(b);
  const int p0 = side_of_b(a.points[0]), p1 = side_of_b(a.points[1]), p2 = side_of_b(a.points[2]);
  if (p0 != 0 && p0 == p1 && p0 == p2) return false;
  const PlaneSide side_of_a(a);
  const int q0 = side_of_a(b.points[0]), q1 = side_of_a(b.points[1]), q2 = side_of_a(b.points[2]);
  if (q0 != 0 && q0 == q1 && q0 == q2) return false;
  if ((p0 == 0 && p1 == 0 && p2 == 0) || (q0 == 0 && q1 == 0 && q2 == 0)) return special_triangles_intersect(a, b);

  // Both planes exist and cross in a line L. Each triangle meets L between its two edges from the corner that is alone. With both such corners turned to the front of the other's plane, the ends on L
  // come in known order, and comparing the near end of one with the far end of the other is a sign of two edges.
  const int p[3] = {p0, p1, p2}, q[3] = {q0, q1, q2};
  const int i = alone(p0, p1, p2), j = alone(q0, q1, q2);
  const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1, j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
  const bool a_behind = p[i] < 0 || (p[i] == 0 && p[i1] > 0), b_behind = q[j] < 0 || (q[j] == 0 && q[j1] > 0);
  const Vec3 &a0 = a.points[i], &a1 = a.points[b_behind ? i2 : i1], &a2 = a.points[b_behind ? i1 : i2];
  const Vec3 &b0 = b.points[j], &b1 = b.points[a_behind ? j2 : j1], &b2 = b.points[a_behind ? j1 : j2];
  return orient3d(a0, a1, b0, b1) <= 0 && orient3d(a0, a2, b0, b2) >= 0;
}

bool intersect_beyond_vertex(const Triangle& a, const Triangle& b) {
  if (wedges_apart(a, b)) return false;
  // The intersection is convex and holds the corner v: with any other point x it holds the segment from v to where the ray through x first leaves one of the two, which is on the edge opposite to v (or
  // the end of a spoke). So there is more than v exactly when the far edge of one meets the other.
  const int q1 = orient3d(a.points[0], a.points[1], a.points[2], b.points[1]), q2 = orient3d(a.points[0], a.points[1], a.points[2], b.points[2]);
  if (q1 * q2 > 0) return false;  // b meets a's plane in v alone
  const int p1 = orient3d(b.points[0], b.points[1], b.points[2], a.points[1]), p2 = orient3d(b.points[0], b.points[1], b.points[2], a.points[2]);
  if (p1 * p2 > 0) return false;
  const Vec3& v = a.points[0];
  const int drop_a = flat::drop_axis(a.points[0], a.points[1], a.points[2]), drop_b = flat::drop_axis(b.points[0], b.points[1], b.points[2]);
  if (drop_a >= 0 && drop_b >= 0) return flat::segment_meets_triangle({a.points[1], a.points[2]}, b, drop_b) || flat::segment_meets_triangle({b.points[1], b.points[2]}, a, drop_a);
  if (drop_a >= 0 || drop_b >= 0) {
    const Triangle &full = drop_a >= 0 ? a : b, &thin = drop_a >= 0 ? b : a;
    const int drop = drop_a >= 0 ? drop_a : drop_b;
    const Spokes spokes = spokes_of(thin);
    for (int i = 0; i < spokes.count; ++i)
      if (flat::segment_meets_triangle({spokes.end[i], spokes.end[i]}, full, drop) || flat::segments_meet({v, spokes.end[i]}, {full.points[1], full.points[2]})) return true;
    return false;
  }
  const Spokes s = spokes_of(a), t = spokes_of(b);
  for (int i = 0; i < s.count; ++i)
    for (int j = 0; j < t.count; ++j)
      if (flat::collinear(v, s.end[i], t.end[j]) && flat::less(v, s.end[i]) == flat::less(v, t.end[j])) return true;
  return false;
}

bool intersect_beyond_edge(const Triangle& a, const Triangle& b) {
  const Vec3 &u = a.points[0], &v = a.points[1], &w = a.points[2], &x = b.points[2];
  if (flat::equal(u, v)) return intersect_beyond_vertex(a, b);  // the edge is a point
  if (orient3d(u, v, w, x) != 0) return false;  // two planes meet in the edge's line, where each triangle has just the edge
  const int drop = flat::drop_axis(u, v, w);
  if (drop >= 0) return orient2d(u, v, w, drop) == orient2d(u, v, x, drop);  // one plane: the same side means an overlap
  if (!flat::collinear(u, v, x)) return false;  // a lies on the edge's line, where b has just the edge
  const bool forward = flat::less(u, v);
  const Vec3 &lo = forward ? u : v, &hi = forward ? v : u;
  return (flat::less(w, lo) && flat::less(x, lo)) || (flat::less(hi, w) && flat::less(hi, x));
}

}  // namespace graze
