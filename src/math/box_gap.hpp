// How far apart boxes are.
#pragma once
#include <algorithm>
#include <cmath>

#include "math/box3.hpp"

namespace graze {

/// A lower bound of the distance of shapes in two boxes. The gaps of the axes are off by u, their squares and sums by less than 4 u, the root by 3 u; 2^-48 =
/// 32 u.
inline double least_gap(const Box3& a, const Box3& b) {
  double sum = 0, largest = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({a.lo[k] - b.hi[k], b.lo[k] - a.hi[k], 0.0});
    largest = std::max(largest, gap);
    sum += gap * gap;
  }
  if (largest < 0x1p-500 || largest > 0x1p500) return std::min(largest, kLargest) * (1 - 0x1p-48);  // squares might underflow or overflow
  return std::sqrt(sum) * (1 - 0x1p-48);
}

}  // namespace graze
