// Intersection test of a triangle and an axis-aligned box.
#pragma once
#include <graze/shapes/box.hpp>
#include <graze/shapes/triangle.hpp>

namespace graze {

bool intersects_pair(const Triangle& triangle, const Box& box);

}  // namespace graze
