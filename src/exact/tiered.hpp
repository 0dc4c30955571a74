// The ladder of tiers: one formula, evaluated in doubles with a running bound, in fixed-width integers, in unlimited integers, until its sign is certain.
#pragma once
#include <array>

#include "exact/approx.hpp"
#include "exact/big.hpp"
#include "exact/fixed.hpp"
#include "exact/predicates.hpp"

namespace graze {

/// Doubles taken apart in one pass: x = mantissa * 2^(exponent - 1075), the mantissa as stored (not made odd), and the window of exponents from the lowest set bit to the highest of all.
template <std::size_t N>
struct TakenApart {
  std::array<std::int64_t, N> mantissa;
  std::array<int, N> exponent;
  int low = 100000, high = -100000;  ///< low > high when all are zero

  explicit TakenApart(const std::array<double, N>& x) {
    for (std::size_t k = 0; k < N; ++k) {
      const std::uint64_t b = std::bit_cast<std::uint64_t>(x[k]);
      const int field = static_cast<int>(b >> 52 & 0x7FF);
      const std::uint64_t m = (b & 0xFFFFFFFFFFFFFull) | static_cast<std::uint64_t>(field != 0) << 52;
      const int e = field + (field == 0);
      mantissa[k] = b >> 63 ? -static_cast<std::int64_t>(m) : static_cast<std::int64_t>(m);
      exponent[k] = e;
      low = std::min(low, m == 0 ? 100000 : e + std::countr_zero(m));
      high = std::max(high, m == 0 ? -100000 : e + 53);  // of a denormal, more than need be
    }
  }
  int bits() const { return high > low ? high - low : 0; }
  /// x[k] / 2^(low - 1075) for bits() <= 62.
  std::int64_t narrow(std::size_t k) const {
    if (mantissa[k] == 0) return 0;
    const int shift = exponent[k] - low;
    return shift >= 0 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa[k]) << shift) : mantissa[k] >> -shift;  // below `low` only zeros are lost
  }
  /// The same for bits() <= 126.
  Int128 wide(std::size_t k) const {
    if (mantissa[k] == 0) return 0;
    const int shift = exponent[k] - low;
    return shift >= 0 ? static_cast<Int128>(static_cast<UInt128>(static_cast<Int128>(mantissa[k])) << shift) : mantissa[k] >> -shift;
  }
  template <int Bits>
  std::array<Fixed<Bits>, N> integers() const {
    std::array<Fixed<Bits>, N> r;
    for (std::size_t k = 0; k < N; ++k) {
      if constexpr (Bits <= 64) {
        r[k].limb[0] = static_cast<std::uint64_t>(narrow(k));
      } else {
        static_assert(Bits <= 128);
        const Int128 v = wide(k);
        r[k].limb[0] = static_cast<std::uint64_t>(v);
        r[k].limb[1] = static_cast<std::uint64_t>(v >> 64);
      }
    }
    return r;
  }
};

template <class From, class To, class F>
void convert(const From& from, To& to, const F& one) {
  auto out = to.begin();
  for (double v : from) *out++ = one(v);
}

/// Exact tiers alone: for predicates that have their own static filter in front. `formula(x, y)` takes arrays of numbers and must be homogeneous in each of the two groups by itself.
template <std::size_t N, std::size_t M, class F>
[[gnu::noinline]] int sign_by_integers(const std::array<double, N>& x, const std::array<double, M>& y, const F& formula) {
  const TakenApart<N> tx(x);
  const TakenApart<M> ty(y);
  const int bits = std::max(tx.bits(), ty.bits());
  if (bits <= 126) ++predicate_counts().fixed;
  // Widths that keep differences, their products and sums of products in few limbs: 61 bits give determinants of three limbs, 29 bits of two.
  if (bits <= 29) return sign_of(formula(tx.template integers<30>(), ty.template integers<30>()));
  if (bits <= 61) return sign_of(formula(tx.template integers<62>(), ty.template integers<62>()));
  if (bits <= 126) return sign_of(formula(tx.template integers<127>(), ty.template integers<127>()));
  std::array<BigInt, N> bx;
  std::array<BigInt, M> by;
  convert(x, bx, [&](double v) { return integer_of(v, tx.low - 1075); });
  convert(y, by, [&](double v) { return integer_of(v, ty.low - 1075); });
  ++predicate_counts().big;
  return sign_of(formula(bx, by));
}

/// All tiers.
template <std::size_t N, std::size_t M, class F>
int sign_by_tiers(const std::array<double, N>& x, const std::array<double, M>& y, const F& formula) {
  std::array<Approx, N> ax;
  std::array<Approx, M> ay;
  convert(x, ax, [](double v) { return Approx(v); });
  convert(y, ay, [](double v) { return Approx(v); });
  const int s = sign_of(formula(ax, ay));
  if (s != kUnknown) {
    ++predicate_counts().filter;
    return s;
  }
  return sign_by_integers(x, y, formula);
}

}  // namespace graze
