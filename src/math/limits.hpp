// The two ends of the doubles.
#pragma once

#include <limits>

namespace graze {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kLargest = std::numeric_limits<double>::max();

}  // namespace graze
