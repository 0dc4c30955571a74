// Boxes that contain a shape, for discarding: cheaper than the smallest one, whatever the number of vertices.
#pragma once
#include <graze/shapes.hpp>

#include "math/box3.hpp"

namespace graze {

/// Returns a box that contains the shape, and of a curved shape whatever queries may count as touching it; empty for an empty one. It depends only on the shape
/// and its pose. O(1); O(number of children) for a compound.
Box3 loose_bounds(ShapeRef shape);

}  // namespace graze
