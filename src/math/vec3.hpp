// Operations on Vec3 in doubles, each with one fixed order of roundings. GLM's functions have none that we could rely on.
#pragma once
#include <algorithm>
#include <cmath>
#include <graze/vec.hpp>
#include "math/limits.hpp"

namespace graze {

inline Vec3 minus(const Vec3& a, const Vec3& b) { return Vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
/// The sum is rounded from left to right.
inline double dot(const Vec3& a, const Vec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) { return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
/// |v|, where the squares neither overflow nor underflow; otherwise see scaled_length in shapes/length.hpp.
inline double length(const Vec3& v) { return std::sqrt(dot(v, v)); }
/// The largest of the absolute coordinates.
inline double max_norm(const Vec3& v) { return std::max(std::max(std::fabs(v.x), std::fabs(v.y)), std::fabs(v.z)); }
/// The sum of the absolute coordinates.
inline double taxicab(const Vec3& v) { return (std::fabs(v.x) + std::fabs(v.y)) + std::fabs(v.z); }

inline Vec3 point_along(const Vec3& p, double t, const Vec3& d) { return Vec3(p.x + t * d.x, p.y + t * d.y, p.z + t * d.z); }
/// Replaces infinite coordinates by the largest double of their sign.
inline Vec3 clamped_to_finite(Vec3 p) {
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], -kLargest, kLargest);
  return p;
}

/// Lexicographic order. Points of a line are ordered along it, in one direction or the other.
inline bool less(const Vec3& p, const Vec3& q) {
  if (p.x != q.x) return p.x < q.x;
  if (p.y != q.y) return p.y < q.y;
  return p.z < q.z;
}

/// Clamps t to [0, 1]; NaN gives 0.
inline double clamp01(double t) { return t > 0 ? (t < 1 ? t : 1) : 0; }

}  // namespace graze
