// The bounding box of a convex set, rounded outward; infinite where its directions reach.
#pragma once
#include "convex/convex_set.hpp"
#include "convex/curved.hpp"
#include "math/box3.hpp"

namespace graze {

/// Contains the convex set. Bounds that need no rounding are exact: a point's, a triangle's, a Box's.
Box3 bounds(const ConvexSet& convex);

/// A box that contains the shape; for turned ellipsoids up to sqrt(3) times the smallest.
Box3 bounds(const Curved& curved);

}  // namespace graze
