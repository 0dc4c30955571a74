// Signed integers of fixed width whose width is part of the type: products and sums get the width that holds every value, so overflow is impossible by construction.
// For the tier that decides degenerate input without allocation: a zero determinant of doubles in a common exponent window costs a few multiplications.
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
};

template <int A, int B>
Fixed<(A > B ? A : B) + 1> operator+(const Fixed<A>& a, const Fixed<B>& b) {
  Fixed<(A > B ? A : B) + 1> r;
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
  } else {  // unsigned product modulo 2^(64 limbs) of the stored limbs, then the high parts of the two's complement
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
