// Exact numbers to doubles, with the rounding asked for.
#include "exact/big.hpp"

namespace graze {
namespace {

/// m * 2^e (plus a positive fraction below one unit of m when sticky), m >= 0, to a double.
double assemble(const BigInt& m, int e, bool sticky, Rounding rounding, bool keep_positive) {
  if (m.sign() == 0 && !sticky) return 0;
  const int bits = bit_length(m);
  int unit = std::max(bits + e - 53, -1074);  // exponent of the last place of the result
  std::uint64_t kept = 0;
  bool half = false, rest = sticky;
  if (unit <= e) {
    kept = static_cast<std::uint64_t>(m) << (e - unit);
  } else {
    const int drop = unit - e;
    if (drop <= bits + 1) {
      kept = static_cast<std::uint64_t>(BigInt(m >> drop));
      half = boost::multiprecision::bit_test(m, static_cast<unsigned>(drop - 1));
      rest = rest || (m.sign() != 0 && static_cast<int>(boost::multiprecision::lsb(m)) < drop - 1);
    } else {
      rest = true;
    }
  }
  bool raise = false;
  if (rounding == Rounding::up) raise = half || rest;
  if (rounding == Rounding::nearest) raise = half && (rest || (kept & 1));
  kept += raise;
  if (kept == 0 && keep_positive) kept = 1;
  if (kept == 0) return 0;
  if (kept == (1ull << 53)) { kept >>= 1; ++unit; }
  if (unit > 971) return rounding == Rounding::up ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::max();
  const double value = static_cast<double>(kept);
  return unit < -1022 ? value * power_of_two(-1022) * power_of_two(unit + 1022) : value * power_of_two(unit);  // exact: the last place fits
}

}  // namespace

double to_double(const BigInt& n, const BigInt& d, int e, Rounding rounding, bool keep_positive) {
  if (n.sign() == 0) return 0;
  const bool negative = n.sign() < 0;
  if (negative && rounding != Rounding::nearest) rounding = rounding == Rounding::up ? Rounding::down : Rounding::up;
  BigInt a = boost::multiprecision::abs(n), q, r;
  const int shift = std::max(0, 66 - (bit_length(a) - bit_length(d)));
  a <<= shift;
  boost::multiprecision::divide_qr(a, d, q, r);
  const double x = assemble(q, e - shift, r.sign() != 0, rounding, keep_positive);
  return negative ? -x : x;
}

double sqrt_to_double(const BigInt& n, const BigInt& d, int e, bool keep_positive) {
  if (n.sign() == 0) return 0;
  int shift = std::max(0, 140 - (bit_length(n) - bit_length(d)));
  shift += shift & 1;
  BigInt a = n << shift;
  a /= d;
  BigInt rest;
  const BigInt root = boost::multiprecision::sqrt(a, rest);
  return assemble(root, e - shift / 2, true, Rounding::nearest, keep_positive);
}

}  // namespace graze
