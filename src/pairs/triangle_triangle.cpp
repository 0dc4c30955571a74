// Triangle against triangle. Generic pairs cost six signs of points against planes and two of edges against edges (P. Guigue, O. Devillers, "Fast and robust
// triangle-triangle overlap test using orientation predicates", 2003); coplanar and degenerate pairs go to the exact planar tests.
#include "pairs/triangle_triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "exact/approx.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "pairs/detail/certain.hpp"
#include "pairs/detail/flat.hpp"
#include "platform/expects.hpp"

namespace graze {
namespace {

/// orient3d for several points against one plane: the normal is computed once, in doubles, with the same operations as in orient3d.
class Plane3 {
 public:
  Plane3(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a) {
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    nx_ = uy * vz - uz * vy, ny_ = uz * vx - ux * vz, nz_ = ux * vy - uy * vx;
  }
  double operator()(const Vec3& d) const { return (nx_ * (d.x - a_.x) + ny_ * (d.y - a_.y)) + nz_ * (d.z - a_.z); }

 private:
  const Vec3& a_;
  double nx_, ny_, nz_;
};

/// Upper bound on the error of the determinants of any four of the six corners. orient3d's bound is (7 + 56 u) u times a permanent, of six products of a
/// difference in x, one in y and one in z: each at most the product of the sides of the common box, whose relative error is a few u. Those sides are at most
/// 2^100 and the bound is above 2^-850, so nothing overflows and what underflows (below 2^-1070 (1 + 2^102) in all) is less than the rest of 43 u; otherwise
/// the bound is infinite.
double common_bound(const Triangle& a, const Triangle& b) {
  const Vec3 *p = a.points.data(), *q = b.points.data();
  double side[3];
  for (int k = 0; k < 3; ++k)
    side[k] = std::max(std::max(std::max(p[0][k], p[1][k]), std::max(p[2][k], q[0][k])), std::max(q[1][k], q[2][k])) -
              std::min(std::min(std::min(p[0][k], p[1][k]), std::min(p[2][k], q[0][k])), std::min(q[1][k], q[2][k]));
  const double bound = (side[0] * side[1]) * side[2] * (43 * kUnitRoundoff);
  return ((bound > 0x1p-850) & ((side[0] + side[1]) + side[2] < 0x1p100)) ? bound : kInfinity;
}

/// The sign of a determinant: that of the doubles where it is large enough, else by the exact predicate.
inline int exact_sign(double det, double bound, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (std::fabs(det) > bound) return (det > 0) - (det < 0);
  return orient3d(a, b, c, d);
}

/// Whether all determinants of differences of these corners are exact in doubles. No corner is farther than 2^15 e from the first in any coordinate, so
/// differences of any two are below 2^16 e, their products below 2^32 e^2, a determinant's terms below 2^49 e^3.
bool on_coarse_grid(const Triangle& s, const Triangle& t) {
  const Vec3& o = s.points[0];
  double x[18], size[6];  // computed in parallel: each maximum waits for two others only
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) x[3 * i + k] = s.points[static_cast<std::size_t>(i)][k], x[9 + 3 * i + k] = t.points[static_cast<std::size_t>(i)][k];
    size[k] = std::max(std::fabs(x[3 + k] - o[k]), std::fabs(x[6 + k] - o[k]));
    size[3 + k] = std::max(std::max(std::fabs(x[9 + k] - o[k]), std::fabs(x[12 + k] - o[k])), std::fabs(x[15 + k] - o[k]));
  }
  const double far = std::max(std::max(std::max(size[0], size[1]), std::max(size[2], size[3])), std::max(size[4], size[5]));
  return filter::on_grid(x, far, 15);
}

/// For a triangle that meets a plane without lying in it: a table indexed by the signs of its corners, as bits of those in front and of those behind (times 8).
/// The entry gives the corner that is alone on its side, so that the two edges from it reach the plane. That corner's sign is opposite to those of the others,
/// or 0 when theirs are equal. Where no two corners are strictly on one side, any corner that is not in the plane is valid.
constexpr auto kAlone = [] {
  std::array<std::uint8_t, 64> table{};
  for (unsigned k = 0; k < 64; ++k) {
    const auto sign = [k](unsigned corner) { return static_cast<int>(k >> corner & 1) - static_cast<int>(k >> (corner + 3) & 1); };
    const int s0 = sign(0), s1 = sign(1), s2 = sign(2);
    table[k] = s0 * s1 > 0 ? 2 : s0 * s2 > 0 ? 1 : s1 * s2 > 0 ? 0 : s0 != 0 ? 0 : s1 != 0 ? 1 : 2;
  }
  return table;
}();

