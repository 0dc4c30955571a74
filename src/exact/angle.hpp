// Sine and cosine of a product of two doubles with a proven bound, for any finite angle, and the angle of a given sine and cosine. Does not use libm.
#pragma once
#include "exact/two_double.hpp"

namespace graze {

struct SineCosine {
  double sine, cosine;
};

inline constexpr double kSineCosineError = 0x1p-50;

/// Sine and cosine of a * b radians, where the product is exact. Both have an absolute error of at most kSineCosineError; the result for 0 is exactly (0, 1).
/// Requires a and b finite and |b| <= 1.
SineCosine sine_cosine(double a, double b);

/// Returns the angle in [0, pi] whose sine and cosine are proportional to s >= 0 and c, not both 0. The error is at most 2^-49.
double angle_of(double s, double c);

}  // namespace graze
