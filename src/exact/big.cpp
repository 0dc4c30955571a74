// Conversion of exact numbers to doubles in a requested rounding mode, and multiplication of sparse integers.
#include "exact/big.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact/integer_root.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

using Limb = boost::multiprecision::limb_type;
static_assert(sizeof(Limb) == 8);

/// A digit of a number in base 2^64 with digits in (-2^63, 2^63]. In this form, words of all zeros or all ones become zero digits.
struct Digit {
  std::uint32_t place;
  bool negative;
  Limb size;
};

/// Appends the nonzero digits. There is at most one more digit than words.
void digits_of(const Limb* x, std::uint32_t n, std::vector<Digit>& out) {
  out.clear();
  bool carry = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Limb v = x[i] + (carry ? 1 : 0);
    if (carry && v == 0) continue;  // the digit is 2^64: zero here with a carry into the next
    carry = v > (Limb{1} << 63);
    if (v != 0) out.push_back({i, carry, carry ? ~v + 1 : v});
  }
  if (carry) out.push_back({n, false, 1});
}

/// sum += digit * x at `place`. The caller leaves space for the carry.
void add_row(Limb* sum, Limb digit, const Limb* x, std::uint32_t n) {
  __extension__ using Wide = unsigned __int128;
  Limb carry = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Wide w = static_cast<Wide>(digit) * x[i] + sum[i] + carry;
    sum[i] = static_cast<Limb>(w);
    carry = static_cast<Limb>(w >> 64);
  }
  for (std::uint32_t i = n; carry != 0; ++i) {
    sum[i] += carry;
    carry = sum[i] < carry ? 1 : 0;
  }
}

/// Rounds m * 2^e to a double, for m >= 0. When `sticky`, the exact value has an additional positive fraction below one unit of m.
double assemble(const BigInt& m, int e, bool sticky, Rounding rounding, bool keep_positive) {
  if (m.sign() == 0 && !sticky) return 0;
  const int bits = bit_length(m);
  int unit = std::max(bits + e - 53, -1074);  // exponent of the last bit of the result
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
  if (kept == (1ull << 53)) {
    kept >>= 1;
    ++unit;
  }
  if (unit > 971) return rounding == Rounding::up ? kInfinity : kLargest;
  const double value = static_cast<double>(kept);
  return unit < -1022 ? value * power_of_two(-1022) * power_of_two(unit + 1022) : value * power_of_two(unit);  // exact: the last bit is representable
}

}  // namespace

BigInt sparse_product(const BigInt& a, const BigInt& b) {
  const auto na = static_cast<std::uint32_t>(a.backend().size()), nb = static_cast<std::uint32_t>(b.backend().size());
  const Limb *pa = a.backend().limbs(), *pb = b.backend().limbs();
  std::vector<Digit> da, db;
  digits_of(pa, na, da);
  digits_of(pb, nb, db);
  // Multiply by the rows of the operand with fewer digits, starting at the other operand's lowest nonzero word.
  const bool rows_of_a = da.size() * nb <= db.size() * na;
  const std::vector<Digit>& rows = rows_of_a ? da : db;
  const Limb* x = rows_of_a ? pb : pa;
  std::uint32_t n = rows_of_a ? nb : na, low = 0;
  while (low < n && x[low] == 0) ++low;
  if (rows.size() * 3 > (rows_of_a ? na : nb) && std::min(na, nb) >= 40) return a * b;  // dense and long: Boost's multiplication is faster here
  const std::uint32_t words = na + nb + 2;
  std::vector<Limb> sums(2 * static_cast<std::size_t>(words), 0);
  Limb *plus = sums.data(), *minus = plus + words;
  for (const Digit& d : rows) add_row((d.negative ? minus : plus) + d.place + low, d.size, x + low, n - low);
  BigInt r;
  auto& backend = r.backend();
  backend.resize(words, words);
  Limb* out = backend.limbs();
  Limb borrow = 0;
  for (std::uint32_t i = 0; i < words; ++i) {
    const Limb once = plus[i] - minus[i], twice = once - borrow;
    borrow = plus[i] < minus[i] || once < borrow ? 1 : 0;
    out[i] = twice;
  }
  backend.sign(a.sign() * b.sign() < 0);
  backend.normalize();
  return r;
}

double to_double(const BigInt& n, const BigInt& d, int e, Rounding rounding, bool keep_positive) {
  if (n.sign() == 0 || d.sign() <= 0) return 0;  // d <= 0 comes only from invalid shapes: the answer is meaningless, but the call must terminate
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
  if (n.sign() <= 0 || d.sign() <= 0) return 0;  // invalid shapes as above
  int shift = std::max(0, 140 - (bit_length(n) - bit_length(d)));
  shift += shift & 1;
  BigInt a = n << shift;
  a /= d;
  return assemble(integer_root(a), e - shift / 2, true, Rounding::nearest, keep_positive);
}

}  // namespace graze
