// Axis-aligned box against box, point and sphere. Boxes and points need only comparisons of coordinates; for a sphere, the point of the box nearest to the
// centre has doubles as coordinates.
#pragma once
#include <graze/shapes/box.hpp>

#include "pairs/sphere_sphere.hpp"

namespace graze {

inline bool intersects_pair(const Box& a, const Box& b) {
  return (a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) & (a.min.z <= b.max.z) & (b.min.z <= a.max.z);
}
inline bool intersects_pair(const Point& a, const Box& b) {
  const Vec3& p = a.point;
  return (b.min.x <= p.x) & (p.x <= b.max.x) & (b.min.y <= p.y) & (p.y <= b.max.y) & (b.min.z <= p.z) & (p.z <= b.max.z);
}
inline bool intersects_pair(const Sphere& a, const Box& b) {
  const filter::Triple nearest = filter::nearest_in_box(filter::vector(a.center), filter::vector(b.min), filter::vector(b.max));
  return balls_meet(a.center, Vec3(nearest.x, nearest.y, nearest.z), a.radius, 0);
}

}  // namespace graze
