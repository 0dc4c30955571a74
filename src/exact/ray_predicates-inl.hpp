// Formulas about rays and triangles, for any number type with + - *. The line o + T d meets the plane of a, b, c at T =
// numerator / denominator = n . (a - o) / n . d with n = (b - a) x (c - a).
#pragma once

#include "exact/predicates-inl.hpp"

namespace graze::formula {

/// x contains o, and a, b, c from index `at`.
template <class X>
auto ray_numerator(const X& x, int at) {
  const int b = at + 3, c = at + 6;
  return det3(x[b] - x[at], x[b + 1] - x[at + 1], x[b + 2] - x[at + 2], x[c] - x[at], x[c + 1] - x[at + 1], x[c + 2] - x[at + 2], x[at] - x[0],
              x[at + 1] - x[1], x[at + 2] - x[2]);
}

/// x contains a, b, c from index `at`; d is the direction.
template <class X, class D>
auto ray_denominator(const X& x, const D& d, int at) {
  const int b = at + 3, c = at + 6;
  return det3(x[b] - x[at], x[b + 1] - x[at + 1], x[b + 2] - x[at + 2], x[c] - x[at], x[c + 1] - x[at + 1], x[c + 2] - x[at + 2], d[0], d[1], d[2]);
}

/// x contains o and two triangles: the sign of T1 - T2 times the signs of both denominators.
template <class X, class D>
auto ray_compare(const X& x, const D& d) {
  return ray_numerator(x, 3) * ray_denominator(x, d, 12) - ray_numerator(x, 12) * ray_denominator(x, d, 3);
}

}  // namespace graze::formula
