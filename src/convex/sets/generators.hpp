// Vertices and directions of the Minkowski difference A - B of two convex sets, identified by index.
#pragma once
#include <cstdint>

#include "convex/sets/convex_set.hpp"
#include "exact/two_double.hpp"

namespace graze {

/// A vertex of one convex set: a base point and, in bit k, the low or high end of segment k.
struct ConvexCorner {
  std::uint32_t base = 0, bits = 0;
  bool operator==(const ConvexCorner&) const = default;
};

/// A generator of A - B: a pair of vertices, or direction `a.base` of A or (negated) `b.base` of B.
struct Generator {
  enum Type : std::uint8_t { point, direction_of_a, direction_of_b } type = point;
  ConvexCorner a, b;
  bool is_direction() const { return type != point; }
  bool operator==(const Generator&) const = default;
};

inline V3<double> v3(const Vec3& v) { return {v.x, v.y, v.z}; }
inline V3<TwoDouble> v3_two(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A corner in pairs of doubles: each coordinate is off by less than 2^-101 of the sizes that it is the sum of.
inline V3<TwoDouble> corner_in_pairs(const ConvexSet& c, const ConvexCorner& k) {
  V3<TwoDouble> r = v3_two(c.base(k.base));
  for (std::uint32_t s = 0; s < c.segments; ++s) {
    const double t = k.bits >> s & 1 ? c.hi[s] : c.lo[s];
    const Vec3& g = c.segment[s];
    r = r + V3<TwoDouble>{two_product(t, g.x), two_product(t, g.y), two_product(t, g.z)};
  }
  return r;
}

}  // namespace graze
