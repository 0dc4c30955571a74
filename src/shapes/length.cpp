// Compares lengths exactly: sums of squares in double-double arithmetic, or in big integers when they are too close.
#include "shapes/length.hpp"

#include <algorithm>
#include <cmath>

#include "exact/big.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"

namespace graze {
double scaled_length(const Vec3& v) {
  const double m = max_norm(v);
  if (!(m > 0) || !(m <= kLargest)) return m;
  const int e = exponent_of(m);
  const Vec3 s = scaled(v, -e);
  return scaled(std::sqrt(dot(s, s)), e);
}

// Compares at a common scale in double-double arithmetic, or in big integers when the lengths are too close.
bool not_longer(const Vec3& a, const Vec3& b) {
  const int e = exponent_of(std::max(max_norm(a), max_norm(b)));
  if (e < -50000) return true;
  auto square = [&](const Vec3& v) {
    TwoDouble s(0.0);
    for (int k = 0; k < 3; ++k) s = s + two_product(scaled(v[k], -e), scaled(v[k], -e));
    return s;
  };
  const TwoDouble gap = square(b) - square(a);
  if (gap.hi > 0x1p-90) return true;
  if (gap.hi < -0x1p-90) return false;
  Dyadic exact(0.0);
  for (int k = 0; k < 3; ++k) exact = exact + Dyadic(b[k]) * Dyadic(b[k]) - Dyadic(a[k]) * Dyadic(a[k]);
  return sign_of(exact) >= 0;
}

Vec3 not_longer_than(const Vec3& v, Vec3 r) {
  while (!not_longer(r, v)) {
    int k = 0;
    for (int i = 1; i < 3; ++i)
      if (std::fabs(r[i]) > std::fabs(r[k])) k = i;
    r[k] = r[k] > 0 ? next_down(r[k]) : next_up(r[k]);
  }
  return r;
}

}  // namespace graze
