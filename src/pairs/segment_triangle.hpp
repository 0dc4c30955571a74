// Intersection test of a segment and a triangle.
#pragma once
#include <graze/shapes/segment.hpp>
#include <graze/shapes/triangle.hpp>

namespace graze {

bool intersects_pair(const Segment& segment, const Triangle& triangle);

}  // namespace graze
