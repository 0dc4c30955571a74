// The two proofs about distances that the filters of round shapes share.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/vec.hpp>

#include "exact/approx.hpp"
#include "exact/certain.hpp"

namespace graze {
namespace filter {

/// Three doubles, for proofs in doubles.
struct Triple {
  double x, y, z;
};
inline Triple difference(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline double dot(const Triple& a, const Triple& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
inline Triple cross(const Triple& a, const Triple& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline Triple vector(const Vec3& v) { return {v.x, v.y, v.z}; }
inline double size(const Triple& a) { return std::max(std::max(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z)); }
inline double taxicab(const Triple& a) { return (std::fabs(a.x) + std::fabs(a.y)) + std::fabs(a.z); }
/// Clamps x to [0, 1]; NaN gives an end. Works on the bits, which are in the order of the numbers from 0 on: compilers turn comparisons of doubles into
/// branches that the processor cannot predict.
inline double clamped(double x) { return std::bit_cast<double>(std::clamp<std::int64_t>(std::bit_cast<std::int64_t>(x), 0, std::bit_cast<std::int64_t>(1.0))); }

/// Clamps x to [-1, 1].
inline double clamped_symmetric(double x) { return std::copysign(clamped(std::fabs(x)), x); }

/// Whether one of two proofs holds. Not `yes | no`: compilers make two branches of that, of which the first is unpredictable.
inline bool either(bool yes, bool no) { return static_cast<int>(yes) + static_cast<int>(no) != 0; }

/// Whether all numbers are multiples of one e such that |difference| <= `far` means below 2^bits e. Sums and products of differences that fit into 53 bits are
/// then exact in doubles, zeros included. This is the case for input on a grid, where most zeros occur. e is 2^(1 - bits) of the power of two of `far`, which
/// must lie within 2^-300 .. 2^300; adding 1.5 2^52 e to a number below 2^51 e keeps its multiple of e.
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
// u). NaN and overflow make every comparison false. The proofs have no branches, and callers branch on `either` of the two: whether the answer is yes or no is
// unpredictable to the processor, whether it is proven is not.

/// A point of A and a point of B differ from x by at most `slack` - 3 u reach (their true distance is at most |x| + slack). Returns whether the sets are then
/// within `reach`. in = reach - slack has a relative error of 2 u, in^2 of 6 u, xx of 4 u: 32 u covers both. With 2^-450 < in, what underflows in xx or in a
/// term of x (below 2^-1070) is far below 16 u in.
inline bool proves_within(double xx, double reach, double slack) {
  const double in = reach - slack;
  return (in > 0x1p-450) & (in < 0x1p500) & (xx * (1 + 32 * kUnitRoundoff) < in * in);
}
/// Requires x . (a - b) >= level for all points of both, with the error of `level` already subtracted. Returns whether the sets are farther apart than `reach`:
/// level > reach |x|, squared, with relative errors 3 u + 2 u + 4 u + ... < 32 u. Where reach^2 would underflow, a larger reach replaces it; the right side is
/// then right or below 2^-1020 < level^2.
inline bool proves_apart(double level, double xx, double reach) {
  const double r = std::max(reach, 0x1p-400);
  return (level > 0x1p-450) & (level < 0x1p500) & (xx > 0x1p-900) & (level * level > ((r * r) * xx) * (1 + 32 * kUnitRoundoff));
}

}  // namespace filter
}  // namespace graze
