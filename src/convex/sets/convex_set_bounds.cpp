// Bounding boxes by directed rounding: sums and products are rounded to nearest, then moved one step outward unless the result is known to be exact.
#include "convex/sets/convex_set_bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "math/limits.hpp"

namespace graze {
namespace {

double step_up(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if ((bits << 1) == 0) return std::bit_cast<double>(std::uint64_t{1});
  if (!(x < kInfinity)) return x;
  return std::bit_cast<double>(bits >> 63 ? bits - 1 : bits + 1);
}

double sum_up(double a, double b) {
  const double s = a + b;
  if (!(std::fabs(s) <= kLargest)) return s < 0 ? -kLargest : s;
  const double bb = s - a, error = (a - (s - bb)) + (b - bb);  // two-sum: exact unless it overflows, and an overflowing sum is rounded up anyway
  return error > 0 || error != error ? step_up(s) : s;
}

double multiply_up(double a, double b) {
  const double p = a * b;
  if (a == 0 || b == 0 || std::fabs(a) == 1 || std::fabs(b) == 1) return p;
  if (p == -kInfinity) return -kLargest;
  return step_up(p);
}

/// The upper bound along axis i of the convex set mirrored by `sign`. The lower bound of the convex set is minus the upper bound of the mirrored one.
double upper(const ConvexSet& c, int i, double sign) {
  double top = -kInfinity;
  for (std::uint32_t k = 0; k < c.points; ++k) top = std::max(top, sign * c.base(k)[i]);
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double v = sign * c.segment[k][i];
    if (v != 0) top = sum_up(top, multiply_up(v, v > 0 ? c.hi[k] : c.lo[k]));
  }
  if (c.radius != 0) top = sum_up(top, c.radius);
  for (std::uint32_t k = 0; k < c.directions; ++k) {
    if (sign * c.direction[k][i] > 0) top = kInfinity;
  }
  return top;
}

}  // namespace

Box3 bounds(const ConvexSet& convex) {
  Box3 box;
  if (convex.is_ball()) {
    const Vec3 p = convex.base(0);
    for (int i = 0; i < 3; ++i) {
      box.hi[i] = convex.radius != 0 ? sum_up(p[i], convex.radius) : p[i];
      box.lo[i] = -(convex.radius != 0 ? sum_up(-p[i], convex.radius) : -p[i]);
    }
    return box;
  }
  for (int i = 0; i < 3; ++i) {
    box.hi[i] = upper(convex, i, 1);
    box.lo[i] = -upper(convex, i, -1);
  }
  return box;
}

}  // namespace graze
