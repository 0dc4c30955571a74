// Numbers stored as a double with an error bound and an exponent of any size. They give the sign of expressions whose terms differ too much in magnitude for
// doubles, without the long integers of an exact evaluation.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "exact/big.hpp"

namespace graze {

/// Represents (m +- r) * 2^e. After every operation the larger of |m| and r is in [1, 2), or both are 0 and the number is certainly 0.
/// Each operation rounds by 2^-53 of results below 8, so 2^-49 covers several roundings. Bounds below 2^-900 are rounded up to 2^-900.
struct Rough {
  double m = 0, r = 0;
  std::int64_t e = 0;

  Rough() = default;
  explicit Rough(double x) : m(x) {
    if (std::fabs(x) < 0x1p-1000) m *= 0x1p200, e = -200;  // so that the power of two which normalises it is a double
    normalise();
  }
  explicit Rough(const BigInt& x) {
    if (x.sign() == 0) return;
    const auto& limbs = x.backend();
    const std::size_t n = limbs.size();
    const auto limb = [&](std::size_t back) { return back < n ? static_cast<double>(limbs.limbs()[n - 1 - back]) : 0.0; };
    // The remaining limbs are below 2^-64 of a first limb of at least 1, so they add at most 2^-64; roundings are below 2^-52 of m.
    m = limb(0) + limb(1) * 0x1p-64;
    r = m * 0x1p-50 + 0x1p-63;
    e = static_cast<std::int64_t>(64 * (n - 1));
    if (x.sign() < 0) m = -m;
    normalise();
  }

  void normalise() {
    const double size = std::max(std::fabs(m), r);
    if (!(size > 0)) {
      e = 0;
      return;
    }
    const int k = exponent_of(size);
    const double s = power_of_two(-k);
    m *= s;
    r *= s;
    e += k;
  }
  /// Whether the number is certainly 0.
  bool is_zero() const { return m == 0 && r == 0; }
  /// Returns 1 or -1 for a certain sign, and 0 for an uncertain sign or zero.
  int certain_sign() const { return m > r ? 1 : -m > r ? -1 : 0; }
};

inline Rough operator-(Rough a) {
  a.m = -a.m;
  return a;
}
inline Rough operator*(const Rough& a, const Rough& b) {
  Rough p;
  if (a.is_zero() || b.is_zero()) return p;
  p.m = a.m * b.m;
  p.r = (std::fabs(a.m) * b.r + std::fabs(b.m) * a.r + a.r * b.r) * (1 + 0x1p-49) + 0x1p-49 * std::fabs(p.m) + 0x1p-900;
  p.e = a.e + b.e;
  p.normalise();
  return p;
}
inline Rough operator+(const Rough& a, const Rough& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.e == b.e && a.r == 0 && b.r == 0 && a.m == -b.m) return {};
  const Rough &high = a.e >= b.e ? a : b, &low = a.e >= b.e ? b : a;
  const std::int64_t d = high.e - low.e;
  Rough s = high;
  if (d > 800) {
    s.r += 0x1p-700;  // low is below 4 * 2^-800
  } else {
    const double scale = power_of_two(static_cast<int>(-d));
    s.m += low.m * scale;
    s.r += low.r * scale;
  }
  s.r = s.r * (1 + 0x1p-49) + 0x1p-49 * std::fabs(s.m) + 0x1p-900;
  s.normalise();
  return s;
}
inline Rough operator-(const Rough& a, const Rough& b) { return a + (-b); }

/// The greater of two numbers.
inline Rough greater(const Rough& a, const Rough& b) {
  const Rough d = a - b;
  Rough g = d.m >= 0 ? a : b;
  const double over = d.r - std::fabs(d.m);  // the other may exceed it by this much, times 2^d.e
  if (over > 0) {
    Rough s;
    s.r = over;
    s.e = d.e;
    s.normalise();
    g = g + s;
  }
  return g;
}

/// Whether x is known well enough for `inverse_root`: certainly positive, with a relative error of at most a quarter.
inline bool root_certain(const Rough& x) { return x.m > 4 * x.r; }
/// 1 / sqrt(x). The relative error is at most that of x (half of it times (1 - 1/4)^-3/2), plus 2^-50 for rounding.
inline Rough inverse_root(const Rough& x) {
  const bool odd = x.e % 2 != 0;
  const double m = odd ? 2 * x.m : x.m;
  Rough y;
  y.m = 1 / std::sqrt(m);
  y.r = y.m * (x.r / x.m + 0x1p-49) * (1 + 0x1p-49);
  y.e = -(odd ? x.e - 1 : x.e) / 2;
  y.normalise();
  return y;
}

}  // namespace graze
