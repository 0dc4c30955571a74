// Two convex sets for the double tiers: scaled by a power of two so that all coordinates stay below 1 in size, with recession cones cut to finite segments and
// a bound on the error of every coordinate.
#pragma once
#include "convex/sets/generators.hpp"

namespace graze {

struct HullKernels;

/// A vertex of A - B.
template <class N>
struct ScaledVertex {
  Generator g;
  V3<N> w;
};

/// Coordinates of vertices of A - B in units of 1 / scale. Unlike those of a LocalPair or DoublePair, vertices have names, with which integers continue, and
/// are chosen in world coordinates: another frame would give distances other bits.
/// Size bound: magnitude(c) >= |coordinate| for every vertex of c and for every partial sum base + sum coefficient * segment. scale = 2^-k with scale *
/// (magnitude_a + magnitude_b) in (1/4, 1/2], so |w| <= 1.
/// Error bound: a vertex is a difference of two points and at most 10 products added to it, each product and each sum rounded once: at most 11 roundings of
/// partial results of size <= 1/2 (scaled), products that sum to 1/2, and at most 30 underflows of 2^-1074 before scaling, which scale <= 2^800 keeps below
/// 2^-269. Hence |w computed - w| <= 16 u =: kCoordinateError, u = 2^-53. The choice of a vertex costs at most 32 u |x|_1 (for hulls see hull_error()).
/// Cut cones: the closest points of a bounded set B and an unbounded A = p + cone lie in the ball |y| <= Y, Y = 4 (magnitude_a + magnitude_b + reach); with the
/// generators that shapes of this library have (a ray's or line's direction; two in-plane directions of a plane, one component of each being the largest of the
/// normal; the normal) a point of that ball needs multiples of at most 16 Y / |d|. So contact, distance and its witnesses are unchanged when every direction d
/// is cut to the segment [0, 16 Y / |d|] d. Two unbounded convex sets are left to the exact tier.
class ScaledPair {
 public:
  ScaledPair(const ConvexSet& a, const ConvexSet& b, double extra);
  /// Returns false when doubles cannot be used (huge, tiny or both unbounded).
  bool usable() const { return usable_; }
  const ConvexSet& a() const { return *a_; }
  const ConvexSet& b() const { return *b_; }
  /// Whether the proposal can be handed to the exact tier (no cone was cut).
  bool same_generators() const { return a_ == given_a_ && b_ == given_b_; }
  double scale() const { return scale_; }
  int scale_exponent() const { return scale_exponent_; }
  double reach() const { return reach_; }  ///< (radius_a + radius_b + extra) * scale, relative error at most 4 u
  TwoDouble fine_reach() const { return TwoDouble(radius_a()) + TwoDouble(radius_b()) + TwoDouble(extra_ * scale_); }  ///< the same, of 2^-101
  double radius_a() const { return a_->radius * scale_; }
  double radius_b() const { return b_->radius * scale_; }

  V3<double> point(const Generator& g) const;
  /// From about the middle of B to that of A: a direction to start with.
  V3<double> between_middles() const;
  V3<TwoDouble> point_two(const Generator& g) const;
  V3<TwoDouble> corner_two(const ConvexSet& c, const ConvexCorner& k) const;
  /// The vertex of A - B least along x.
  ScaledVertex<double> least(const V3<double>& x) const {
    const Generator g = least_generator(x);
    return {g, point(g)};
  }
  ScaledVertex<TwoDouble> least(const V3<TwoDouble>& x) const {
    Generator g;
    g.a = fine_least(*a_, x, 1);
    g.b = fine_least(*b_, x, -1);
    return {g, point_two(g)};
  }

 private:
  Generator least_generator(const V3<double>& x) const;
  ConvexCorner least_corner(const ConvexSet& c, const V3<double>& x, double sign) const;
  ConvexCorner fine_least(const ConvexSet& c, const V3<TwoDouble>& x, double sign) const;

  const HullKernels& kernels_;
  const ConvexSet *given_a_, *given_b_, *a_, *b_;
  ConvexSet cut_;
  bool usable_ = false;
  double scale_ = 1, reach_ = 0, extra_;
  int scale_exponent_ = 0;
};

inline constexpr double kCoordinateError = 16 * 0x1p-53;  ///< of point(), per coordinate

}  // namespace graze
