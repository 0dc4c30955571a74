// The pairs of shapes that have an exact function of their own, in front of the generic decision: `intersects_pair(a, b)` in either order. The table of `intersects` finds them here.
#pragma once
#include <graze/shapes/sphere.hpp>

#include "exact/predicates.hpp"
#include "pairs/triangle_triangle.hpp"

namespace graze {

inline bool intersects_pair(const Triangle& a, const Triangle& b) { return triangles_intersect(a, b); }
inline bool intersects_pair(const Sphere& a, const Sphere& b) { return compare_squared_distance(a.center, b.center, a.radius, b.radius, 0) <= 0; }

}  // namespace graze
