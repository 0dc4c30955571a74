// An upper bound of the distance from a point to the furthest point of a shape.
#pragma once
#include <graze/shapes.hpp>

namespace graze {

/// Returns a double that is at least the greatest distance of a point of the shape from `center`. For shapes made of vertices it is the smallest such double;
/// for others it is at most a few units in the last place larger. Returns 0 for an empty shape, and infinity for an unbounded one or beyond the largest double.
double reach(ShapeRef shape, const Vec3& center);

}  // namespace graze
