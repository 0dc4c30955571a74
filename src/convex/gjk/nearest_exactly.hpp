// The exact tier of the generic decision: the nearest point of A - B to the origin in unlimited integers.
#pragma once
#include <cstdint>
#include <vector>

#include "convex/gjk/gjk.hpp"
#include "convex/sets/convex_set.hpp"
#include "convex/sets/generators.hpp"
#include "exact/big.hpp"

namespace graze {

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

/// A vertex or direction of A - B.
struct IntegerVertex {
  Generator g;
  BigInt level;  ///< X . vertex; 0 for a direction
};

struct IntegerPair {
  IntegerConvexSet a, b;
  BigInt reach;  ///< radius_a + radius_b + extra
  int exponent = 0;
  IntegerPair(const ConvexSet& a, const ConvexSet& b, double extra);
  V3<BigInt> operator()(const Generator& g) const;
  /// The vertex of A - B least along X, or a direction with X . direction < 0 if there is one.
  IntegerVertex least(const V3<BigInt>& X) const;
};

/// The result of the exact search: the face of A - B nearest to the origin, proven.
struct ExactNearest : PlacedSimplex<Generator, BigInt> {
  Nearest<BigInt> nearest;  ///< its generators are those of the face, in the same order

  const V3<BigInt>& direction() const { return nearest.X; }
  void to_nearest();
};

/// Nearest point of A - B to the origin in integers, starting from a proposal (may be empty). With `stop_early` the search returns as soon as the comparison
/// with `reach` is certain: `sign` is then the sign of |x| - reach, though x need not be the nearest point yet.
ExactNearest nearest_exactly(const IntegerPair& pair, const Simplex<Generator>& proposal, bool stop_early, int& sign);

/// The nearest point as a difference: the contribution of each side, times nearest.total.
struct Contributions {
  V3<BigInt> a{0, 0, 0}, b{0, 0, 0};
};
Contributions contributions(const IntegerPair& pair, const ExactNearest& near);

}  // namespace graze
