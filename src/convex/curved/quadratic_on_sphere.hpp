// Whether a quadratic is negative on a unit circle or sphere: containment of circles and ellipsoids in quadrics. Bounds: docs/derivations/relation.md.
#pragma once
#include "exact/two_double.hpp"

namespace graze {

/// The quadratic y -> y . F y + 2 g . y + k of the unit vectors of n <= 3 dimensions; with n = 0 the number k.
struct SphereQuadratic {
  int n = 0;
  TwoDouble f[3][3], g[3], k;  ///< f is symmetric

  /// Adds factor * (alpha + beta . y)^2.
  void add_square(double factor, const TwoDouble& alpha, const TwoDouble (&beta)[3]);
};

/// Returns true only if the quadratic is at most 0 on the unit sphere, and false only if it exceeds -margin there, provided that its rounding is below
/// margin / 8. Requires margin > 0.
bool is_at_most_zero(const SphereQuadratic& q, const TwoDouble& margin);

}  // namespace graze
