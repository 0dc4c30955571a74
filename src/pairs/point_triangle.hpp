// Point against triangle, exact, and the crossing of an axis-parallel ray for winding numbers.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze {

/// Does the closed triangle (any degeneracy) contain the point?
bool triangle_contains(const Triangle& triangle, const Vec3& point);

/// Signed crossings of the ray from `point` (not on the triangle) towards +x with the triangle, by the half-open rule in y and z: -1, 0 or +1; summed over a
/// closed oriented surface this is the winding number of the point.
int winding_crossing(const Triangle& triangle, const Vec3& point);

}  // namespace graze
