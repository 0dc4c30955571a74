// Intersection test of a sphere and a triangle.
#pragma once
#include <graze/shapes/sphere.hpp>
#include <graze/shapes/triangle.hpp>

namespace graze {

bool intersects_pair(const Triangle& triangle, const Sphere& sphere);

}  // namespace graze
