// The bounding box of a convex set, rounded outward; infinite along its unbounded directions.
#pragma once
#include "convex/sets/convex_set.hpp"
#include "math/box3.hpp"

namespace graze {

/// Returns a box that contains the convex set. Bounds that need no rounding are exact: those of a point, a triangle, a Box.
Box3 bounds(const ConvexSet& convex);

}  // namespace graze
