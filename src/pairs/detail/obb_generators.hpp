// What the filters of round shapes and segments against oriented boxes share.
#pragma once
#include <graze/shapes/oriented_box.hpp>

#include "pairs/detail/certain.hpp"

namespace graze::filter {

/// Half an edge of an oriented box: each component off by at most u of itself, or half a denormal.
inline Triple generator(const OrientedBox& b, int k) {
  const Vec3& axis = b.axes[static_cast<std::size_t>(k)];
  return {axis.x * b.half[k], axis.y * b.half[k], axis.z * b.half[k]};
}
inline constexpr double kTinySquare = 0x1p-1000;  ///< added to divisors: along a generator of length 0 any coordinate will do

/// Slacks, derived in docs/derivations/round_boxes.md: of x as a length, and of x . (a - b) for each unit of |x|_1; times the sizes that went in.
inline constexpr double kSphereBoxSlack = 16 * kUnitRoundoff, kCapsuleBoxSlack = 24 * kUnitRoundoff;
inline constexpr double kSegmentBoxSlack = 96 * kUnitRoundoff;  ///< derived in segment_obb.cpp

}  // namespace graze::filter
