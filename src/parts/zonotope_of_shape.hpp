// Points, segments, balls, capsules and boxes as zonotopes, without the way over a ConvexSet; the same numbers.
#pragma once
#include "convex/zonotope.hpp"
#include "parts/convex_of_shape.hpp"

namespace graze {

inline Zonotope<0> zonotope_of(const Point& s, const Pose* pose) { return {placed_point(s.point, pose), 0}; }
inline Zonotope<0> zonotope_of(const Sphere& s, const Pose* pose) { return {placed_point(s.center, pose), s.radius}; }
inline Zonotope<1> zonotope_of(const Segment& s, const Pose* pose) { return {placed_point(s.a, pose), placed_point(s.b, pose), 0}; }
inline Zonotope<1> zonotope_of(const Capsule& s, const Pose* pose) { return {placed_point(s.a, pose), placed_point(s.b, pose), s.radius}; }
inline Zonotope<3> zonotope_of(const Box& s, const Pose* pose) {
  static constexpr Pose identity{};
  const auto& r = pose ? pose->rotation : identity.rotation;
  const Vec3 axes[3] = {{r[0][0], r[1][0], r[2][0]}, {r[0][1], r[1][1], r[2][1]}, {r[0][2], r[1][2], r[2][2]}};
  return {pose ? pose->translation : Vec3(0, 0, 0), axes, {s.min.x, s.min.y, s.min.z}, {s.max.x, s.max.y, s.max.z}};
}
inline Zonotope<3> zonotope_of(const OrientedBox& s, const Pose* pose) {
  const Vec3 axes[3] = {placed_direction(s.axes[0], pose), placed_direction(s.axes[1], pose), placed_direction(s.axes[2], pose)};
  return {placed_point(s.center, pose), axes, {-s.half.x, -s.half.y, -s.half.z}, {s.half.x, s.half.y, s.half.z}};
}

}  // namespace graze