/// Signs of the three corners of one triangle against the other's plane, as bits.
struct Sides {
  unsigned front, behind;
  unsigned certain() const { return front | behind; }
  bool all_on_one() const { return (front == 7) | (behind == 7); }
};

/// Both triangles rotated so that the corner that is alone comes first and lies in front of the other's plane. The ends on the common line then come in known
/// order.
struct Turned {
  const Vec3 &a0, &a1, &a2, &b0, &b1, &b2;
};
inline Turned turned(const Triangle& a, const Triangle& b, Sides p, Sides q) {
  static constexpr std::uint8_t kNext[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  const auto is_behind = [](Sides s, unsigned i) { return (s.behind >> i | (~s.front >> i & s.front >> kNext[i][0])) & 1; };
  const unsigned i = kAlone[p.front | p.behind << 3], j = kAlone[q.front | q.behind << 3], a_behind = is_behind(p, i), b_behind = is_behind(q, j);
  return {a.points[i], a.points[kNext[i][b_behind]], a.points[kNext[i][b_behind ^ 1]],
          b.points[j], b.points[kNext[j][a_behind]], b.points[kNext[j][a_behind ^ 1]]};
}

/// All corners of one triangle lie in the other's plane, or one has no area.
[[gnu::noinline]] bool special_triangles_intersect(const Triangle& a, const Triangle& b) {
  const int drop_a = flat::drop_axis(a.points[0], a.points[1], a.points[2]), drop_b = flat::drop_axis(b.points[0], b.points[1], b.points[2]);
  if (drop_a >= 0 && drop_b >= 0) return flat::coplanar_triangles_meet(a, b, drop_a);
  if (drop_a >= 0) return flat::segment_meets_triangle(flat::ends_of(b), a, drop_a);
  if (drop_b >= 0) return flat::segment_meets_triangle(flat::ends_of(a), b, drop_b);
  return flat::segments_meet(flat::ends_of(a), flat::ends_of(b));
}

/// Up to two segments from the first corner whose union is a triangle without area; segments with equal ends are left out.
struct Spokes {
  int count = 0;
  Vec3 end[2];
};
Spokes spokes_of(const Triangle& t) {
  Spokes r;
  for (int i = 1; i < 3; ++i)
    if (t.points[i] != t.points[0]) r.end[r.count++] = t.points[i];
  return r;
}

/// Proof in doubles that two triangles with the same first corner v share nothing else: along some axis, the line of v and one corner has one triangle weakly
/// on one side and the other strictly on the other. A vertex may have thousands of triangles, coplanar ones in a fan; this test decides nearly all of their
/// pairs without exact arithmetic. The bound is that of a 2x2 determinant of rounded differences, (3 + 16 u) u (Shewchuk 1997).
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

/// Proof in doubles that an edge of one triangle separates the two, seen along the axis in which a's normal is longest. It decides most neighbours in one plane
/// without exact arithmetic. The bound is that of wedges_apart.
bool edges_part(const Triangle& a, const Triangle& b) {
  const Vec3 u = a.points[1] - a.points[0], v = a.points[2] - a.points[0];
  const double n[3] = {std::fabs(u.y * v.z - u.z * v.y), std::fabs(u.z * v.x - u.x * v.z), std::fabs(u.x * v.y - u.y * v.x)};
  const int axis = n[0] > n[1] ? (n[0] > n[2] ? 0 : 2) : (n[1] > n[2] ? 1 : 2), x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  const auto side = [x, y](const Vec3& from, const Vec3& to, const Vec3& of) {
    const double p = (to[x] - from[x]) * (of[y] - from[y]), q = (to[y] - from[y]) * (of[x] - from[x]), det = p - q, size = std::fabs(p) + std::fabs(q);
    return size > 0x1p-900 && std::fabs(det) > size * (4 * kUnitRoundoff) ? (det > 0 ? 1 : -1) : 0;  // NaN: 0
  };
  const Triangle *of = &a, *other = &b;
  for (int turn = 0; turn < 2; ++turn, std::swap(of, other)) {
    const auto &p = of->points, &q = other->points;
    const int own = side(p[0], p[1], p[2]);
    if (own == 0) continue;
    for (int i = 0; i < 3; ++i) {
      const Vec3 &from = p[i], &to = p[(i + 1) % 3];
      if (side(from, to, q[0]) == -own && side(from, to, q[1]) == -own && side(from, to, q[2]) == -own) return true;
    }
  }
  return false;
}

/// Sides with every sign certain.
Sides certain_sides(const Triangle& plane, const Triangle& of, double bound) {
  Sides s{0, 0};
  const Plane3 side(plane.points[0], plane.points[1], plane.points[2]);
  for (unsigned k = 0; k < 3; ++k) {
    const int sign = exact_sign(side(of.points[k]), bound, plane.points[0], plane.points[1], plane.points[2], of.points[k]);
    s.front |= static_cast<unsigned>(sign > 0) << k, s.behind |= static_cast<unsigned>(sign < 0) << k;
  }
  return s;
}

/// For signs that are uncertain by the bound; `dets` are the determinants of the corners of a and of b. Where those are exact, they decide; otherwise the exact
/// predicate does.
[[gnu::noinline]] bool close_triangles_intersect(const Triangle& a, const Triangle& b, const double (&dets)[6], double bound) {
  if (edges_part(a, b)) return false;
  const bool exact = on_coarse_grid(a, b);
  const auto sides = [&](const double* det, const Triangle& plane, const Triangle& of) {
    if (exact) {
      return Sides{static_cast<unsigned>(det[0] > 0) | static_cast<unsigned>(det[1] > 0) << 1 | static_cast<unsigned>(det[2] > 0) << 2,
                   static_cast<unsigned>(det[0] < 0) | static_cast<unsigned>(det[1] < 0) << 1 | static_cast<unsigned>(det[2] < 0) << 2};
    }
    return certain_sides(plane, of, bound);
  };
  const Sides p = sides(dets, b, a);
  if (p.all_on_one()) return false;
  const Sides q = sides(dets + 3, a, b);
  if (q.all_on_one()) return false;
  if (p.certain() == 0 || q.certain() == 0) return special_triangles_intersect(a, b);
  const Turned t = turned(a, b, p, q);
  const double near = Plane3(t.a0, t.b0, t.a1)(t.b1), far = Plane3(t.a0, t.b0, t.a2)(t.b2);
  if (exact) return (near >= 0) & (far <= 0);
  return exact_sign(near, bound, t.a0, t.b0, t.a1, t.b1) >= 0 && exact_sign(far, bound, t.a0, t.b0, t.a2, t.b2) <= 0;
}

}  // namespace

