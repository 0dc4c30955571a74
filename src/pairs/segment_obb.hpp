// Intersection test of a segment and an oriented box.
#pragma once
#include <graze/shapes/oriented_box.hpp>
#include <graze/shapes/segment.hpp>

#include "pairs/detail/rounded_box.hpp"

namespace graze {

/// Returns unknown where doubles cannot distinguish the pair from touching, and for flat boxes and segments without length that no face separates.
Certain intersects_pair(const Segment& segment, const OrientedBox& box);
Certain intersects_pair(const Segment& segment, const RoundedBox& box);

}  // namespace graze
