// Generators and error slacks shared by the filters of round shapes and segments against oriented boxes.
#pragma once
#include <graze/shapes/oriented_box.hpp>

#include "pairs/detail/certain.hpp"

namespace graze::filter {

/// Half an edge of an oriented box. Each component is off by at most u of itself, or half a denormal.
inline Triple generator(const OrientedBox& b, int k) {
  const Vec3& axis = b.axes[static_cast<std::size_t>(k)];
  return {axis.x * b.half[k], axis.y * b.half[k], axis.z * b.half[k]};
}
inline constexpr double kTinySquare = 0x1p-1000;  ///< added to divisors: for a generator of length 0 any coordinate is valid

/// Slacks, derived in docs/derivations/round_boxes.md: for the length of x, and for x . (a - b) per unit of |x|_1; each is multiplied by the sizes of the
/// operands.
inline constexpr double kSphereBoxSlack = 16 * kUnitRoundoff, kCapsuleBoxSlack = 24 * kUnitRoundoff;
inline constexpr double kSegmentBoxSlack = 96 * kUnitRoundoff;  ///< derived in segment_obb.cpp

}  // namespace graze::filter
