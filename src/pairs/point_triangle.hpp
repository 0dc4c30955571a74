// Point against triangle, exact, and the crossing of an axis-parallel ray for winding numbers.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze {

/// Whether the closed triangle (any degeneracy) contains the point.
bool triangle_contains(const Triangle& triangle, const Vec3& point);

/// Signed crossings of the ray from `point` (not on the triangle) towards +x with the triangle, by the half-open rule in y and z: -1, 0 or +1. The sum over a
/// closed oriented surface is the winding number of the point.
int winding_crossing(const Triangle& triangle, const Vec3& point);

}  // namespace graze
