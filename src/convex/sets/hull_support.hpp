// The support function of hulls. The direction is turned into the hull's frame, so that no point is placed. Two ways: all points compared in SIMD lanes, which
// is within a bound of the least; and climbing along edges, which is a proposal.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "convex/sets/convex_set.hpp"
#include "convex/sets/hull_kernels.hpp"
#include "math/v3.hpp"
#include "shapes/hull_data.hpp"

namespace graze {

/// A direction in the frame of a hull's points.
class HullDirection {
 public:
  /// Requires c.hull.
  HullDirection(const ConvexSet& c, const V3<double>& x, const HullKernels& kernels = hull_kernels()) : hull_(*c.hull), kernels_(kernels), d_{x.x, x.y, x.z} {
    if (!c.pose) return;
    const auto& r = c.pose->rotation;
    for (int j = 0; j < 3; ++j) d_[j] = (r[0][j] * x.x + r[1][j] * x.y) + r[2][j] * x.z;
  }

  /// The index among the points of one that is least along x up to hull_error(c) |x|_1, as placed. Of points that round to one value the first corner.
  std::uint32_t least() const;
  /// The number of a corner (index into HullData::corners) that is nearly the farthest along x: exact arithmetic would find the farthest, but climbing from
  /// corner `start` may end early where the hull is flat to the precision of doubles. Up to kScanned corners are all compared instead.
  std::uint32_t highest_corner(std::uint32_t start) const { return hull_.corner_arrays.index.size() <= kScanned ? farthest_corner() : climb(start); }
  /// The number of the corner that is the farthest as computed, the first of equal ones.
  std::uint32_t farthest_corner() const {
    const double down[3] = {-d_[0], -d_[1], -d_[2]};
    return kernels_.least(arrays_of(hull_.corner_arrays), down);
  }
  /// The value that the following compares for point i.
  double at(std::uint32_t i) const { return along(hull_.points[i]); }
  double along(const Vec3& p) const { return (d_[0] * p.x + d_[1] * p.y) + d_[2] * p.z; }  ///< p in the hull's frame
  /// How many distinct points have a value of at most `limit`. Those of two placed points differ from x . (p - q) by at most hull_error(c) |x|_1.
  std::size_t count(double limit) const;
  /// Calls f with the number of each corner that has a value of at least `limit`, in order, until that returns false. Returns whether it never did.
  template <class F>
  bool for_corners_from(double limit, const F& f) const {
    const double down[3] = {-d_[0], -d_[1], -d_[2]};
    const CoordinateArrays corners = arrays_of(hull_.corner_arrays);
    for (std::size_t first = 0; first < corners.n; first += 64)
      for (std::uint64_t bits = kernels_.up_to(corners, down, -limit, first); bits != 0; bits &= bits - 1)
        if (!f(static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(std::countr_zero(bits)))) return false;
    return true;
  }

 private:
  static constexpr std::size_t kScanned = 64;  ///< up to this number of corners, comparing them all is faster than climbing
  std::uint32_t climb(std::uint32_t start) const;
  static CoordinateArrays arrays_of(const PointArrays& a) { return {a.coordinates.data(), a.stride, a.index.size()}; }
  const HullData& hull_;
  const HullKernels& kernels_;
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
