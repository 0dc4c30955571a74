// Whether two triangles of one mesh meet beyond the corners they share.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze {

/// Returns whether the intersection of two triangles is more than the corners and edges that both share by equal coordinates.
bool intersect_beyond_shared(const Triangle& a, const Triangle& b);

}  // namespace graze
