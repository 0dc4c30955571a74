// Doubles as the numbers of the texts of filters: the functions that those name, as math/points-inl.hpp has them for SIMD lanes; points of doubles.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace graze::filter {

/// What comparisons of two V give.
template <class V>
using Mask = bool;

template <class V>
constexpr V constant(double x) {
  return x;
}
inline double abs(double x) { return std::fabs(x); }
inline double min(double a, double b) { return std::min(a, b); }
inline double max(double a, double b) { return std::max(a, b); }
inline double sqrt(double x) { return std::sqrt(x); }
inline double copy_sign(double size, double sign) { return std::copysign(size, sign); }
inline double select(bool m, double a, double b) { return m ? a : b; }
/// Clamps x to [0, 1]; NaN gives an end. Works on the bits, which are in the order of the numbers from 0 on: compilers turn comparisons of doubles into
/// branches that the processor cannot predict.
inline double clamp01(double x) { return std::bit_cast<double>(std::clamp<std::int64_t>(std::bit_cast<std::int64_t>(x), 0, std::bit_cast<std::int64_t>(1.0))); }
/// The power of two of a normal x > 0.
inline double power_of_two_in(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7FF0000000000000u); }
/// 1 / x for such a power.
inline double inverse_of_power(double x) { return std::bit_cast<double>(0x7FE0000000000000u - std::bit_cast<std::uint64_t>(x)); }

#include "math/point_text-inl.hpp"

}  // namespace graze::filter
