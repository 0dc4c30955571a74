// Doubles with a running error bound: the filter tier of every predicate, instantiated from the same formula as the exact tiers.
#pragma once
#include <cmath>

#include "exact/double_parts.hpp"

namespace graze {

/// A double and a bound on its distance from the exact value. Each operation adds the propagated errors and half an ulp of its result (u |v|, u = 2^-53);
/// products also add the smallest denormal for underflow; the bound's own rounding is covered by the factor in `sign_of` (each bound is a sum of fewer than
/// 2^20 rounded terms).
struct Approx {
  double v = 0, e = 0;
  Approx() = default;
  Approx(double value) : v(value) {}
  Approx(double value, double error) : v(value), e(error) {}
};

inline Approx operator+(const Approx& a, const Approx& b) {
  const double v = a.v + b.v;
  return {v, (a.e + b.e) + std::fabs(v) * kUnitRoundoff};
}
inline Approx operator-(const Approx& a, const Approx& b) {
  const double v = a.v - b.v;
  return {v, (a.e + b.e) + std::fabs(v) * kUnitRoundoff};
}
inline Approx operator-(const Approx& a) { return {-a.v, a.e}; }
inline Approx operator*(const Approx& a, const Approx& b) {
  const double v = a.v * b.v;
  return {v, ((std::fabs(a.v) * b.e + a.e * std::fabs(b.v)) + a.e * b.e) + (std::fabs(v) * kUnitRoundoff + 0x1p-1073)};
}

/// Returns the certain sign, or kUnknown. An exact zero (value and bound both 0) is certain. NaN and overflow are unknown.
inline constexpr int kUnknown = 2;
inline int sign_of(const Approx& a) {
  const double bound = a.e * (1 + 0x1p-30);
  if (a.v > bound) return a.v < 0x1p1023 ? 1 : kUnknown;
  if (-a.v > bound) return a.v > -0x1p1023 ? -1 : kUnknown;
  return a.v == 0 && a.e == 0 ? 0 : kUnknown;
}

}  // namespace graze
