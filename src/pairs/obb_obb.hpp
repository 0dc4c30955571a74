// Intersection tests of oriented boxes with oriented boxes, axis-aligned boxes and points.
#pragma once
#include <graze/shapes/box.hpp>
#include <graze/shapes/oriented_box.hpp>
#include <graze/shapes/point.hpp>

#include "pairs/detail/rounded_box.hpp"

namespace graze {

/// Returns unknown only where both boxes are flat or nearly so, or numbers leave the range of doubles.
Certain intersects_pair(const OrientedBox& a, const OrientedBox& b);
Certain intersects_pair(const Box& a, const OrientedBox& b);
Certain intersects_pair(const Point& a, const OrientedBox& b);

/// Returns unknown also where doubles cannot distinguish the pair from touching.
Certain intersects_pair(const OrientedBox& a, const RoundedBox& b);
Certain intersects_pair(const Box& a, const RoundedBox& b);
Certain intersects_pair(const RoundedBox& a, const RoundedBox& b);
Certain intersects_pair(const Point& a, const RoundedBox& b);

}  // namespace graze
