// Unlimited exact numbers for the last tier: integers (Boost.Multiprecision, no allocation up to 1,024 bits), dyadic numbers m * 2^e built on them, and their
// conversion to doubles.
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <graze/vec.hpp>

#include "exact/double_parts.hpp"
#include "platform/expects.hpp"

namespace graze {

using BigInt =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<1024, 0, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked,
                                                                         std::allocator<boost::multiprecision::limb_type>>,
                                  boost::multiprecision::et_off>;

inline int sign_of(const BigInt& x) { return x.sign(); }

/// Returns a * b. Long numbers made from doubles of very different exponents consist mostly of words of all zeros or all ones; such words cost nothing here.
BigInt sparse_product(const BigInt& a, const BigInt& b);
inline BigInt product(const BigInt& a, const BigInt& b) {
  constexpr std::size_t kWorth = 12;  // limbs; below, the ordinary product is as fast
  return a.backend().size() < kWorth || b.backend().size() < kWorth ? BigInt(a * b) : sparse_product(a, b);
}

/// Returns x / 2^exponent, which must be an integer: `exponent` is at most the exponent of the lowest set bit of x.
inline BigInt integer_of(double x, int exponent) {
  const DoubleParts p = parts_of(x);
  GRAZE_EXPECTS(p.mantissa == 0 || exponent <= p.exponent);
  BigInt r = p.mantissa;
  if (p.mantissa != 0) r <<= p.exponent - exponent;
  return r;
}

/// Number of bits of |x|; 0 for 0.
inline int bit_length(const BigInt& x) { return x.sign() == 0 ? 0 : static_cast<int>(boost::multiprecision::msb(boost::multiprecision::abs(x))) + 1; }

/// An exact dyadic number m * 2^e.
struct Dyadic {
  BigInt m = 0;
  int e = 0;
  Dyadic() = default;
  Dyadic(double x) {
    const DoubleParts p = parts_of(x);
    m = p.mantissa;
    e = p.exponent;
  }
  Dyadic(BigInt mantissa, int exponent) : m(std::move(mantissa)), e(exponent) {}
};

inline Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.m.sign() == 0) return b;
  if (b.m.sign() == 0) return a;
  if (a.e >= b.e) return {(a.m << (a.e - b.e)) + b.m, b.e};
  return {a.m + (b.m << (b.e - a.e)), a.e};
}
inline Dyadic operator-(const Dyadic& a) { return {-a.m, a.e}; }
inline Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + (-b); }
inline Dyadic operator*(const Dyadic& a, const Dyadic& b) { return {a.m * b.m, a.e + b.e}; }
inline int sign_of(const Dyadic& a) { return a.m.sign(); }
inline int compare(const Dyadic& a, const Dyadic& b) { return sign_of(a - b); }

enum class Rounding { nearest, down, up };

/// Rounds n / d * 2^e to a double, for d > 0. Rounding to nearest saturates at the largest double; rounding upwards goes to infinity. With `keep_positive`, a
/// positive value rounded to nearest gives at least the smallest denormal.
double to_double(const BigInt& n, const BigInt& d, int e, Rounding rounding, bool keep_positive = false);
/// Returns sqrt(n / d) * 2^e within one unit in the last place (a 2^-60 approximation rounded to nearest). Requires d > 0 and n >= 0; `keep_positive` as above.
double sqrt_to_double(const BigInt& n, const BigInt& d, int e, bool keep_positive = false);
inline double to_double(const Dyadic& x, Rounding rounding = Rounding::nearest) { return to_double(x.m, BigInt(1), x.e, rounding); }

}  // namespace graze
