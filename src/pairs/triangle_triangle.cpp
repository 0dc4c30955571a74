// Triangle against triangle. Generic pairs cost six signs of points against planes and two of edges against edges (P. Guigue, O. Devillers, "Fast and robust triangle-triangle overlap test using
// orientation predicates", 2003); coplanar and degenerate ones go to the exact planar tests.
#include "pairs/triangle_triangle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "exact/approx.hpp"
#include "exact/predicates.hpp"
#include "pairs/certain.hpp"
#include "pairs/flat.hpp"

namespace graze {
namespace {

/// orient3d for several points against one plane: the normal is computed once. The same operations and so the same bound as in orient3d, (7 + 56 u) u times the permanent.
/// Underflow: the normal's products lose at most 2^-1072 per component, covered by the 2^-1000 that is added to each of their sizes and comes to 2^-1050 |w| in the bound; the other products lose less than 2^-1070. Each step of
/// the permanent is at least that of the determinant in size, so that after an overflow the bound is infinite or no number, and nothing is certain.
class PlaneSide {
 public:
  PlaneSide(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a) {
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double p0 = uy * vz, q0 = uz * vy, p1 = uz * vx, q1 = ux * vz, p2 = ux * vy, q2 = uy * vx;
    nx_ = p0 - q0, ny_ = p1 - q1, nz_ = p2 - q2;
    mx_ = (std::fabs(p0) + std::fabs(q0)) + 0x1p-1000, my_ = (std::fabs(p1) + std::fabs(q1)) + 0x1p-1000, mz_ = (std::fabs(p2) + std::fabs(q2)) + 0x1p-1000;
  }
  /// Its sign is certain when it is larger than the bound.
  struct Estimate {
    double det, bound;
    bool front() const { return det > bound; }
    bool behind() const { return -det > bound; }
  };
  Estimate operator()(const Vec3& d) const {
    const double wx = d.x - a_.x, wy = d.y - a_.y, wz = d.z - a_.z;
    return {(nx_ * wx + ny_ * wy) + nz_ * wz, ((mx_ * std::fabs(wx) + my_ * std::fabs(wy)) + mz_ * std::fabs(wz)) * (7.0000001 * kUnitRoundoff) + 0x1p-1060};
  }