// Both planes exist and cross in a line L. Each triangle meets L between its two edges from the corner that is alone. With both such corners rotated to the
// front of the other's plane, the ends on L come in known order, and comparing the near end of one with the far end of the other is a sign of two edges.
bool triangles_intersect(const Triangle& a, const Triangle& b) {
  const Vec3 *p = a.points.data(), *q = b.points.data();
  const Plane3 plane_a(p[0], p[1], p[2]), plane_b(q[0], q[1], q[2]);
  const double bound = common_bound(a, b), dets[6] = {plane_b(p[0]), plane_b(p[1]), plane_b(p[2]), plane_a(q[0]), plane_a(q[1]), plane_a(q[2])};
  // The signs are unpredictable, so they become bits. The only branches are those that most pairs of a mesh, or nearly all pairs at all, take the same way.
  const auto bits = [bound](const double* det) {
    return Sides{static_cast<unsigned>(det[0] > bound) | static_cast<unsigned>(det[1] > bound) << 1 | static_cast<unsigned>(det[2] > bound) << 2,
                 static_cast<unsigned>(-det[0] > bound) | static_cast<unsigned>(-det[1] > bound) << 1 | static_cast<unsigned>(-det[2] > bound) << 2};
  };
  const Sides of_a = bits(dets), of_b = bits(dets + 3);
  if (of_a.all_on_one() | of_b.all_on_one()) return false;
  if ((of_a.certain() & of_b.certain()) == 7) [[likely]] {
    const Turned t = turned(a, b, of_a, of_b);
    const double near = Plane3(t.a0, t.b0, t.a1)(t.b1), far = Plane3(t.a0, t.b0, t.a2)(t.b2);  // rows exchanged: minus orient3d(a0, a1, b0, b1)
    const bool apart = (-near > bound) | (far > bound), meet = (near > bound) & (-far > bound);
    if (static_cast<int>(apart) + static_cast<int>(meet) != 0) return meet;
  }
  return close_triangles_intersect(a, b, dets, bound);
}

