// Time at which a ball on a straight path first touches a triangle, once no other contact can come before: one step of Newton's method, whose residual is
// computed in pairs of doubles. Derivation: docs/derivations/sweep.md.
#pragma once
#include <cstdint>

#include "convex/convex_set.hpp"
#include "convex/nearest-inl.hpp"
#include "exact/fine.hpp"

namespace graze::sweeping {

struct BallTime {
  Fine time;
  int count = 0;  ///< number of b's corners that touch
  std::uint32_t corner[3];
  V3<double> normal;  ///< towards the ball, of any length, with a relative error of at most 8 * 2^-53
};

/// A ball that moves by t * motion against b: a convex set of 1 to 3 points. Requires that no contact is before `start` > 0, which should be near the first
/// one, and that all numbers are `moderate`. Returns false where the result is not certain.
bool ball_time(const Vec3& center, const TwoDouble (&motion)[3], const TwoDouble& radii, const ConvexSet& b, double start, BallTime& out);

}  // namespace graze::sweeping
