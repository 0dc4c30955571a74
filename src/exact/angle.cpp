// Sine and cosine by the argument reduction of M. Payne and R. Hanek (1983), which multiplies only those bits of 2/pi that matter for the angle modulo a turn,
// followed by Taylor polynomials on [-pi/4, pi/4].
#include "exact/angle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "exact/double_parts.hpp"
#include "exact/fixed.hpp"

namespace graze {
namespace {

/// The first 1,280 bits of 2/pi.
constexpr std::uint64_t kTwoOverPi[20] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
                                          0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
                                          0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
                                          0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};
constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;

struct Reduced {
  TwoDouble rest;  ///< |rest| <= pi/4 (1 + 2^-50), error below 2^-100
  int quarters;    ///< modulo 4
};

/// Requires x >= 1/2. With x = m 2^e, m an integer of 53 bits, x * 2/pi is m times the bits of 2/pi from weight 2^(e-...) on: bits of weight 2^2 and above in
/// the product are whole turns. 192 bits from there give the quarters and 130 bits of the fraction: the rest is below m 2^-190 < 2^-137.
Reduced reduce(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0xFFFFFFFFFFFFFull) | 1ull << 52;
  const int e = static_cast<int>(bits >> 52) - 1075;
  const int skip = std::max(0, e - 2), word = skip / 64, shift = skip % 64;
  std::uint64_t w[3];  // most significant first
  for (int i = 0; i < 3; ++i) w[i] = shift == 0 ? kTwoOverPi[word + i] : kTwoOverPi[word + i] << shift | kTwoOverPi[word + i + 1] >> (64 - shift);
  std::uint64_t p[4];  // m * w, least significant first; scale 2^(e - skip - 192)
  UInt128 carry = 0;
  for (int i = 0; i < 3; ++i) {
    carry += static_cast<UInt128>(m) * w[2 - i];
    p[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  p[3] = static_cast<std::uint64_t>(carry);
  const int right = 2 - (e - skip);  // to scale 2^-190: 0 .. 55
  if (right > 0)
    for (int i = 0; i < 4; ++i) p[i] = p[i] >> right | (i < 3 ? p[i + 1] << (64 - right) : 0);
  int quarters = static_cast<int>(p[2] >> 62);
  std::uint64_t high = p[2] << 2 | p[1] >> 62, low = p[1] << 2 | p[0] >> 62;  // fraction of a quarter, 128 bits
  const bool up = high >> 63;
  if (up) {  // round to the nearest quarter
    ++quarters;
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  TwoDouble f = quick_two_sum(static_cast<double>(high >> 11) * 0x1p-53, static_cast<double>((high & 0x7FF) << 53 | low >> 11) * 0x1p-117);
  f = f * TwoDouble(kHalfPi, kHalfPiLow);
  return {up ? -f : f, quarters & 3};
}

/// Taylor polynomials for |r| <= pi/4 + 2^-20. The truncated terms are below r^19/19! < 2^-63. In doubles: sine r + r^3 (..), error below u (0.8 + 4 * 0.09);
/// cosine 1 - (r^2/2 - r^4 (..)), error below u (1 + 2 * 0.31 + 4 * 0.02). The low part adds its products, each below 2^-53 and rounded. The total is below 4 u
/// = 2^-51.
SineCosine polynomials(const TwoDouble& r) {
  const double x = r.hi, z = x * x;
  const double s =
      ((((((((1 / 355687428096000.0) * z - 1 / 1307674368000.0) * z + 1 / 6227020800.0) * z - 1 / 39916800.0) * z + 1 / 362880.0) * z - 1 / 5040.0) * z +
        1 / 120.0) *
           z -
       1 / 6.0) *
          z * x +
      x;
  const double c =
      1 -
      (0.5 * z -
       ((((((((1 / 20922789888000.0) * z - 1 / 87178291200.0) * z + 1 / 479001600.0) * z - 1 / 3628800.0) * z + 1 / 40320.0) * z - 1 / 720.0) * z + 1 / 24.0) *
        z) *
           z);
  return {s + c * r.lo, c - s * r.lo};
}

}  // namespace

SineCosine sine_cosine(double a, double b) {
  if (a == 0 || b == 0) return {0, 1};
  const bool huge = !(a < 0x1p900 && a > -0x1p900);
  TwoDouble x = two_product(huge ? a * 0x1p-200 : a, b);  // exact except for underflow far below the bound
  if (huge) x = {x.hi * 0x1p200, x.lo * 0x1p200};
  const bool negative = x.hi < 0;
  if (negative) x = -x;
  int quarters = 0;
  TwoDouble rest = x;
  if (x.hi >= 0.5) {
    const Reduced high = reduce(x.hi);
    quarters = high.quarters;
    TwoDouble low = x.lo;
    if (x.lo >= 0.5 || x.lo <= -0.5) {
      const Reduced part = reduce(std::fabs(x.lo));
      low = x.lo < 0 ? -part.rest : part.rest;
      quarters += x.lo < 0 ? 4 - part.quarters : part.quarters;
    }
    rest = high.rest + low;
    for (int k = 0; k < 2; ++k) {  // two parts may add up to half a turn; 0.7854 is pi/4 and a little, within the range of polynomials()
      if (rest.hi > 0.7854) {
        rest = rest - TwoDouble(kHalfPi, kHalfPiLow);
        ++quarters;
      } else if (rest.hi < -0.7854) {
        rest = rest + TwoDouble(kHalfPi, kHalfPiLow);
        quarters += 3;
      }
    }
  }
  SineCosine r = polynomials(rest);
  switch (quarters & 3) {
    case 1:
      r = {r.cosine, -r.sine};
      break;
    case 2:
      r = {-r.sine, -r.cosine};
      break;
    case 3:
      r = {-r.cosine, r.sine};
      break;
    default:
      break;
  }
  if (negative) r.sine = -r.sine;
  return r;
}

double angle_of(double s, double c) {
  // A rough angle in the first octant is unfolded and then corrected by the sine of the difference: asin v = v + v^3/6 + .., so the error falls from 5e-3 to
  // below 1e-12, then to nothing.
  const double largest = std::max(std::fabs(s), std::fabs(c));
  const double scale = power_of_two(std::clamp(-exponent_of(largest), -1022, 1022));
  s *= scale;
  c *= scale;
  const double length = std::sqrt(s * s + c * c);
  s /= length;
  c /= length;
  const double ac = std::fabs(c), ratio = s < ac ? s / ac : ac / s;
  double a = ratio * (0.9724 - 0.1919 * ratio * ratio);
  if (s >= ac) a = kHalfPi - a;
  if (c < 0) a = 2 * kHalfPi - a;
  for (int k = 0; k < 3; ++k) {
    const SineCosine now = sine_cosine(a, 1);
    const double v = s * now.cosine - c * now.sine;
    a += v + v * v * v * (1.0 / 6);
  }
  return std::max(a, 0.0);
}

}  // namespace graze
