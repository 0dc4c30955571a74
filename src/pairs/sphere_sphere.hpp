// Intersection tests of spheres with spheres and points.
#pragma once
#include <graze/shapes/point.hpp>
#include <graze/shapes/sphere.hpp>

#include "exact/two_double.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

namespace filter {
#include "pairs/sphere_sphere-inl.hpp"
}

/// The same for balls that doubles cannot distinguish from touching.
bool close_balls_meet(const Vec3& a, const Vec3& b, double r, double s);

/// Whether |a - b| <= r + s.
inline bool balls_meet(const Vec3& a, const Vec3& b, double r, double s) {
  const filter::Decision<double> meet = filter::decide_balls(filter::vector(a), filter::vector(b), r + s);
  if (meet.sure) [[likely]]
    return meet.yes;  // one branch, which the processor predicts
  return close_balls_meet(a, b, r, s);
}

inline bool intersects_pair(const Sphere& a, const Sphere& b) { return balls_meet(a.center, b.center, a.radius, b.radius); }
inline bool intersects_pair(const Point& a, const Sphere& b) { return balls_meet(a.point, b.center, b.radius, 0); }
inline bool intersects_pair(const Point& a, const Point& b) { return a.point == b.point; }

}  // namespace graze
