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
/// Whether the axes are equal, opposite, or both along one coordinate axis. Their cross product is then exactly 0 and separates nothing. These are the most
/// common axes that doubles leave undecided.
inline bool plainly_parallel(const double* a, const double* b) {
  const int zeros_a = (a[0] == 0) | (a[1] == 0) << 1 | (a[2] == 0) << 2, zeros_b = (b[0] == 0) | (b[1] == 0) << 1 | (b[2] == 0) << 2;
  if (zeros_a == zeros_b && (zeros_a == 3 || zeros_a == 5 || zeros_a == 6)) return true;
  return (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) || (a[0] == -b[0] && a[1] == -b[1] && a[2] == -b[2]);
}

inline constexpr double kTinySquare = 0x1p-1000;  ///< added to divisors: for a generator of length 0 any coordinate is valid

/// Slacks, derived in docs/derivations/round_boxes.md: for the length of x, and for x . (a - b) per unit of |x|_1; each is multiplied by the sizes of the
/// operands.
inline constexpr double kSphereBoxSlack = 16 * kUnitRoundoff, kCapsuleBoxSlack = 24 * kUnitRoundoff;
inline constexpr double kSegmentBoxSlack = 96 * kUnitRoundoff;  ///< derived in segment_obb.cpp

}  // namespace graze::filter
