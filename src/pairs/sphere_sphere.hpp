// Sphere against sphere and point.
#pragma once
#include <graze/shapes/point.hpp>
#include <graze/shapes/sphere.hpp>

#include "exact/approx.hpp"

namespace graze {

/// The same for balls that doubles cannot tell from touching.
bool close_balls_meet(const Vec3& a, const Vec3& b, double r, double s);

/// Is |a - b| <= r + s?
/// d = |a - b|^2 as computed has a relative error below (1 + u)^5 - 1 (difference, square, two sums), (r + s)^2 below (1 + u)^3 - 1: 16 u covers both. Underflow loses less than 2^-1073, nothing beside 16 u 2^-960. Above 2^1000 the
/// other side may have overflowed rightly.
inline bool balls_meet(const Vec3& a, const Vec3& b, double r, double s) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, t = r + s;
  const double d = (x * x + y * y) + z * z, tt = t * t;
  const bool apart = (d > tt * (1 + 16 * kUnitRoundoff)) & (d > 0x1p-960) & (tt < 0x1p1000), meet = (tt > d * (1 + 16 * kUnitRoundoff)) & (tt > 0x1p-960) & (d < 0x1p1000);
  if (apart | meet) return meet;  // one branch that the processor predicts
  return close_balls_meet(a, b, r, s);
}

inline bool intersects_pair(const Sphere& a, const Sphere& b) { return balls_meet(a.center, b.center, a.radius, b.radius); }
inline bool intersects_pair(const Point& a, const Sphere& b) { return balls_meet(a.point, b.center, b.radius, 0); }
inline bool intersects_pair(const Point& a, const Point& b) { return a.point == b.point; }

}  // namespace graze
