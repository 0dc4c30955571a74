// The bounding box of a convex set, rounded outward; infinite along its unbounded directions.
#pragma once
#include "convex/convex_set.hpp"
#include "convex/curved.hpp"
#include "math/box3.hpp"

namespace graze {

/// Returns a box that contains the convex set. Bounds that need no rounding are exact: those of a point, a triangle, a Box.
Box3 bounds(const ConvexSet& convex);

/// Returns a box that contains the shape. For rotated ellipsoids it is up to sqrt(3) times the smallest box.
Box3 bounds(const Curved& curved);

}  // namespace graze
