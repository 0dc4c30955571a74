// Intersection tests of rays and lines with spheres.
#pragma once
#include <graze/shapes/line.hpp>
#include <graze/shapes/ray.hpp>
#include <graze/shapes/sphere.hpp>

namespace graze {

bool intersects_pair(const Ray& a, const Sphere& b);
bool intersects_pair(const Line& a, const Sphere& b);

}  // namespace graze
