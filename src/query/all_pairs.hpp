// Pairs of shapes that have an exact function of their own: `intersects_pair(a, b)`, with the shapes in the order of the list `Shapes` or reversed. The
// dispatch table of `intersects` calls these before the generic decision. A function that returns Certain may leave a case to the generic decision.
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
