// Pairs of doubles of about 106 bits: the tier between doubles and exact numbers for distances. No fused multiply-add is used: products are split.
#pragma once
#include <cmath>
#include <graze/vec.hpp>

#include "math/v3.hpp"

namespace graze {

#define GRAZE_TWO_INLINE inline
#define GRAZE_TWO_FUSED 0
#include "math/two_double_text-inl.hpp"
#undef GRAZE_TWO_INLINE
#undef GRAZE_TWO_FUSED

using TwoDouble = Two<double>;

/// a - b exactly.
inline V3<TwoDouble> exact_difference(const Vec3& a, const Vec3& b) { return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)}; }
/// Relative error at most 15 u^2 + 56 u^3 (the paper's DWDivDW2), below 2^-102.
inline TwoDouble operator/(const TwoDouble& a, const TwoDouble& b) {
  const double q = a.hi / b.hi;
  return quick_two_sum(q, (a - b * TwoDouble(q)).hi / b.hi);
}
/// Relative error below 2^-103; 0 for a <= 0. One step of Newton's method from x, whose relative error is 1.5 u: the step leaves half of that squared, and
/// rounds by 3 u of itself.
inline TwoDouble square_root(const TwoDouble& a) {
  if (!(a.hi > 0)) return 0;
  const double x = std::sqrt(a.hi);
  return quick_two_sum(x, (a - two_product(x, x)).hi / (2 * x));
}
/// The sign of the computed value: an estimate, not a proof.
inline int sign_of(const TwoDouble& a) { return a.hi > 0 ? 1 : a.hi < 0 ? -1 : 0; }

}  // namespace graze
