// What a filter may say, and the two proofs about distances that the filters of round shapes share.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/vec.hpp>

#include "exact/approx.hpp"

namespace graze {

/// `unknown`: ask the generic decision.
enum class Certain { no, yes, unknown };
inline Certain certain(bool answer) { return answer ? Certain::yes : Certain::no; }

namespace filter {

/// Three doubles as they stand, for proofs in doubles.
struct Triple {
  double x, y, z;
};
inline Triple difference(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline double dot(const Triple& a, const Triple& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
inline Triple cross(const Triple& a, const Triple& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline Triple vector(const Vec3& v) { return {v.x, v.y, v.z}; }
inline double size(const Triple& a) { return std::max(std::max(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z)); }
inline double taxicab(const Triple& a) { return (std::fabs(a.x) + std::fabs(a.y)) + std::fabs(a.z); }
/// In [0, 1] whatever x is; NaN gives an end. On the bits, which are in the order of the numbers from 0 on: of comparisons of doubles compilers make branches
/// that the processor cannot predict.
inline double clamped(double x) { return std::bit_cast<double>(std::clamp<std::int64_t>(std::bit_cast<std::int64_t>(x), 0, std::bit_cast<std::int64_t>(1.0))); }

/// The same in [-1, 1].
inline double clamped_symmetric(double x) { return std::copysign(clamped(std::fabs(x)), x); }

/// Is one of two proofs there? Not `yes | no`: compilers make two branches of that, and the first would be a coin toss to the processor.
inline bool either(bool yes, bool no) { return static_cast<int>(yes) + static_cast<int>(no) != 0; }

/// Are all numbers multiples of one e such that |difference| <= `far` means below 2^bits e? Then sums and products of differences that fit into 53 bits are
/// exact in doubles, zeros included: input on a grid, where most zeros are. e is 2^(1 - bits) of the power of two of `far`, which must lie within 2^-300 ..
/// 2^300; adding 1.5 2^52 e keeps of a number below 2^51 e its multiple of e.
template <std::size_t N>
bool on_grid(const double (&x)[N], double far, int bits) {
  if (!(far > 0x1p-300 && far < 0x1p300)) return false;
  const double unit = std::bit_cast<double>((std::bit_cast<std::uint64_t>(far) & 0x7FF0000000000000ull) - (static_cast<std::uint64_t>(bits - 1) << 52)),
               magic = unit * 0x1.8p52, most = unit * 0x1p50;
  bool exact = true;
  for (const double v : x) exact &= ((v + magic) - magic == v) & (std::fabs(v) < most);
  return exact;
}

// Both proofs take a vector x in doubles, xx = x . x as computed (relative error below 4 u while above 2^-900), and reach = r + s as computed (relative error
// u). NaN and overflow make every comparison false. Without branches, and callers branch on `either proven`: yes or no is a coin toss to the processor, proven
// is not.

/// A point of A and one of B differ from x by at most `slack` - 3 u reach (their true distance is at most |x| + slack): are the sets within reach?
/// in = reach - slack has a relative error of 2 u, in^2 of 6 u, xx of 4 u: 32 u covers both. With 2^-450 < in, what underflows in xx or in a term of x (below
/// 2^-1070) is far below 16 u in.
inline bool proves_within(double xx, double reach, double slack) {
  const double in = reach - slack;
  return (in > 0x1p-450) & (in < 0x1p500) & (xx * (1 + 32 * kUnitRoundoff) < in * in);
}
/// x . (a - b) >= level for all points of both, the error of `level` already taken off: are they farther apart than reach? That is level > reach |x|, squared:
/// relative errors 3 u + 2 u + 4 u + ... < 32 u. Where reach^2 would underflow a larger reach stands in; then the right side is right or below 2^-1020 <
/// level^2.
inline bool proves_apart(double level, double xx, double reach) {
  const double r = std::max(reach, 0x1p-400);
  return (level > 0x1p-450) & (level < 0x1p500) & (xx > 0x1p-900) & (level * level > ((r * r) * xx) * (1 + 32 * kUnitRoundoff));
}

}  // namespace filter
}  // namespace graze
