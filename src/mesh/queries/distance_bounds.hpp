// Enclosures in doubles of the distances of points and triangles. They discard nearly all candidates before an exact distance is computed.
#pragma once
#include <algorithm>
#include <cmath>

#include "exact/double_parts.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze::leaf {

/// lo <= true distance <= hi; {0, infinity} where doubles cannot decide.
///
/// Derivation, u = 2^-53: x = qa - qb for any two points of the triangles (how well the formulas choose them does not matter). Coordinates are relative to a
/// corner or point of B; M bounds them, and for two triangles their differences. hi: x is a rounded convex combination, each coordinate off by at most 9 u M
/// (corners 2, edges 2, products 2, sums 2, weights 1), so x by 16 u M (32 are taken), |x| by 2.5 u (8 are taken). lo: the triangles lie on either side of a
/// slab of width (min x.a - max x.b) / |x|. A dot product errs by 4 u M |x|_1 (corner 1, itself 3), below 7 u M |x|, both by 14 u M after the division (40 are
/// taken); the other roundings add 6.5 u (8 are taken). Products neither overflow nor underflow harmfully for M in [1e-140, 1e140].
struct DistanceBounds {
  double lo = 0, hi = kInfinity;
};

/// A lower bound of the distance of two triangles: the gap between them along an axis, where a double holds it, else 0. A computed distance is never less: the
/// exact one is not, and it is rounded from pairs of doubles or integers.
inline double axis_gap(const Triangle& a, const Triangle& b) {
  double gap = 0;
  for (int i = 0; i < 3; ++i) {
    const auto [low_a, high_a] = std::minmax({a.points[0][i], a.points[1][i], a.points[2][i]});
    const auto [low_b, high_b] = std::minmax({b.points[0][i], b.points[1][i], b.points[2][i]});
    for (const TwoDouble& g : {two_sum(low_a, -high_b), two_sum(low_b, -high_a)})
      if (g.lo == 0) gap = std::max(gap, g.hi);
  }
  return gap;
}

/// Returns approximately the point of a triangle nearest to the origin, by the Voronoi region of the corner, edge or face that contains the origin.
inline Vec3 nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = minus(b, a), ac = minus(c, a);
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return point_along(a, clamp01(d1 / (d1 - d3)), ab);
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return point_along(a, clamp01(d2 / (d2 - d6)), ac);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return point_along(b, clamp01((d4 - d3) / ((d4 - d3) + (d5 - d6))), minus(c, b));
  const double sum = (va + vb) + vc;
  if (!(sum > 0)) return a;
  const double t = clamp01(vb / sum), s = std::min(clamp01(vc / sum), 1 - t);
  return point_along(point_along(a, t, ab), s, ac);
}

/// The slab of x between corners a and b (relative to the reference point).
inline DistanceBounds enclose(const Vec3& x, const Vec3* a, int na, const Vec3* b, int nb, double size) {
  constexpr double u = kUnitRoundoff;
  DistanceBounds r;
  const double sq = dot(x, x);
  if (!(size > 1e-140 && size < 1e140)) return r;
  if (!(sq > 1e-285)) {
    r.hi = 1e-142 + 32 * u * size;  // |x| < 1e-142
    return r;
  }
  const double length = std::sqrt(sq);
  double low = dot(a[0], x), high = dot(b[0], x);
  for (int i = 1; i < na; ++i) low = std::min(low, dot(a[i], x));
  for (int i = 1; i < nb; ++i) high = std::max(high, dot(b[i], x));
  r.hi = length * (1 + 8 * u) + 32 * u * size;
  r.lo = std::max(0.0, (low - high) / length * (1 - 8 * u) - 40 * u * size);
  return r;
}

inline DistanceBounds distance_bounds(const Vec3& p, const Triangle& t) {
  const Vec3 a[3] = {minus(t.points[0], p), minus(t.points[1], p), minus(t.points[2], p)}, zero(0, 0, 0);
  return enclose(nearest_on_triangle(a[0], a[1], a[2]), a, 3, &zero, 1, std::max({max_norm(a[0]), max_norm(a[1]), max_norm(a[2])}));
}

inline DistanceBounds distance_bounds(const Triangle& ta, const Triangle& tb) {
  const Vec3& o = tb.points[0];
  Vec3 a[3], b[3];
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    a[i] = minus(ta.points[i], o);
    b[i] = minus(tb.points[i], o);
    size = std::max({size, max_norm(a[i]), max_norm(b[i])});
  }
  Vec3 best(0, 0, 0);
  double best_sq = kInfinity;
  const auto propose = [&](const Vec3& x) {
    const double sq = dot(x, x);
    if (sq < best_sq) {
      best_sq = sq;
      best = x;
    }
  };
  for (int i = 0; i < 3; ++i) {
    propose(nearest_on_triangle(minus(a[0], b[i]), minus(a[1], b[i]), minus(a[2], b[i])));
    const Vec3 q = nearest_on_triangle(minus(b[0], a[i]), minus(b[1], a[i]), minus(b[2], a[i]));
    propose(Vec3(-q.x, -q.y, -q.z));
    const Vec3 &p0 = a[i], d0 = minus(a[(i + 1) % 3], p0);
    const double l0 = dot(d0, d0);
    for (int j = 0; j < 3; ++j) {
      const Vec3 &p1 = b[j], d1 = minus(b[(j + 1) % 3], p1), r = minus(p0, p1);
      const double l1 = dot(d1, d1), m = dot(d0, d1), f0 = dot(d0, r), f1 = dot(d1, r);
      const double s = clamp01((m * f1 - f0 * l1) / (l0 * l1 - m * m)), t = (m * s + f1) / l1;
      const double tc = clamp01(t), sc = t >= 0 && t <= 1 ? s : clamp01((m * tc - f0) / l0);
      propose(point_along(point_along(r, sc, d0), -tc, d1));
    }
  }
  return enclose(best, a, 3, b, 3, 2 * size);
}

}  // namespace graze::leaf
