// Distance and closest points of two linear or round convex shapes.
#pragma once
#include <graze/pair_hint.hpp>
#include <limits>
#include <optional>

#include "convex/sets/convex_set.hpp"

namespace graze {

struct ConvexClosest {
  double distance;  ///< within 1e-15 relative or one denormal; 0 exactly when they intersect; saturates at the largest double
  Vec3 on_a, on_b;  ///< equal when distance is 0
};
/// With a hint the search begins with the face that it names, and replaces it; the result is the same.
ConvexClosest closest(const ConvexSet& a, const ConvexSet& b, PairHint* hint = nullptr);

/// closest() where it needs no integers, which are dear; else bounds of the distance, to about 1e-28 of the coordinates for sets without a radius.
struct ClosestOrBounds {
  std::optional<ConvexClosest> closest;
  double lo = 0, hi = std::numeric_limits<double>::infinity();
};
ClosestOrBounds closest_without_integers(const ConvexSet& a, const ConvexSet& b);

/// Distance of the hulls less both radii. Negative where the balls overlap; 0 exactly when they touch; within 1e-15 relative or one denormal. For hulls that
/// intersect: minus the radii.
double signed_gap(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
