// Spheres that nearly touch: decided in doubles with their rounding errors, then by the exact sign.
#include "pairs/sphere_sphere.hpp"

#include <algorithm>
#include <cmath>

#include "exact/predicates.hpp"
#include "exact/two_double.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

// With x + x' = a.x - b.x, ..., t + t' = r + s exactly (two_sum), |a - b|^2 - (r + s)^2 is the sum of x^2, y^2, z^2, -t^2, of 2 x x', ..., -2 t t', and of the
// squares of the small parts, which are below u |x x'| and left out. Each square is a double and its exact error; the sum of the four doubles is one double and
// its three exact errors. All these errors are added in doubles, by fewer than eight additions each, so the excess is off by 10 u of the sum of their sizes.
// Where all errors are 0, as on a grid, the excess is exact, also in contact.
bool close_balls_meet(const Vec3& a, const Vec3& b, double r, double s) {
  const TwoDouble x = two_sum(a.x, -b.x), y = two_sum(a.y, -b.y), z = two_sum(a.z, -b.z), t = two_sum(r, s);
  const TwoDouble xx = two_product(x.hi, x.hi), yy = two_product(y.hi, y.hi), zz = two_product(z.hi, z.hi), tt = two_product(t.hi, t.hi);
  const TwoDouble first = two_sum(xx.hi, yy.hi), second = two_sum(zz.hi, -tt.hi), sum = two_sum(first.hi, second.hi);
  const double x2 = 2 * (x.hi * x.lo), y2 = 2 * (y.hi * y.lo), z2 = 2 * (z.hi * z.lo), t2 = 2 * (t.hi * t.lo);
  const double low = ((xx.lo + yy.lo) + (zz.lo - tt.lo)) + ((first.lo + second.lo) + sum.lo) + ((x2 + y2) + (z2 - t2)), excess = sum.hi + low;
  const double errors =
      (((std::fabs(xx.lo) + std::fabs(yy.lo)) + (std::fabs(zz.lo) + std::fabs(tt.lo))) + ((std::fabs(first.lo) + std::fabs(second.lo)) + std::fabs(sum.lo))) +
      ((std::fabs(x2) + std::fabs(y2)) + (std::fabs(z2) + std::fabs(t2)));
  const double small = (std::fabs(x.lo) + std::fabs(y.lo)) + (std::fabs(z.lo) + std::fabs(t.lo));
  // Below 2^300 nothing overflows. Squares of numbers above 2^-400 have exact errors, and the loss of smaller ones is below 2^-1070, negligible beside 2^-900.
  const double far = std::max(max_norm(V3<double>{x.hi, y.hi, z.hi}), t.hi);
  const auto plain = [](double v) { return (v == 0) | (std::fabs(v) > 0x1p-400); };
  const bool exact = (errors + small == 0) & plain(x.hi) & plain(y.hi) & plain(z.hi) & plain(t.hi);
  if ((far < 0x1p300) & ((std::fabs(excess) > errors * (filter::kCloseBallsSlack * kUnitRoundoff) + 0x1p-900) | exact)) [[likely]]
    return excess <= 0;
  return compare_squared_distance(a, b, r, s, 0) <= 0;
}

}  // namespace graze
