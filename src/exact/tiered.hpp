// Evaluation of one formula in tiers until its sign is certain: doubles with a running bound, then fixed-width integers, then doubles with exponents of any
// size and a running bound, then unlimited integers.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "exact/approx.hpp"
#include "exact/big.hpp"
#include "exact/fixed.hpp"
#include "exact/predicates.hpp"
#include "exact/rough.hpp"
#include "platform/expects.hpp"
#include "platform/fp_environment.hpp"

namespace graze {

/// What sign_by_tiers takes as its second list for a formula of one list.
inline constexpr std::array<double, 0> kNoOthers{};

/// Doubles decomposed in one pass: x = mantissa * 2^(exponent - 1075), the mantissa as stored (not made odd), and the window of exponents from the lowest set
/// bit to the highest bit of all.
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
      high = std::max(high, m == 0 ? -100000 : e + 53);  // more than needed for a denormal
    }
  }
  int bits() const { return high > low ? high - low : 0; }
  /// Returns x[k] / 2^(low - 1075), for bits() <= 126.
  Int128 wide(std::size_t k) const {
    if (mantissa[k] == 0) return 0;
    const int shift = exponent[k] - low;
    return shift >= 0 ? static_cast<Int128>(static_cast<UInt128>(static_cast<Int128>(mantissa[k])) << shift)
                      : mantissa[k] >> -shift;  // bits below `low` are all zero
  }
  std::array<Fixed<127>, N> integers() const {
    std::array<Fixed<127>, N> r;
    for (std::size_t k = 0; k < N; ++k) {
      const Int128 v = wide(k);
      r[k].limb[0] = static_cast<std::uint64_t>(v);
      r[k].limb[1] = static_cast<std::uint64_t>(v >> 64);
    }
    return r;
  }
};

/// All numbers as integers on one scale, if 61 bits hold them. This is the common case for exact input near zero and needs no inspection of single bits. The
/// scale 2^s brings the largest number into [2^60, 2^61), which is exact for s >= 0; an integer that converts back to its double equals the number.
template <std::size_t N>
bool narrow_integers(const std::array<double, N>& x, std::array<Fixed<62>, N>& out) {
  double of_four[4] = {0, 0, 0, 0};  // four chains, so that no comparison waits for the previous one
  for (std::size_t k = 0; k < N; ++k) of_four[k % 4] = std::max(of_four[k % 4], std::fabs(x[k]));
  const double largest = std::max(std::max(of_four[0], of_four[1]), std::max(of_four[2], of_four[3]));
  const int field = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52);
  if (field < 60 || field > 1083) {  // also denormals and 0
    if (largest != 0) return false;
    for (auto& v : out) v.limb[0] = 0;
    return true;
  }
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(2106 - field) << 52);
  bool exact = true;
  for (std::size_t k = 0; k < N; ++k) {
    const double y = x[k] * scale;
    const std::int64_t v = static_cast<std::int64_t>(y);
    exact &= static_cast<double>(v) == y;
    out[k].limb[0] = static_cast<std::uint64_t>(v);
  }
  return exact;
}

template <class From, class To, class F>
void convert(const From& from, To& to, const F& one) {
  auto out = to.begin();
  for (double v : from) *out++ = one(v);
}

/// The sign by doubles with exponents of any size, for numbers whose exponents are far apart: then one product mostly exceeds the others.
template <std::size_t N, std::size_t M, class F>
[[gnu::noinline]] int sign_by_rough_numbers(const std::array<double, N>& x, const std::array<double, M>& y, const F& formula) {
  std::array<Rough, N> rx;
  std::array<Rough, M> ry;
  convert(x, rx, [](double v) { return Rough(v); });
  convert(y, ry, [](double v) { return Rough(v); });
  const Rough value = formula(rx, ry);
  const int s = value.certain_sign();
  return s != 0 || value.is_zero() ? s : kUnknown;
}

/// The exact tiers only, for predicates that have a static filter of their own. `formula(x, y)` takes two arrays of numbers and must be homogeneous in each
/// array separately.
template <std::size_t N, std::size_t M, class F>
[[gnu::noinline]] int sign_by_integers(const std::array<double, N>& x, const std::array<double, M>& y, const F& formula) {
  GRAZE_EXPECTS(DefaultFloatEnvironment::in_force());
  std::array<Fixed<62>, N> nx;
  std::array<Fixed<62>, M> ny;
  if (narrow_integers(x, nx) && narrow_integers(y, ny)) {
    ++predicate_counts().fixed;
    return sign_of(formula(nx, ny));
  }
  const TakenApart<N> tx(x);
  const TakenApart<M> ty(y);
  const int bits = std::max(tx.bits(), ty.bits());
  if (bits <= 126) {
    ++predicate_counts().fixed;
    return sign_of(formula(tx.integers(), ty.integers()));
  }
  if (const int s = sign_by_rough_numbers(x, y, formula); s != kUnknown) {
    ++predicate_counts().filter;
    return s;
  }
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
