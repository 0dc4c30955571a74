// Products with fractions in integers of 128 bits, and of any size where these do not suffice.
#include "io/scale.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

#include "exact/rational.hpp"
#include "math/limits.hpp"

namespace graze::io {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kMost = 10000;  // a choice: the units of length that are in use need less

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

/// The nearest double, infinite beyond the largest.
double nearest(const Rational& x, bool& rounded) {
  const double y = to_double(x, Rounding::nearest);
  const int order = compare(x, y);
  rounded = rounded || order != 0;
  const bool beyond = (y == kLargest && order > 0) || (y == -kLargest && order < 0);
  return beyond ? std::copysign(std::numeric_limits<double>::infinity(), y) : y;
}

BigInt power_of_ten(int n) { return boost::multiprecision::pow(BigInt(10), static_cast<unsigned>(n)); }

/// The value of a decimal number; digits beyond the 800th only tell that there are some.
Rational value_of(std::string_view text) {
  constexpr std::size_t kMostDigits = 800;  // more than decide how a double rounds
  constexpr int kFarthest = 2500;           // exponents beyond give 0, as no double that was read is infinite
  const bool negative = text.starts_with('-');
  std::string digits;
  long long exponent = 0;
  bool fraction = false, more = false;
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  for (; i < text.size() && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    if (digits.size() < kMostDigits) {
      if (!digits.empty() || text[i] != '0') digits += text[i];
      exponent -= fraction ? 1 : 0;
    } else {
      more = more || text[i] != '0';
      exponent += fraction ? 0 : 1;
    }
  }
  if (i < text.size()) {  // the exponent
    std::size_t at = i + 1;
    const bool minus = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    long long given = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) given = std::min(given * 10 + (text[at] - '0'), 1LL << 40);
    exponent += minus ? -given : given;
  }
  if (more) {
    digits += '1';
    --exponent;
  }
  if (digits.empty()) return Rational(0.0);
  exponent = std::max<long long>(exponent, -kFarthest - static_cast<long long>(digits.size()));
  BigInt n(digits.c_str());
  if (negative) n = -n;
  const int e = static_cast<int>(exponent);
  return e >= 0 ? Rational(Dyadic(n * power_of_ten(e), 0), Dyadic(1.0)) : Rational(Dyadic(n, 0), Dyadic(power_of_ten(-e), 0));
}

}  // namespace

Scale::Scale(double factor) : factor_(factor) {
  if (!(factor > 1.0 / kMost / 2 && factor < 2.0 * kMost)) return;
  for (std::uint32_t down = 1; down <= kMost; ++down) {
    const double up = factor * down + 0.5;
    if (up >= kMost + 1.0) return;
    const auto whole = static_cast<std::uint32_t>(up);
    if (whole == 0 || static_cast<double>(whole) / down != factor) continue;
    up_ = whole;
    down_ = down;
    return;
  }
}

Scale::Scale(std::uint64_t up, std::uint64_t down) {
  const std::uint64_t common = std::gcd(up, down);
  up_ = up / common;
  down_ = down / common;
  factor_ = static_cast<double>(up_) / static_cast<double>(down_);
}

std::string Scale::ratio() const { return down_ == 1 ? std::to_string(up_) : std::to_string(up_) + "/" + std::to_string(down_); }

double Scale::operator()(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  if (is_one() || exponent == 0x7FF) return x;
  if (up_ == 0) {
    rounded_ = true;
    return x * factor_;
  }
  // Beyond these exponents powers of two would not be doubles.
  if (exponent < 64 || exponent > 1984 || up_ >= std::uint64_t{1} << 34)
    return nearest(Rational(Dyadic(x) * Dyadic(BigInt(up_), 0), Dyadic(BigInt(down_), 0)), rounded_);
  const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | std::uint64_t{1} << 52;
  const Wide product = Wide{mantissa} * up_ << 40;
  Wide quotient = product / down_;
  const bool rest = quotient * down_ != product;
  if (rest) quotient |= 1;  // far below the last bit of a double: it tells which way to round
  const double whole = static_cast<double>(quotient), size = whole * power_of_two(exponent - 1023 - 52 - 40);
  rounded_ = rounded_ || rest || static_cast<Wide>(whole) != quotient;
  return bits >> 63 ? -size : size;
}

double Scale::of_text(std::string_view decimal, double read) {
  if (is_one() || up_ == 0) return (*this)(read);
  Rational x = value_of(decimal);
  x.n = x.n * Dyadic(BigInt(up_), 0);
  x.d = x.d * Dyadic(BigInt(down_), 0);
  const double y = nearest(x, rounded_);
  return y == 0 ? std::copysign(0.0, read) : y;
}

}  // namespace graze::io