bool triangles_cross(const Triangle& a, const Triangle& b) {
  const double bound = common_bound(a, b);
  const Sides p = certain_sides(b, a, bound);
  if (p.front == 0 || p.behind == 0) return false;
  const Sides q = certain_sides(a, b, bound);
  if (q.front == 0 || q.behind == 0) return false;
  // each triangle's part of the common line has length, and all of it but its ends lies in the interior
  const Turned t = turned(a, b, p, q);
  return exact_sign(Plane3(t.a0, t.b0, t.a1)(t.b1), bound, t.a0, t.b0, t.a1, t.b1) > 0 &&
         exact_sign(Plane3(t.a0, t.b0, t.a2)(t.b2), bound, t.a0, t.b0, t.a2, t.b2) < 0;
}

bool intersect_beyond_vertex(const Triangle& a, const Triangle& b) {
  GRAZE_EXPECTS(a.points[0] == b.points[0]);
  if (wedges_apart(a, b)) return false;
  // The intersection is convex and contains the corner v. With any other point x it contains the segment from v to where the ray through x first leaves one of
  // the two, which is on the edge opposite to v (or the end of a spoke). So there is more than v exactly when the far edge of one meets the other.
  const int q1 = orient3d(a.points[0], a.points[1], a.points[2], b.points[1]), q2 = orient3d(a.points[0], a.points[1], a.points[2], b.points[2]);
  if (q1 * q2 > 0) return false;  // b meets a's plane in v alone
  const int p1 = orient3d(b.points[0], b.points[1], b.points[2], a.points[1]), p2 = orient3d(b.points[0], b.points[1], b.points[2], a.points[2]);
  if (p1 * p2 > 0) return false;
  const Vec3& v = a.points[0];
  const int drop_a = flat::drop_axis(a.points[0], a.points[1], a.points[2]), drop_b = flat::drop_axis(b.points[0], b.points[1], b.points[2]);
  if (drop_a >= 0 && drop_b >= 0)
    return flat::segment_meets_triangle({a.points[1], a.points[2]}, b, drop_b) || flat::segment_meets_triangle({b.points[1], b.points[2]}, a, drop_a);
  if (drop_a >= 0 || drop_b >= 0) {
    const Triangle &full = drop_a >= 0 ? a : b, &thin = drop_a >= 0 ? b : a;
    const int drop = drop_a >= 0 ? drop_a : drop_b;
    const Spokes spokes = spokes_of(thin);
    for (int i = 0; i < spokes.count; ++i)
      if (flat::segment_meets_triangle({spokes.end[i], spokes.end[i]}, full, drop) || flat::segments_meet({v, spokes.end[i]}, {full.points[1], full.points[2]}))
        return true;
    return false;
  }
  const Spokes s = spokes_of(a), t = spokes_of(b);
  for (int i = 0; i < s.count; ++i)
    for (int j = 0; j < t.count; ++j)
      if (flat::collinear(v, s.end[i], t.end[j]) && less(v, s.end[i]) == less(v, t.end[j])) return true;
  return false;
}

bool intersect_beyond_edge(const Triangle& a, const Triangle& b) {
  GRAZE_EXPECTS(a.points[0] == b.points[0] && a.points[1] == b.points[1]);
  const Vec3 &u = a.points[0], &v = a.points[1], &w = a.points[2], &x = b.points[2];
  if (u == v) return intersect_beyond_vertex(a, b);  // the edge is a point
  if (orient3d(u, v, w, x) != 0) return false;       // two planes meet in the edge's line, where each triangle has only the edge
  const int drop = flat::drop_axis(u, v, w);
  if (drop >= 0) return orient2d(u, v, w, drop) == orient2d(u, v, x, drop);  // one plane: the triangles overlap exactly when they are on the same side
  if (!flat::collinear(u, v, x)) return false;                               // a lies on the edge's line, where b has only the edge
  const bool forward = less(u, v);
  const Vec3 &lo = forward ? u : v, &hi = forward ? v : u;
  return (less(w, lo) && less(x, lo)) || (less(hi, w) && less(hi, x));
}

}  // namespace graze
