// Intersection test of a capsule and an oriented box.
#pragma once
#include <graze/shapes/capsule.hpp>
#include <graze/shapes/oriented_box.hpp>

#include "pairs/detail/rounded_box.hpp"

namespace graze {

/// Returns unknown where doubles cannot distinguish the pair from touching, for radius 0 when the pair meets, and for boxes whose axes are far from right
/// angles when the capsule is near enough.
Certain intersects_pair(const OrientedBox& box, const Capsule& capsule);
Certain intersects_pair(const RoundedBox& box, const Capsule& capsule);

}  // namespace graze
