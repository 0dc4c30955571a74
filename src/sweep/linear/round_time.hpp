// Time at which a ball or capsule on a straight path first touches a triangle, once no other contact can come before: one step of Newton's method, whose
// residual is computed in pairs of doubles. Derivation: docs/derivations/sweep.md.
#pragma once
#include "convex/sets/convex_set.hpp"
#include "exact/fine.hpp"
#include "math/v3.hpp"
#include "sweep/linear/contact_search.hpp"

namespace graze::sweeping {

struct RoundTime {
  Fine time;
  FoundContact found;    ///< the corners that touch
  double share[3] = {};  ///< their weights at the point of contact
  V3<double> normal;     ///< from B to A, of any length, with a relative error of at most 8 * 2^-53
};

/// A, one or two points, moves by t * motion against B: one to three points. `radii` is the sum of their radii. Requires that no contact is before `start` > 0,
/// which should be near the first one, and that all numbers are `moderate`. Returns false where the result is not certain.
bool round_time(const ConvexSet& a, const TwoDouble (&motion)[3], const TwoDouble& radii, const ConvexSet& b, double start, RoundTime& out);

}  // namespace graze::sweeping
