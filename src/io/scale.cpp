// Products with fractions in integers of 128 bits.
#include "io/scale.hpp"

#include <bit>
#include <cstdint>

namespace graze::io {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kMost = 10000;  // a choice: the units of length that are in use need less

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

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

double Scale::operator()(double x) const {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  if (up_ == 0 || exponent < 64 || exponent > 1984) return x * factor_;  // so far out, powers of two would not be doubles
  const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | std::uint64_t{1} << 52;
  const Wide product = Wide{mantissa} * up_ << 40;
  Wide quotient = product / down_;
  if (quotient * down_ != product) quotient |= 1;  // far below the last bit of a double: it tells which way to round
  const double size = static_cast<double>(quotient) * power_of_two(exponent - 1023 - 52 - 40);
  return bits >> 63 ? -size : size;
}

}  // namespace graze::io
