// Points, segments and parallelepipeds with a ball, in doubles: the convex sets whose depths have closed forms.
#pragma once
#include <algorithm>
#include <cmath>

#include "convex/sets/generators.hpp"
#include "math/limits.hpp"
#include "math/v3.hpp"

namespace graze {

/// base + [lo, hi] axis + ... with N axes, and a ball, as given: a point (N = 0), a segment from base to end (1) or a parallelepiped (3).
template <int N>
struct ZonotopeTerms;
template <>
struct ZonotopeTerms<0> {
  Vec3 base;
  double radius;
};
template <>
struct ZonotopeTerms<1> {
  Vec3 base, end;
  double radius;
};
template <>
struct ZonotopeTerms<3> {
  Vec3 base;
  V3<double> axis[3];
  double lo[3], hi[3];
};

/// The same with what the closed forms of boxes need. Refers to the terms.
template <int N>
struct Zonotope;
template <>
struct Zonotope<0> {
  Vec3 base;
  double radius;
  V3<double> middle{0, 0, 0};  ///< without the base point
  double terms = 0;            ///< the sum of the sizes of the middle's terms
  double length = 0;           ///< the greatest length of an axis
  double extent = 0;           ///< at least the sum of the half lengths, in world units
  bool similar = true;         ///< no axis is extremely short or long, and their lengths differ by a factor of at most 4

  explicit Zonotope(const ZonotopeTerms<0>& s) : base(s.base), radius(s.radius) {}
};
template <>
struct Zonotope<1> : Zonotope<0> {
  V3<double> axis[1];  ///< off by u of itself
  double half[1] = {0.5};

  explicit Zonotope(const ZonotopeTerms<1>& s) : Zonotope<0>({s.base, s.radius}), axis{{s.end.x - s.base.x, s.end.y - s.base.y, s.end.z - s.base.z}} {
    const double squared = dot(axis[0], axis[0]);
    middle = 0.5 * axis[0];
    terms = taxicab(middle);
    length = std::sqrt(squared);
    extent = 0.5 * length;
    similar = is_zero(axis[0]) || (squared > 0x1p-200 && squared < 0x1p200);
  }
};
template <>
struct Zonotope<3> : Zonotope<0> {
  const V3<double> (&axis)[3];
  const double (&lo)[3], (&hi)[3];
  double half[3];

  explicit Zonotope(const ZonotopeTerms<3>& s) : Zonotope<0>(ZonotopeTerms<0>{s.base, 0}), axis(s.axis), lo(s.lo), hi(s.hi) {
    double least = kInfinity, greatest = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const double squared = dot(axis[k], axis[k]);
      half[k] = 0.5 * (hi[k] - lo[k]);
      least = std::min(least, squared);
      greatest = std::max(greatest, squared);
      if (lo[k] == -hi[k]) continue;
      const double mid = 0.5 * (lo[k] + hi[k]);
      middle = middle + mid * axis[k];
      terms += std::fabs(mid) * taxicab(axis[k]);
    }
    length = std::sqrt(greatest);
    extent = (half[0] + half[1] + half[2]) * length;
    similar = greatest > 0x1p-200 && greatest < 0x1p200 && greatest <= 16 * least;
  }
};

}  // namespace graze
