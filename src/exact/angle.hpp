// Sine and cosine of a product of two doubles, with a proven bound, for any finite angle; the angle of a sine and cosine. Without libm.
#pragma once
#include "exact/two_double.hpp"

namespace graze {

struct SineCosine {
  double sine, cosine;
};

inline constexpr double kSineCosineError = 0x1p-50;

/// Of a * b radians, the product taken exactly; both within kSineCosineError of the truth (absolutely); (0, 1) exactly for 0. a and b finite, |b| <= 1.
SineCosine sine_cosine(double a, double b);

/// The angle in [0, pi] whose sine and cosine are proportional to s >= 0 and c, not both 0; within 2^-49.
double angle_of(double s, double c);

}  // namespace graze
