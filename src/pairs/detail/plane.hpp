// Intersection tests of planes and half-spaces with points, segments, triangles, spheres, capsules, boxes and oriented boxes, by signs of normal . (corner -
// point).
#pragma once
#include <graze/shapes/box.hpp>
#include <graze/shapes/capsule.hpp>
#include <graze/shapes/half_space.hpp>
#include <graze/shapes/oriented_box.hpp>
#include <graze/shapes/plane.hpp>
#include <graze/shapes/point.hpp>
#include <graze/shapes/segment.hpp>
#include <graze/shapes/sphere.hpp>
#include <graze/shapes/triangle.hpp>

#include "pairs/detail/certain.hpp"

namespace graze {

bool intersects_pair(const Point& a, const Plane& b);
bool intersects_pair(const Point& a, const HalfSpace& b);
bool intersects_pair(const Segment& a, const Plane& b);
bool intersects_pair(const Segment& a, const HalfSpace& b);
bool intersects_pair(const Triangle& a, const Plane& b);
bool intersects_pair(const Triangle& a, const HalfSpace& b);
bool intersects_pair(const Sphere& a, const Plane& b);
bool intersects_pair(const Sphere& a, const HalfSpace& b);
bool intersects_pair(const Capsule& a, const Plane& b);
bool intersects_pair(const Capsule& a, const HalfSpace& b);
bool intersects_pair(const Box& a, const Plane& b);
bool intersects_pair(const Box& a, const HalfSpace& b);
Certain intersects_pair(const OrientedBox& a, const Plane& b);
Certain intersects_pair(const OrientedBox& a, const HalfSpace& b);

}  // namespace graze
