// Vertices and directions of the Minkowski difference A - B of two convex sets, identified by index, and their coordinates as doubles, pairs of doubles or
// integers.
#pragma once
#include <cstdint>
#include <vector>

#include "convex/convex_set.hpp"
#include "convex/nearest-inl.hpp"
#include "exact/big.hpp"
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

struct Simplex {
  Generator g[5];
  int n = 0;
  bool contains(const Generator& x) const {
    for (int k = 0; k < n; ++k)
      if (g[k] == x) return true;
    return false;
  }
};

inline V3<double> v3(const Vec3& v) { return {v.x, v.y, v.z}; }
inline V3<TwoDouble> v3_two(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A convex set in integers with a common exponent: coordinate = integer * 2^exponent. Each direction is scaled by a power of two of its own.
struct IntegerConvexSet {
  std::vector<V3<BigInt>> base;
  V3<BigInt> low[5], high[5];
  std::vector<V3<BigInt>> direction;
  std::uint32_t segments = 0;

  V3<BigInt> corner(const ConvexCorner& c) const {
    V3<BigInt> p = base[c.base];
    for (std::uint32_t k = 0; k < segments; ++k) p = p + (c.bits >> k & 1 ? high[k] : low[k]);
    return p;
  }
  /// The corner least along X; stores X . corner in `value`.
  ConvexCorner least(const V3<BigInt>& X, BigInt& value) const;
};

struct IntegerPair {
  IntegerConvexSet a, b;
  BigInt reach;  ///< radius_a + radius_b + extra
  int exponent = 0;
  IntegerPair(const ConvexSet& a, const ConvexSet& b, double extra);
  V3<BigInt> operator()(const Generator& g) const;
};

/// The result of the exact search: the face of A - B nearest to the origin, proven.
struct ExactNearest {
  Simplex simplex;  ///< generators of the face only, in the order of `nearest`
  Nearest<BigInt> nearest;
  V3<BigInt> g[4];
};

/// Nearest point of A - B to the origin in integers, starting from a proposal (may be empty). With `stop_early` the search returns as soon as the comparison
/// with `reach` is certain: `sign` is then the sign of |x| - reach, though x need not be the nearest point yet.
ExactNearest nearest_exactly(const IntegerPair& pair, const Simplex& proposal, bool stop_early, int& sign);

/// The nearest point as a difference: the contribution of each side, times nearest.total.
struct Contributions {
  V3<BigInt> a{0, 0, 0}, b{0, 0, 0};
};
Contributions contributions(const IntegerPair& pair, const ExactNearest& near);

}  // namespace graze
