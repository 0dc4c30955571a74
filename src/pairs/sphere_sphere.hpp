// Intersection tests of spheres with spheres and points.
#pragma once
#include <cmath>
#include <graze/shapes/point.hpp>
#include <graze/shapes/sphere.hpp>

#include "exact/approx.hpp"

namespace graze {

namespace filter {
inline constexpr double kCloseBallsSlack = 16;
}

/// The same for balls that doubles cannot distinguish from touching.
bool close_balls_meet(const Vec3& a, const Vec3& b, double r, double s);

/// Whether |a - b| <= r + s. d = |a - b|^2 as computed has a relative error below (1 + u)^5 - 1 (difference, square, two sums), (r + s)^2 below (1 + u)^3 - 1,
/// and their difference and the bound a few u of themselves: 16 u covers all. Underflow loses less than 2^-1070. Overflow gives inf > inf or NaN > inf and is
/// left to the exact sign.
inline bool balls_meet(const Vec3& a, const Vec3& b, double r, double s) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, t = r + s;
  const double d = (x * x + y * y) + z * z, tt = t * t, excess = d - tt;
  if (std::fabs(excess) > (d + tt) * (16 * kUnitRoundoff) + 0x1p-1060) [[likely]]
    return excess < 0;  // one branch, which the processor predicts
  return close_balls_meet(a, b, r, s);
}

inline bool intersects_pair(const Sphere& a, const Sphere& b) { return balls_meet(a.center, b.center, a.radius, b.radius); }
inline bool intersects_pair(const Point& a, const Sphere& b) { return balls_meet(a.point, b.center, b.radius, 0); }
inline bool intersects_pair(const Point& a, const Point& b) { return a.point == b.point; }

}  // namespace graze
