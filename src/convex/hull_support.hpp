// The support function of hulls with many points. The direction is turned into the hull's frame, so that no point is placed, and all points are compared in
// SIMD lanes.
#pragma once
#include <cstdint>

#include "convex/convex_set.hpp"
#include "math/v3.hpp"
#include "shapes/hull_data.hpp"

namespace graze {

/// A direction in the frame of a hull's points.
class HullDirection {
 public:
  /// Requires c.hull.
  HullDirection(const ConvexSet& c, const V3<double>& x);

  /// The index among the points of one that is least along x up to hull_error(c) |x|_1, as placed. Of points that round to one value the first corner.
  std::uint32_t least() const;
  /// The value that the following compares for point i.
  double at(std::uint32_t i) const;
  /// How many distinct points have a value of at most `limit`. Those of two placed points differ from x . (p - q) by at most hull_error(c) |x|_1.
  std::size_t count(double limit) const;

 private:
  const HullData& hull_;
  double d_[3];
};

/// An upper bound of the coordinates of all placed points.
double hull_size(const ConvexSet& c);
/// Twice the error of a value, per unit of |x|_1. With S the largest coordinate of a point and T that of the translation, a placed point is off by 4 u (3 S +
/// T) in each coordinate (three products, three sums), the direction by 3 u |x|_1 times a coordinate sum of 3 S, and its product with a point by as much:
/// together u (30 S + 4 T), twice. So 32 u times the bound hull_size() of all coordinates, which is at least 1.7 S + T, is not exceeded by the choice of a
/// vertex in ScaledPair.
double hull_error(const ConvexSet& c);

}  // namespace graze
