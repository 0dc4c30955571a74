// Depths in closed form where only the balls overlap: of points, segments and boxes with balls, in doubles with a proven bound.
//
// C = A - B, without the balls, does not contain the origin: a point x of C that should be the nearest is proposed. The depth is at least R - |x|, and at most
// R - g, g the least of x . w / |x| over w in C; R is the sum of the radii. Below, u = 2^-53, and E is at least the sum of the lengths of everything that x is
// a sum of. A difference of two points is off by u of itself, a place along it by u more, a sum of four such terms by 3 u: x by 5 u E, |x| by 3 u more. A
// product with x / |x| adds 3 u, its terms and the sum of the products 3 u, another 4 u is for the length: g is off by less than 15 u E. Numbers that underflow
// are nothing beside E > 2^-200.
#pragma once
#include <algorithm>
#include <cmath>

#include "convex/depth/penetration.hpp"
#include "convex/sets/zonotope.hpp"
#include "math/vec3.hpp"

namespace graze {

/// The depth from a point x of C, the least w . x over w in C, E and R. Nothing where that proves none.
inline ProvenDepth depth_from_gap(const V3<double>& x, double along, double size, double reach) {
  constexpr double kSlack = 32 * kUnitRoundoff;
  const double length = std::sqrt(dot(x, x));
  if (!(size > 0x1p-200 && size < 0x1p200 && length > 0x1p-60 * size && reach < 0x1p200)) return {};
  const double back = 1 / length, gap = along * back, error = kSlack * size + 4 * kUnitRoundoff * reach, value = reach - gap;
  if (gap - error > reach) return {Proof::apart};
  if (!(gap > error && (value + error) - (reach - length - error) <= value * kDepthGap)) return {};
  return {Proof::depth, back, value, error, x};
}

/// Two balls: x is the difference of their centres, and the only point of C.
inline ProvenDepth gap_depth(const ZonotopeTerms<0>& a, const ZonotopeTerms<0>& b) {
  const Vec3 x = minus(a.base, b.base);
  const double squared = dot(x, x), length = std::sqrt(squared), reach = a.radius + b.radius, value = reach - length;
  const double error = 8 * kUnitRoundoff * (length + reach);
  if (!(squared > 0x1p-400 && reach < 0x1p200)) return {};
  if (value < -error) return {Proof::apart};
  if (!(2 * error <= value * kDepthGap)) return {};
  return {Proof::depth, 1 / length, value, error, {x.x, x.y, x.z}};
}

inline ProvenDepth depth_from_gap(const Vec3& x, double along, double size, double reach) { return depth_from_gap(v3(x), along, size, reach); }

/// A capsule and a ball.
inline ProvenDepth gap_depth(const ZonotopeTerms<1>& a, const ZonotopeTerms<0>& b) {
  const Vec3 r = minus(a.base, b.base), d = minus(a.end, a.base);
  const double dd = dot(d, d), s = dd > 0 ? clamp01(-dot(r, d) / dd) : 0;
  const Vec3 x = point_along(r, s, d);
  return depth_from_gap(x, dot(x, r) + std::min(dot(x, d), 0.0), taxicab(r) + taxicab(d), a.radius + b.radius);
}

/// Two capsules. The nearest points of the lines, clamped, then each recomputed for the other; `on_a` becomes the nearest point of A's segment.
inline ProvenDepth gap_depth(const ZonotopeTerms<1>& a, const ZonotopeTerms<1>& b, Vec3& on_a) {
  const Vec3 r = minus(a.base, b.base), d = minus(a.end, a.base), e = minus(b.end, b.base);
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r), det = dd * ee - de * de;
  const double first = det > 0 ? clamp01((de * er - ee * dr) / det) : 0.5;
  const double t = ee > 0 ? clamp01((first * de + er) / ee) : 0, s = dd > 0 ? clamp01((t * de - dr) / dd) : 0;
  const Vec3 x = point_along(point_along(r, s, d), -t, e);
  on_a = point_along(a.base, s, d);
  const double along = (dot(x, r) + std::min(dot(x, d), 0.0)) - std::max(dot(x, e), 0.0);
  return depth_from_gap(x, along, (taxicab(r) + taxicab(d)) + taxicab(e), a.radius + b.radius);
}
inline ProvenDepth gap_depth(const ZonotopeTerms<1>& a, const ZonotopeTerms<1>& b) {
  Vec3 on_a;
  return gap_depth(a, b, on_a);
}

/// A box and a ball whose centre is outside of it. The nearest point is that of a box with perpendicular axes of length 1; of another it is refused.
inline ProvenDepth gap_depth(const ZonotopeTerms<3>& a, const ZonotopeTerms<0>& b) {
  const V3<double> t{b.base.x - a.base.x, b.base.y - a.base.y, b.base.z - a.base.z};
  V3<double> x = -t;
  double squared = 0, far = 0;
  bool inside = true;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const double y = dot(a.axis[k], t), place = std::min(std::max(y, a.lo[k]), a.hi[k]);
    inside &= place == y;
    squared += dot(a.axis[k], a.axis[k]);
    far = std::max(far, std::max(-a.lo[k], a.hi[k]));
    x = x + place * a.axis[k];
  }
  if (inside || !(squared < 4)) return {};
  double along = -dot(x, t);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const double g = dot(x, a.axis[k]);
    along += std::min(a.lo[k] * g, a.hi[k] * g);
  }
  return depth_from_gap(x, along, taxicab(t) + 6 * far, b.radius);
}

}  // namespace graze
