// Points, segments, balls, capsules and boxes as zonotopes, without the way over a ConvexSet; the same numbers.
#pragma once
#include <bit>
#include <cstdint>

#include "convex/sets/zonotope.hpp"
#include "parts/convex_of_shape.hpp"

namespace graze {

/// placed_point, for less where the point lies on the z axis of its frame, as centres of balls and ends of capsules often do. A zero may have the other sign.
inline Vec3 placed_middle(const Vec3& p, const Pose* pose) {
  if (!pose) return p;
  if ((std::bit_cast<std::uint64_t>(p.x) | std::bit_cast<std::uint64_t>(p.y)) << 1 != 0) return apply_pose(*pose, p);
  const auto& r = pose->rotation;
  const Vec3& t = pose->translation;
  return {r[0][2] * p.z + t.x, r[1][2] * p.z + t.y, r[2][2] * p.z + t.z};
}

inline ZonotopeTerms<0> zonotope_of(const Point& s, const Pose* pose) { return {placed_middle(s.point, pose), 0}; }
inline ZonotopeTerms<0> zonotope_of(const Sphere& s, const Pose* pose) { return {placed_middle(s.center, pose), s.radius}; }
inline ZonotopeTerms<1> zonotope_of(const Segment& s, const Pose* pose) { return {placed_middle(s.a, pose), placed_middle(s.b, pose), 0}; }
inline ZonotopeTerms<1> zonotope_of(const Capsule& s, const Pose* pose) { return {placed_middle(s.a, pose), placed_middle(s.b, pose), s.radius}; }
inline ZonotopeTerms<3> zonotope_of(const Box& s, const Pose* pose) {
  static constexpr Pose identity{};
  const auto& r = pose ? pose->rotation : identity.rotation;
  return {pose ? pose->translation : Vec3(0, 0, 0),
          {{r[0][0], r[1][0], r[2][0]}, {r[0][1], r[1][1], r[2][1]}, {r[0][2], r[1][2], r[2][2]}},
          {s.min.x, s.min.y, s.min.z},
          {s.max.x, s.max.y, s.max.z}};
}
inline ZonotopeTerms<3> zonotope_of(const OrientedBox& s, const Pose* pose) {
  return {placed_point(s.center, pose),
          {v3(placed_direction(s.axes[0], pose)), v3(placed_direction(s.axes[1], pose)), v3(placed_direction(s.axes[2], pose))},
          {-s.half.x, -s.half.y, -s.half.z},
          {s.half.x, s.half.y, s.half.z}};
}

}  // namespace graze
