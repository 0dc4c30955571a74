// Simple bounding volumes of convex shapes.
#pragma once
#include <optional>

#include "convex/sets/convex_set.hpp"

namespace graze {

/// A simple bounding volume of a shape (ball, capsule or box), and how far the shape may protrude from it: by roundings of the box's axes, and by the distance
/// at which curved shapes may report contact early.
struct BoundingVolume {
  ConvexSet convex;
  double more = 0;
};

/// Empty for unbounded shapes.
std::optional<BoundingVolume> bounding_volume(const ConvexSet& c);

}  // namespace graze
