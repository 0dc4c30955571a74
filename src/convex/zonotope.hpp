// Points, segments and parallelepipeds with a ball, in doubles: the convex sets whose depths have closed forms.
#pragma once
#include <algorithm>
#include <cmath>

#include "convex/convex_set.hpp"
#include "math/limits.hpp"
#include "math/v3.hpp"

namespace graze {

/// base + [lo, hi] axis + ... with N axes, and a ball: a point (N = 0), a segment (1) or a parallelepiped (3).
template <int N>
struct Zonotope {
  static constexpr int kRoom = N == 0 ? 1 : N;
  Vec3 base;
  Vec3 end;                ///< of a segment, whose axis is rounded
  V3<double> axis[kRoom];  ///< of a segment: off by u of itself
  double lo[kRoom], hi[kRoom], half[kRoom];
  V3<double> middle{0, 0, 0};  ///< without the base point
  double terms = 0;            ///< the sum of the sizes of the middle's terms
  double length = 0;           ///< the greatest length of an axis
  double extent = 0;           ///< at least the sum of the half lengths, in world units
  double radius = 0;
  bool similar = true;  ///< no axis is extremely short or long, and their lengths differ by a factor of at most 4

  Zonotope(const Vec3& p, double r) requires(N == 0) : base(p), radius(r) {}
  Zonotope(const Vec3& p, const Vec3& q, double r) requires(N == 1) : base(p), end(q), radius(r) {
    axis[0] = {q.x - p.x, q.y - p.y, q.z - p.z};
    lo[0] = 0, hi[0] = 1, half[0] = 0.5;
    const double squared = dot(axis[0], axis[0]);
    middle = {0.5 * axis[0].x, 0.5 * axis[0].y, 0.5 * axis[0].z};
    terms = taxicab(middle);
    length = std::sqrt(squared);
    extent = 0.5 * length;
    similar = is_zero(axis[0]) || (squared > 0x1p-200 && squared < 0x1p200);
  }
  Zonotope(const Vec3& p, const Vec3 (&axes)[3], const double (&low)[3], const double (&high)[3]) requires(N == 3) : base(p) {
    double least = kInfinity, greatest = 0, halves = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      axis[k] = {axes[k].x, axes[k].y, axes[k].z};
      lo[k] = low[k], hi[k] = high[k];
      half[k] = 0.5 * (hi[k] - lo[k]);
      const double mid = 0.5 * (lo[k] + hi[k]), squared = dot(axis[k], axis[k]);
      middle = middle + mid * axis[k];
      terms += std::fabs(mid) * taxicab(axis[k]);
      least = std::min(least, squared);
      greatest = std::max(greatest, squared);
      halves += half[k];
    }
    length = std::sqrt(greatest);
    extent = halves * length;
    similar = greatest > 0x1p-200 && greatest < 0x1p200 && greatest <= 16 * least;
  }
};

}  // namespace graze
