// Decision, distance and closest points of curved shapes against convex sets and against each other.
#pragma once
#include <optional>

#include "convex/curved/curved.hpp"
#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "convex/minkowski/local_pair.hpp"

namespace graze {

/// Whether the distance is at most `extra`. Exact for: convex sets of one point and any radius (points, spheres) and, with extra = 0, planes and half-spaces
/// against cylinders and cones, whole or truncated; any convex set of radius 0, with extra = 0, against ellipsoids of three positive radii. For all other
/// pairs: false only if the sets are truly more than `extra` apart; true only if they are at most extra + delta apart, delta = 2^-43 of the largest curved
/// extent (and at least 2^-85 of the largest distance between points of both shapes). Exchanging two curved operands changes nothing.
bool within(const Curved& a, const ConvexSet& b, double extra = 0);
bool within(const Curved& a, const Curved& b, double extra = 0);
inline bool within(const ConvexSet& a, const Curved& b, double extra = 0) { return within(b, a, extra); }

/// The search in doubles, and whether it decided.
struct LocalSearch {
  Nearby<double> near;
  bool by_doubles = false;
};
/// within() for a pair, A curved and B convex unless that is null, with its search, which with a tolerance goes on until the bounds of the distance agree to
/// that where doubles prove the operands to be apart.
bool within_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex, double extra, LocalSearch& search,
                  std::optional<double> tolerance = std::nullopt);

/// The distance is 0 exactly when within(a, b, 0); then both witnesses are one point. Otherwise the distance is off by at most 2^-40 of the largest extent (and
/// 2^-52 of itself), and the distance between the witnesses agrees with it to that accuracy.
ConvexClosest closest(const Curved& a, const ConvexSet& b);
ConvexClosest closest(const Curved& a, const Curved& b);
ConvexClosest closest(const ConvexSet& a, const Curved& b);

}  // namespace graze
