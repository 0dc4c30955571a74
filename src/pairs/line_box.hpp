// Intersection tests of segments, rays and lines with axis-aligned boxes.
#pragma once
#include <graze/shapes/box.hpp>
#include <graze/shapes/line.hpp>
#include <graze/shapes/ray.hpp>
#include <graze/shapes/segment.hpp>

namespace graze {

bool intersects_pair(const Segment& a, const Box& b);
bool intersects_pair(const Ray& a, const Box& b);
bool intersects_pair(const Line& a, const Box& b);

}  // namespace graze
