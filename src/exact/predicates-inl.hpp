// The formulas of the predicates, for any number type with + - *: doubles with bounds, fixed-width integers (whose types grow) and unlimited integers.
#pragma once

namespace graze::formula {

template <class A, class B, class C, class D>
auto det2(const A& a, const B& b, const C& c, const D& d) {
  return a * d - b * c;
}

/// Determinant of the rows u, v, w.
template <class T, class U>
auto det3(const T& ux, const T& uy, const T& uz, const T& vx, const T& vy, const T& vz, const U& wx, const U& wy, const U& wz) {
  return det2(uy, uz, vy, vz) * wx - det2(ux, uz, vx, vz) * wy + det2(ux, uy, vx, vy) * wz;
}

/// x holds a, b, c, d.
template <class X>
auto orient3d(const X& x) {
  return det3(x[3] - x[0], x[4] - x[1], x[5] - x[2], x[6] - x[0], x[7] - x[1], x[8] - x[2], x[9] - x[0], x[10] - x[1], x[11] - x[2]);
}

/// x holds the two remaining coordinates of a, b, c.
template <class X>
auto orient2d(const X& x) {
  return det2(x[2] - x[0], x[3] - x[1], x[4] - x[0], x[5] - x[1]);
}

/// x holds a, b, c, d: (b - a) . (d - c).
template <class X>
auto dot_of_differences(const X& x) {
  return (x[3] - x[0]) * (x[9] - x[6]) + (x[4] - x[1]) * (x[10] - x[7]) + (x[5] - x[2]) * (x[11] - x[8]);
}

/// x holds a, b, c; y the direction.
template <class X, class Y>
auto orient_direction(const X& x, const Y& y) {
  return det3(x[3] - x[0], x[4] - x[1], x[5] - x[2], x[6] - x[0], x[7] - x[1], x[8] - x[2], y[0], y[1], y[2]);
}

/// x holds a, b, c, from, to.
template <class X>
auto orient_direction_between(const X& x) {
  return det3(x[3] - x[0], x[4] - x[1], x[5] - x[2], x[6] - x[0], x[7] - x[1], x[8] - x[2], x[12] - x[9], x[13] - x[10], x[14] - x[11]);
}

/// x holds a, b and three radii.
template <class X>
auto squared_distance_excess(const X& x) {
  const auto dx = x[3] - x[0], dy = x[4] - x[1], dz = x[5] - x[2];
  const auto r = x[6] + x[7] + x[8];
  return dx * dx + dy * dy + dz * dz - r * r;
}

}  // namespace graze::formula
