// Pairs of doubles with a running error bound that stay exact where the operands are: the tier that computes times and their rounding without integers.
#pragma once
#include <algorithm>
#include <cmath>
#include <graze/vec.hpp>

#include "exact/approx.hpp"
#include "exact/double_parts.hpp"
#include "exact/two_double.hpp"

namespace graze {

/// |v - true value| <= e. Relative errors: sums at most 3 u^2 < 2^-104, products at most 7 u^2 < 2^-103 (two_double.hpp), quotients and roots 2^-100. Sums and
/// products of single doubles are exact pairs. Valid while every intermediate result is 0 or within 2^-900 .. 2^900, so inputs must be `moderate`. 2^-960
/// covers what low parts lose to underflow.
struct Fine {
  TwoDouble v;
  double e = 0;
  Fine() = default;
  Fine(double x) : v(x) {}
  Fine(TwoDouble value, double error) : v(value), e(error) {}
  bool is_double() const { return v.lo == 0 && e == 0; }
};

inline bool moderate(double x) { return x == 0 || (std::fabs(x) > 0x1p-100 && std::fabs(x) < 0x1p100); }
inline bool moderate(const Vec3& p) { return moderate(p.x) && moderate(p.y) && moderate(p.z); }

inline V3<Fine> fine(const Vec3& p) { return {Fine(p.x), Fine(p.y), Fine(p.z)}; }

/// Whether x is certainly 0.
inline bool is_zero(const Fine& x) { return x.v.hi == 0 && x.e == 0; }

inline Fine operator-(const Fine& a) { return {-a.v, a.e}; }
inline Fine operator+(const Fine& a, const Fine& b) {
  if (a.is_double() && b.is_double()) return {two_sum(a.v.hi, b.v.hi), 0};
  const TwoDouble v = a.v + b.v;
  return {v, (a.e + b.e) + std::fabs(v.hi) * 0x1p-103};
}
inline Fine operator-(const Fine& a, const Fine& b) { return a + (-b); }
inline Fine operator*(const Fine& a, const Fine& b) {
  if (a.is_double() && b.is_double()) {
    const TwoDouble p = two_product(a.v.hi, b.v.hi);
    return {p, std::fabs(p.hi) > 0x1p-900 || a.v.hi == 0 || b.v.hi == 0 ? 0 : 0x1p-960};
  }
  const TwoDouble v = a.v * b.v;
  return {v, ((std::fabs(a.v.hi) * b.e + a.e * std::fabs(b.v.hi)) * (1 + 0x1p-40) + a.e * b.e) + (std::fabs(v.hi) * 0x1p-102 + 0x1p-960)};
}

/// Returns the certain sign or kUnknown.
inline int sign_of(const Fine& a) {
  const double bound = a.e * (1 + 0x1p-30), x = a.v.hi;
  if (a.e == 0) return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : kUnknown;
  // the low part is below 2^-52 |x|
  if (x * (1 - 0x1p-50) > bound) return 1;
  if (-x * (1 - 0x1p-50) > bound) return -1;
  return kUnknown;
}

/// Requires that b has a certain sign.
inline Fine operator/(const Fine& a, const Fine& b) {
  const TwoDouble q = a.v / b.v;
  const double m = std::fabs(b.v.hi) * (1 - 0x1p-50) - b.e * (1 + 0x1p-30);
  return {q, ((a.e + std::fabs(q.hi) * b.e) / m + std::fabs(q.hi) * 0x1p-99) * (1 + 0x1p-40) + 0x1p-960};
}
/// Requires that a is certainly positive.
inline Fine square_root(const Fine& a) {
  const TwoDouble r = square_root(a.v);
  const double low = std::sqrt(std::max(a.v.hi - a.e * (1 + 0x1p-30), 0.0));
  return {r, (a.e / (r.hi + low) + r.hi * 0x1p-99) * (1 + 0x1p-40)};
}

/// Stores the largest double not above x in `out`. Returns false when that double is uncertain.
inline bool round_down(const Fine& x, double& out) {
  const double h = x.v.hi, l = x.v.lo, e = x.e * (1 + 0x1p-30);
  if (!(std::fabs(h) < 0x1p900 && std::fabs(h) > 0x1p-900)) {
    out = h;
    return h == 0 && x.e == 0;
  }
  if (x.e == 0) {
    out = l < 0 ? next_down(h) : h;
    return true;
  }
  if (l > e && l + e < next_up(h) - h) {
    out = h;
    return true;
  }
  if (-l > e && -l + e < h - next_down(h)) {
    out = next_down(h);
    return true;
  }
  return false;
}

/// The same for n / d, where d has a certain sign. Where the quotient is too close to a double, the remainder decides.
inline bool round_down_quotient(const Fine& n, const Fine& d, double& out) {
  const Fine q = n / d;
  if (round_down(q, out)) return true;
  const double h = q.v.hi;
  if (!(std::fabs(h) < 0x1p300) || (std::fabs(h) < 0x1p-300 && h != 0)) return false;
  const int s = sign_of(n - Fine(h) * d), sd = sign_of(d);
  if (s == kUnknown || q.e * 4 > std::fabs(h) * 0x1p-53) return false;
  out = s * sd >= 0 ? h : next_down(h);
  return true;
}

}  // namespace graze
