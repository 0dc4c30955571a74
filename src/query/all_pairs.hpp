// The pairs of shapes that have an exact function of their own, in front of the generic decision: `intersects_pair(a, b)`, the shapes in the order of the list
// `Shapes` or the other. The table of `intersects` finds them here; one that returns Certain may leave the answer to the generic decision.
#pragma once
#include "pairs/box_box.hpp"
#include "pairs/capsule_capsule.hpp"
#include "pairs/capsule_obb.hpp"
#include "pairs/detail/plane.hpp"
#include "pairs/line_box.hpp"
#include "pairs/line_sphere.hpp"
#include "pairs/obb_obb.hpp"
#include "pairs/point_triangle.hpp"
#include "pairs/segment_obb.hpp"
#include "pairs/segment_triangle.hpp"
#include "pairs/sphere_obb.hpp"
#include "pairs/sphere_segment.hpp"
#include "pairs/sphere_sphere.hpp"
#include "pairs/sphere_triangle.hpp"
#include "pairs/triangle_box.hpp"
#include "pairs/triangle_triangle.hpp"

namespace graze {

inline bool intersects_pair(const Triangle& a, const Triangle& b) { return triangles_intersect(a, b); }
inline bool intersects_pair(const Point& a, const Triangle& b) { return triangle_contains(b, a.point); }

}  // namespace graze
