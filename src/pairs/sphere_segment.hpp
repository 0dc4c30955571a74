// Intersection tests of spheres and points with segments and capsules.
#pragma once
#include <graze/shapes/capsule.hpp>
#include <graze/shapes/point.hpp>
#include <graze/shapes/segment.hpp>
#include <graze/shapes/sphere.hpp>

namespace graze {

/// Whether the distance of c from the segment a b is at most r + s.
bool ball_meets_segment(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s);

inline bool intersects_pair(const Segment& a, const Sphere& b) { return ball_meets_segment(a.a, a.b, b.center, b.radius, 0); }
inline bool intersects_pair(const Sphere& a, const Capsule& b) { return ball_meets_segment(b.a, b.b, a.center, a.radius, b.radius); }
inline bool intersects_pair(const Point& a, const Capsule& b) { return ball_meets_segment(b.a, b.b, a.point, b.radius, 0); }

}  // namespace graze