 private:
  const Vec3& a_;
  double nx_, ny_, nz_, mx_, my_, mz_;
};

/// Are all determinants of differences of these corners exact in doubles? None is farther than 2^15 e from the first in any coordinate, so differences of any two are below 2^16 e, their products below 2^32 e^2, a determinant's
/// terms below 2^49 e^3.
bool on_coarse_grid(const Triangle& s, const Triangle& t) {
  const Vec3& o = s.points[0];
  double far = 0, x[18];
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 3; ++k) {
      x[3 * i + k] = (i < 3 ? s : t).points[static_cast<std::size_t>(i % 3)][k];
      far = std::max(far, std::fabs(x[3 * i + k] - o[k]));
    }
  return filter::on_grid(x, far, 15);
}

/// Signs of determinants: of the doubles where these are exact or large enough, else by the exact predicate.
class Orient {
 public:
  explicit Orient(bool exact) : exact_(exact) {}
  int operator()(const PlaneSide::Estimate& e, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
    if (exact_ || std::fabs(e.det) > e.bound) return (e.det > 0) - (e.det < 0);
    return orient3d(a, b, c, d);
  }
  int operator()(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const { return (*this)(PlaneSide(a, b, c)(d), a, b, c, d); }

 private:
  bool exact_;
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

/// Signs of a triangle's corners against the plane of another, all certain.
struct Sides {
  int s[3];
  Sides(const Orient& orient, const Triangle& corners, const Triangle& t) {
    const PlaneSide plane(t.points[0], t.points[1], t.points[2]);
    for (std::size_t k = 0; k < 3; ++k) s[k] = orient(plane(corners.points[k]), t.points[0], t.points[1], t.points[2], corners.points[k]);
  }
  bool one() const { return s[0] != 0 && s[0] == s[1] && s[0] == s[2]; }
  bool none() const { return s[0] == 0 && s[1] == 0 && s[2] == 0; }
  bool both() const { return std::min({s[0], s[1], s[2]}) < 0 && std::max({s[0], s[1], s[2]}) > 0; }
};

/// Where planes cross in a line L and both triangles reach it, their parts of L have a point (`shared`), or more than a point, in common.
struct OnLine {
  bool shared, more;
};
OnLine on_line(const Orient& orient, const Triangle& a, const Triangle& b, const int* p, const int* q) {
  const int i = alone(p[0], p[1], p[2]), j = alone(q[0], q[1], q[2]);
  const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1, j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
  const bool a_behind = p[i] < 0 || (p[i] == 0 && p[i1] > 0), b_behind = q[j] < 0 || (q[j] == 0 && q[j1] > 0);
  const Vec3 &a0 = a.points[i], &a1 = a.points[b_behind ? i2 : i1], &a2 = a.points[b_behind ? i1 : i2];
  const Vec3 &b0 = b.points[j], &b1 = b.points[a_behind ? j2 : j1], &b2 = b.points[a_behind ? j1 : j2];
  const int near = orient(a0, a1, b0, b1), far = near > 0 ? 0 : orient(a0, a2, b0, b2);
  return {near <= 0 && far >= 0, near < 0 && far > 0};
}

/// By signs that are all certain.
[[gnu::noinline]] bool close_triangles_intersect(const Triangle& a, const Triangle& b) {
  const Orient orient(on_coarse_grid(a, b));
  const Sides p(orient, a, b);
  if (p.one()) return false;
  const Sides q(orient, b, a);
  if (q.one()) return false;
  if (p.none() || q.none()) return special_triangles_intersect(a, b);
  return on_line(orient, a, b, p.s, q.s).shared;
}

}  // namespace

// Both planes exist and cross in a line L. Each triangle meets L between its two edges from the corner that is alone. With both such corners turned to the front of the other's plane, the ends on L
// come in known order, and comparing the near end of one with the far end of the other is a sign of two edges.
bool triangles_intersect(const Triangle& a, const Triangle& b) {
  const Vec3 *p = a.points.data(), *q = b.points.data();
  const PlaneSide plane_a(p[0], p[1], p[2]), plane_b(q[0], q[1], q[2]);
  const PlaneSide::Estimate p0 = plane_b(p[0]), p1 = plane_b(p[1]), p2 = plane_b(p[2]), q0 = plane_a(q[0]), q1 = plane_a(q[1]), q2 = plane_a(q[2]);
  // Signs are tosses of a coin: they become bits, and the only branches are those that most pairs of a mesh, or nearly all pairs at all, take the same way.
  const unsigned front_p = p0.front() | p1.front() << 1 | p2.front() << 2, behind_p = p0.behind() | p1.behind() << 1 | p2.behind() << 2;
  const unsigned front_q = q0.front() | q1.front() << 1 | q2.front() << 2, behind_q = q0.behind() | q1.behind() << 1 | q2.behind() << 2;
  if ((front_p == 7) | (behind_p == 7) | (front_q == 7) | (behind_q == 7)) return false;
  if (((front_p | behind_p) & (front_q | behind_q)) != 7) return close_triangles_intersect(a, b);
  static constexpr std::uint8_t kAlone[8] = {0, 0, 1, 2, 2, 1, 0, 0};  // by the bits of those behind
  static constexpr std::uint8_t kNext[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  const unsigned i = kAlone[behind_p], j = kAlone[behind_q], a_behind = behind_p >> i & 1, b_behind = behind_q >> j & 1;
  const Vec3 &a0 = p[i], &a1 = p[kNext[i][b_behind]], &a2 = p[kNext[i][b_behind ^ 1]], &b0 = q[j], &b1 = q[kNext[j][a_behind]], &b2 = q[kNext[j][a_behind ^ 1]];
  const PlaneSide::Estimate near = PlaneSide(a0, b0, a1)(b1), far = PlaneSide(a0, b0, a2)(b2);  // rows exchanged: minus orient3d(a0, a1, b0, b1)
  const bool apart = near.behind() | far.front(), meet = near.front() & far.behind();
  if (apart | meet) return meet;
  return close_triangles_intersect(a, b);
}

bool triangles_cross(const Triangle& a, const Triangle& b) {
  const Orient orient(on_coarse_grid(a, b));
  const Sides p(orient, a, b);
  if (!p.both()) return false;
  const Sides q(orient, b, a);
  return q.both() && on_line(orient, a, b, p.s, q.s).more;  // each triangle's part of the line has length, and all but its ends lies inside
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
