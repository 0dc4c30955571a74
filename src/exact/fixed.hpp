// Signed integers of fixed width, where the width is part of the type. Products and sums get a width that holds every value, so overflow is impossible by
// construction. They serve the tier that decides degenerate input without allocation: a zero determinant of doubles in a common exponent window costs a few
// multiplications.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

namespace graze {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// Two's complement integer with |value| < 2^(Bits - 1).
template <int Bits>
struct Fixed {
  static constexpr int limbs = (Bits + 63) / 64;
  std::array<std::uint64_t, limbs> limb;

  static Fixed from(std::int64_t v) {
    Fixed r;
    r.limb[0] = static_cast<std::uint64_t>(v);
    for (int i = 1; i < limbs; ++i) r.limb[i] = v < 0 ? ~std::uint64_t{0} : 0;
    return r;
  }
  std::uint64_t extended(int i) const { return i < limbs ? limb[i] : (negative() ? ~std::uint64_t{0} : 0); }
  bool negative() const { return static_cast<std::int64_t>(limb[limbs - 1]) < 0; }
  /// The lowest two limbs.
  UInt128 low() const { return static_cast<UInt128>(extended(1)) << 64 | limb[0]; }
  void set_low(UInt128 v) {
    limb[0] = static_cast<std::uint64_t>(v);
    if constexpr (limbs > 1) limb[1] = static_cast<std::uint64_t>(v >> 64);
  }
};

template <int A, int B>
Fixed<(A > B ? A : B) + 1> operator+(const Fixed<A>& a, const Fixed<B>& b) {
  Fixed<(A > B ? A : B) + 1> r;
  if constexpr (r.limbs == 1) {
    r.limb[0] = a.limb[0] + b.limb[0];
    return r;
  } else if constexpr (r.limbs <= 3) {  // two limbs at once: compilers generate the carry between them
    const UInt128 low = a.low(), sum = low + b.low();
    r.set_low(sum);
    if constexpr (r.limbs == 3) r.limb[2] = a.extended(2) + b.extended(2) + (sum < low);
    return r;
  }
  std::uint64_t carry = 0;
  for (int i = 0; i < r.limbs; ++i) {
    const UInt128 s = static_cast<UInt128>(a.extended(i)) + b.extended(i) + carry;
    r.limb[i] = static_cast<std::uint64_t>(s);
    carry = static_cast<std::uint64_t>(s >> 64);
  }
  return r;
}

template <int A, int B>
Fixed<(A > B ? A : B) + 1> operator-(const Fixed<A>& a, const Fixed<B>& b) {
  Fixed<(A > B ? A : B) + 1> r;
  if constexpr (r.limbs == 1) {
    r.limb[0] = a.limb[0] - b.limb[0];
    return r;
  } else if constexpr (r.limbs <= 3) {
    const UInt128 low = a.low(), other = b.low();
    r.set_low(low - other);
    if constexpr (r.limbs == 3) r.limb[2] = a.extended(2) - b.extended(2) - (low < other);
    return r;
  }
  std::uint64_t carry = 1;
  for (int i = 0; i < r.limbs; ++i) {
    const UInt128 s = static_cast<UInt128>(a.extended(i)) + ~b.extended(i) + carry;
    r.limb[i] = static_cast<std::uint64_t>(s);
    carry = static_cast<std::uint64_t>(s >> 64);
  }
  return r;
}

template <int A>
Fixed<A + 1> operator-(const Fixed<A>& a) {
  return Fixed<1>::from(0) - a;
}

template <int A, int B>
Fixed<A + B> operator*(const Fixed<A>& a, const Fixed<B>& b) {
  using R = Fixed<A + B>;
  R r;
  if constexpr (R::limbs == 1) {
    r.limb[0] = a.limb[0] * b.limb[0];
  } else if constexpr (Fixed<A>::limbs == 1 && Fixed<B>::limbs == 1) {
    const Int128 p = static_cast<Int128>(static_cast<std::int64_t>(a.limb[0])) * static_cast<std::int64_t>(b.limb[0]);
    r.limb[0] = static_cast<std::uint64_t>(p);
    r.limb[1] = static_cast<std::uint64_t>(p >> 64);
  } else if constexpr (Fixed<A>::limbs == 1 && Fixed<B>::limbs == 2) {
    return b * a;
  } else if constexpr (Fixed<A>::limbs == 2 && Fixed<B>::limbs == 1) {  // the unsigned low limb and the signed high limb, each times the signed limb
    const std::int64_t v = static_cast<std::int64_t>(b.limb[0]);
    const UInt128 low = static_cast<UInt128>(a.limb[0]) * b.limb[0] - (v < 0 ? static_cast<UInt128>(a.limb[0]) << 64 : 0);
    const Int128 high = static_cast<Int128>(static_cast<std::int64_t>(a.limb[1])) * v + static_cast<std::int64_t>(static_cast<std::uint64_t>(low >> 64));
    r.limb[0] = static_cast<std::uint64_t>(low);
    r.limb[1] = static_cast<std::uint64_t>(static_cast<UInt128>(high));
    if constexpr (R::limbs > 2) r.limb[2] = static_cast<std::uint64_t>(static_cast<UInt128>(high) >> 64);
  } else {  // unsigned product of the stored limbs modulo 2^(64 limbs), then the correction of the high parts for two's complement
    r.limb.fill(0);
    for (int i = 0; i < Fixed<A>::limbs; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < Fixed<B>::limbs && i + j < R::limbs; ++j) {
        const UInt128 s = static_cast<UInt128>(a.limb[i]) * b.limb[j] + r.limb[i + j] + carry;
        r.limb[i + j] = static_cast<std::uint64_t>(s);
        carry = static_cast<std::uint64_t>(s >> 64);
      }
      if (i + Fixed<B>::limbs < R::limbs) r.limb[i + Fixed<B>::limbs] = carry;
    }
    auto subtract_at = [&r](const auto& x, int x_limbs, int at) {
      std::uint64_t borrow = 0;
      for (int i = 0; i < x_limbs && at + i < R::limbs; ++i) {
        const UInt128 d = static_cast<UInt128>(r.limb[at + i]) - x.limb[i] - borrow;
        r.limb[at + i] = static_cast<std::uint64_t>(d);
        borrow = static_cast<std::uint64_t>(d >> 64) & 1;
      }
      for (int i = at + x_limbs; borrow && i < R::limbs; ++i) borrow = r.limb[i]-- == 0;
    };
    if (a.negative()) subtract_at(b, Fixed<B>::limbs, Fixed<A>::limbs);
    if (b.negative()) subtract_at(a, Fixed<A>::limbs, Fixed<B>::limbs);
  }
  return r;
}

template <int A>
int sign_of(const Fixed<A>& a) {
  if (a.negative()) return -1;
  for (int i = 0; i < a.limbs; ++i)
    if (a.limb[i]) return 1;
  return 0;
}

}  // namespace graze
