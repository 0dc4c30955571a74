// Shapes at a pose, for functions of pairs that take unplaced shapes.
#pragma once
#include <optional>
#include <type_traits>

#include "parts/convex_of_shape.hpp"

namespace graze {

/// Shapes that a pose turns into another shape of the same kind under the contract: points are transformed once, directions are rotated once. A placed Box is
/// no Box, and only sometimes an OrientedBox.
template <class S>
concept Placeable = std::is_same_v<S, Point> || std::is_same_v<S, Segment> || std::is_same_v<S, Triangle> || std::is_same_v<S, Sphere> ||
    std::is_same_v<S, Capsule> || std::is_same_v<S, OrientedBox>;

inline Point placed(const Point& s, const Pose* p) { return {placed_point(s.point, p)}; }
inline Segment placed(const Segment& s, const Pose* p) { return {placed_point(s.a, p), placed_point(s.b, p)}; }
inline Triangle placed(const Triangle& s, const Pose* p) {
  return {{placed_point(s.points[0], p), placed_point(s.points[1], p), placed_point(s.points[2], p)}};
}
inline Sphere placed(const Sphere& s, const Pose* p) { return {placed_point(s.center, p), s.radius}; }
inline Capsule placed(const Capsule& s, const Pose* p) { return {placed_point(s.a, p), placed_point(s.b, p), s.radius}; }
inline OrientedBox placed(const OrientedBox& s, const Pose* p) {
  return {placed_point(s.center, p), {placed_direction(s.axes[0], p), placed_direction(s.axes[1], p), placed_direction(s.axes[2], p)}, s.half};
}

/// A placed box whose centre is the origin of its own frame, as most are: the pose turns its axes and moves its centre without rounding. Nothing for others.
inline std::optional<OrientedBox> oriented(const Box& s, const Pose& p) {
  if (s.min != -s.max) return std::nullopt;
  const auto column = [&](int i) { return Vec3(p.rotation[0][i], p.rotation[1][i], p.rotation[2][i]); };
  return OrientedBox{p.translation, {column(0), column(1), column(2)}, s.max};
}

/// Calls f with both shapes after placing them; returns `otherwise` if one is placed and not `Placeable`.
template <class A, class B, class R, class F>
R with_placed(const A& a, const Pose* pose_a, const B& b, const Pose* pose_b, const R& otherwise, const F& f) {
  if (!pose_a && !pose_b) return f(a, b);
  if constexpr (Placeable<A> && Placeable<B>) {
    return f(placed(a, pose_a), placed(b, pose_b));
  } else if constexpr (Placeable<A>) {
    if (!pose_b) return f(placed(a, pose_a), b);
  } else if constexpr (Placeable<B>) {
    if (!pose_a) return f(a, placed(b, pose_b));
  }
  return otherwise;
}

}  // namespace graze
