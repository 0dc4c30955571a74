// Decomposition and composition of doubles through their bits, without libm.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <graze/vec.hpp>
#include <limits>

namespace graze {

/// u in derivations: the greatest relative error of one rounding to double.
inline constexpr double kUnitRoundoff = 0x1p-53;

/// x = mantissa * 2^exponent, the mantissa odd or 0 (then exponent 0). x must be finite.
struct DoubleParts {
  std::int64_t mantissa;
  int exponent;
};

inline DoubleParts parts_of(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  std::uint64_t m = bits & 0xFFFFFFFFFFFFFull;
  int e = static_cast<int>((bits >> 52) & 0x7FF);
  if (e == 0) {
    if (m == 0) return {0, 0};
    e = 1;
  } else {
    m |= 1ull << 52;
  }
  const int zeros = std::countr_zero(m);
  m >>= zeros;
  return {bits >> 63 ? -static_cast<std::int64_t>(m) : static_cast<std::int64_t>(m), e - 1075 + zeros};
}

/// Returns the exponent e with 2^e <= |x| < 2^(e+1); a very small number for 0.
inline int exponent_of(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & ~(1ull << 63);
  if (bits == 0) return -100000;
  const int e = static_cast<int>(bits >> 52);
  if (e == 0) return -1074 + 63 - std::countl_zero(bits);
  return e - 1023;
}

/// 2^e for -1074 <= e <= 1023.
inline double power_of_two(int e) {
  if (e >= -1022) return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
  return std::bit_cast<double>(1ull << (e + 1074));
}

/// Returns x * 2^e, correctly rounded once for any e. Results below the normal range also round once, because the scaling is split while it is still exact.
inline double scaled(double x, int e) {
  if (x == 0) return x;
  while (e > 1023) {
    x *= power_of_two(1023);
    e -= 1023;
  }
  if (e < -1022) {
    // scale down exactly while the result stays normal, then round once
    const int room = exponent_of(x) + 1022;
    const int first = std::min(std::max(room, 0), -e);
    int left = first;
    while (left > 1022) {
      x *= power_of_two(-1022);
      left -= 1022;
    }
    x *= power_of_two(-left);
    e += first;
    while (e < -1074) {
      x *= power_of_two(-1074);
      e += 1074;
      if (x == 0) return x;
    }
  }
  return x * power_of_two(e);
}

inline Vec3 scaled(const Vec3& v, int e) { return Vec3(scaled(v.x, e), scaled(v.y, e), scaled(v.z, e)); }

/// The next larger double. Not for NaN or +infinity.
inline double next_up(double x) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  if (x == 0) return std::numeric_limits<double>::denorm_min();
  return std::bit_cast<double>(bits >> 63 ? bits - 1 : bits + 1);
}
inline double next_down(double x) { return -next_up(-x); }

}  // namespace graze
