// Quotients of dyadic numbers: exact times of contact where a quotient is unavoidable. Never used on a hot path.
#pragma once
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of reads of uninitialised limbs above a number's size when copies are inlined
#endif
#include "exact/big.hpp"

namespace graze {

/// n / d with d > 0.
struct Rational {
  Dyadic n, d = Dyadic(1.0);
  Rational() = default;
  Rational(double x) : n(x) {}
  /// d != 0, of either sign.
  Rational(Dyadic numerator, Dyadic denominator) : n(std::move(numerator)), d(std::move(denominator)) {
    if (sign_of(d) < 0) {
      n = -n;
      d = -d;
    }
  }
};

inline int compare(const Rational& a, const Rational& b) { return compare(a.n * b.d, b.n * a.d); }
/// x may be infinite.
inline int compare(const Rational& a, double x) {
  if (x - x != 0) return x > 0 ? -1 : 1;
  return compare(a.n, Dyadic(x) * a.d);
}
/// Rounds to the largest double not above (`down`), the smallest not below (`up`) or the nearest. Values beyond the largest double are treated as in the other
/// to_double.
inline double to_double(const Rational& a, Rounding rounding) { return to_double(a.n.m, a.d.m, a.n.e - a.d.e, rounding); }

}  // namespace graze
