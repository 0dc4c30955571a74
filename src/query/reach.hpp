// How far a bounded shape reaches from a point.
#pragma once
#include <graze/shapes.hpp>

namespace graze {

/// At least the greatest distance of a point of the shape from `center`: for shapes made of vertices the smallest such double, for others at most a few units
/// in the last place more. 0 for an empty shape, infinity for an unbounded one and beyond the largest double.
double reach(ShapeRef shape, const Vec3& center);

}  // namespace graze
