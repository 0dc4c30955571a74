// Pairs of doubles of about 106 bits: the tier between doubles and exact numbers for distances. T. J. Dekker 1971; Joldes, Muller, Popescu, "Tight and rigorous
// error bounds for basic building blocks of double-word arithmetic", ACM TOMS 44 (2017): relative error of + at most 3 u^2, of * at most 5 u^2, u = 2^-53,
// absent overflow and underflow. No fused multiply-add is used: products are split.
#pragma once
#include <cmath>
#include <graze/vec.hpp>

#include "math/v3.hpp"

namespace graze {

struct TwoDouble {
  double hi = 0, lo = 0;
  TwoDouble() = default;
  TwoDouble(double h) : hi(h) {}
  TwoDouble(double h, double l) : hi(h), lo(l) {}
};

/// a + b exactly (Knuth).
inline TwoDouble two_sum(double a, double b) {
  const double s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
/// The same for |a| >= |b| (Dekker).
inline TwoDouble quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
/// a * b exactly for |a|, |b| < 2^990 and no underflow (Veltkamp splitting).
inline TwoDouble two_product(double a, double b) {
  constexpr double split = 134217729;  // 2^27 + 1
  const double p = a * b;
  const double ca = split * a, ah = ca - (ca - a), al = a - ah;
  const double cb = split * b, bh = cb - (cb - b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// a - b exactly.
inline V3<TwoDouble> exact_difference(const Vec3& a, const Vec3& b) { return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)}; }

inline TwoDouble operator-(const TwoDouble& a) { return {-a.hi, -a.lo}; }
inline TwoDouble operator+(const TwoDouble& a, const TwoDouble& b) {
  const TwoDouble s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  const TwoDouble v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, t.lo + v.lo);
}
inline TwoDouble operator-(const TwoDouble& a, const TwoDouble& b) { return a + (-b); }
inline TwoDouble operator*(const TwoDouble& a, const TwoDouble& b) {
  const TwoDouble p = two_product(a.hi, b.hi);
  return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
/// Relative error at most 15 u^2 + 56 u^3 (the paper's DWDivDW2), below 2^-102.
inline TwoDouble operator/(const TwoDouble& a, const TwoDouble& b) {
  const double q = a.hi / b.hi;
  return quick_two_sum(q, (a - b * TwoDouble(q)).hi / b.hi);
}
/// Relative error below 2^-103; 0 for a <= 0. One step of Newton's method from x, whose relative error is 1.5 u: the step leaves half of that squared, and
/// rounds by 3 u of itself.
inline TwoDouble square_root(const TwoDouble& a) {
  if (!(a.hi > 0)) return 0;
  const double x = std::sqrt(a.hi);
  return quick_two_sum(x, (a - two_product(x, x)).hi / (2 * x));
}
/// The sign of the computed value: an estimate, not a proof.
inline int sign_of(const TwoDouble& a) { return a.hi > 0 ? 1 : a.hi < 0 ? -1 : 0; }

}  // namespace graze
