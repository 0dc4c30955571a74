// The ladder of tiers: one formula, evaluated in doubles with a running bound, in fixed-width integers, in unlimited integers, until its sign is certain.
#pragma once
#include <array>

#include "exact/approx.hpp"
#include "exact/big.hpp"
#include "exact/fixed.hpp"
#include "exact/predicates.hpp"

namespace graze {

/// Lowest exponent of any set bit and highest exponent among the non-zero inputs; empty when all are zero.
struct ExponentWindow {
  int low = 100000, high = -100000;
  void add(double x) {
    if (x == 0) return;
    low = std::min(low, parts_of(x).exponent);
    high = std::max(high, exponent_of(x) + 1);
  }
  int bits() const { return high > low ? high - low : 0; }
};

template <int Bits>
Fixed<Bits> fixed_of(double x, int low) {
  const DoubleParts p = parts_of(x);
  if constexpr (Bits <= 64) {
    return Fixed<Bits>::from(p.mantissa == 0 ? 0 : p.mantissa * (std::int64_t{1} << (p.exponent - low)));
  } else {
    static_assert(Bits <= 128);
    const Int128 v = p.mantissa == 0 ? Int128{0} : static_cast<Int128>(p.mantissa) * (static_cast<Int128>(1) << (p.exponent - low));
    Fixed<Bits> r;
    r.limb[0] = static_cast<std::uint64_t>(v);
    r.limb[1] = static_cast<std::uint64_t>(v >> 64);
    return r;
  }
}

template <class From, class To, class F>
void convert(const From& from, To& to, const F& one) {
  auto out = to.begin();
  for (double v : from) *out++ = one(v);
}

/// Exact tiers alone: for predicates that have their own static filter in front. `formula(x, y)` takes arrays of numbers and must be homogeneous in each of the two groups by itself.
template <std::size_t N, std::size_t M, class F>
[[gnu::noinline]] int sign_by_integers(const std::array<double, N>& x, const std::array<double, M>& y, const F& formula) {
  ExponentWindow wx, wy;
  for (double v : x) wx.add(v);
  for (double v : y) wy.add(v);
  auto fixed_tier = [&]<int Bits>() {
    std::array<Fixed<Bits>, N> fx;
    std::array<Fixed<Bits>, M> fy;
    convert(x, fx, [&](double v) { return fixed_of<Bits>(v, wx.low); });
    convert(y, fy, [&](double v) { return fixed_of<Bits>(v, wy.low); });
    ++predicate_counts().fixed;
    return sign_of(formula(fx, fy));
  };
  const int bits = std::max(wx.bits(), wy.bits());
  if (bits <= 62) return fixed_tier.template operator()<63>();
  if (bits <= 126) return fixed_tier.template operator()<127>();
  std::array<BigInt, N> bx;
  std::array<BigInt, M> by;
  convert(x, bx, [&](double v) { return integer_of(v, wx.low); });
  convert(y, by, [&](double v) { return integer_of(v, wy.low); });
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
