// Time at which a moving box, triangle or segment without radius first touches another: the axis that separates them longest, in doubles, names the face that
// is met; pairs of doubles prove it. Derivation: docs/derivations/sweep.md.
#pragma once
#include "convex/sets/convex_set.hpp"
#include "exact/certain.hpp"
#include "exact/fine.hpp"
#include "math/v3.hpp"
#include "sweep/linear/contact_search.hpp"

namespace graze::sweeping {

struct PolytopeTime {
  FoundContact found;    ///< three corners of the face that is met
  Fine height, rate;     ///< T = height / rate
  V3<double> normal;     ///< from B to A, of any length, with a relative error of at most 2 * 2^-53
  bool flat[3] = {};     ///< coordinates of the normal that are 0, exactly
  double share[3] = {};  ///< weights of the corners at the point of contact
};

/// A moves by t * motion against B, both small polytopes, all numbers `moderate`; `radii` is the sum of their radii. `no`: there is no contact by `limit`.
/// `yes`: the first contact is in the inside of a face of A - B, after 0; it may be after `limit`. Unknown where neither is certain.
Certain polytope_time(const ConvexSet& a, const V3<TwoDouble>& motion, const ConvexSet& b, const TwoDouble& radii, double limit, PolytopeTime& out);

}  // namespace graze::sweeping
