// Intersection test of a sphere and an oriented box.
#pragma once
#include <graze/shapes/oriented_box.hpp>
#include <graze/shapes/sphere.hpp>

#include "pairs/detail/rounded_box.hpp"

namespace graze {

/// Returns unknown where doubles cannot distinguish the pair from touching, and for boxes whose axes are far from right angles when the centre is near enough.
Certain intersects_pair(const Sphere& ball, const OrientedBox& box);
Certain intersects_pair(const Sphere& ball, const RoundedBox& box);

}  // namespace graze
