// Formulas that compare distances between points, lines and planes with radii, for any number type with + - *.
#pragma once

#include "exact/predicates-inl.hpp"

namespace graze::formula {

template <class T>
struct Triple {
  T x, y, z;
};
template <class T>
Triple(T, T, T) -> Triple<T>;

/// Point x[to] - point x[from].
template <class X>
auto difference(const X& x, int from, int to) {
  return Triple{x[to] - x[from], x[to + 1] - x[from + 1], x[to + 2] - x[from + 2]};
}
template <class A, class B>
auto cross(const Triple<A>& a, const Triple<B>& b) {
  return Triple{det2(a.y, a.z, b.y, b.z), det2(a.z, a.x, b.z, b.x), det2(a.x, a.y, b.x, b.y)};
}
template <class A, class B>
auto dot(const Triple<A>& a, const Triple<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// x holds a, b, c and two radii: |(b - a) x (c - a)|^2 - (r + s)^2 |b - a|^2.
template <class X>
auto line_distance_excess(const X& x) {
  const auto d = difference(x, 0, 3);
  const auto n = cross(d, difference(x, 0, 6));
  const auto r = x[9] + x[10];
  return dot(n, n) - dot(d, d) * (r * r);
}

/// x holds a, b, c, p and a radius: (n . (p - a))^2 - r^2 |n|^2 with n = (b - a) x (c - a).
template <class X>
auto plane_distance_excess(const X& x) {
  const auto n = cross(difference(x, 0, 3), difference(x, 0, 6));
  const auto h = dot(n, difference(x, 0, 9));
  return h * h - dot(n, n) * (x[12] * x[12]);
}

/// x holds a, b, c, p: (n x (b - a)) . (p - a), positive when p is on c's side of the edge a b, seen along n = (b - a) x (c - a).
template <class X>
auto side_of_edge(const X& x) {
  const auto d = difference(x, 0, 3);
  const auto n = cross(d, difference(x, 0, 6));
  return dot(cross(n, d), difference(x, 0, 9));
}

/// x holds p, q, v, w and two radii; n = (q - p) x (w - v): ((v - p) . n)^2 - (r + s)^2 |n|^2.
template <class X>
auto lines_distance_excess(const X& x) {
  const auto n = cross(difference(x, 0, 3), difference(x, 6, 9));
  const auto h = dot(n, difference(x, 0, 6));
  const auto r = x[12] + x[13];
  return h * h - dot(n, n) * (r * r);
}

/// x holds p, q, v, w; n = (q - p) x (w - v): ((v - p) x (w - v)) . n, which is s |n|^2 for the point p + s (q - p) where the line p q is nearest to the line v
/// w.
template <class X>
auto nearest_parameter(const X& x) {
  const auto d = difference(x, 6, 9);
  return dot(cross(difference(x, 0, 6), d), cross(difference(x, 0, 3), d));
}

/// x holds p, c and a radius, y a normal: (n . (c - p))^2 - r^2 |n|^2.
template <class X, class Y>
auto normal_distance_excess(const X& x, const Y& y) {
  const Triple n{y[0], y[1], y[2]};
  const auto h = dot(n, difference(x, 0, 3));
  return h * h - dot(n, n) * (x[6] * x[6]);
}

/// x holds p and c, y a normal: n . (c - p).
template <class X, class Y>
auto height(const X& x, const Y& y) {
  return dot(Triple{y[0], y[1], y[2]}, difference(x, 0, 3));
}

/// x holds o, c and a radius, y a direction: |d x (c - o)|^2 - r^2 |d|^2.
template <class X, class Y>
auto axis_distance_excess(const X& x, const Y& y) {
  const Triple d{y[0], y[1], y[2]};
  const auto n = cross(d, difference(x, 0, 3));
  return dot(n, n) - dot(d, d) * (x[6] * x[6]);
}

/// x holds the two remaining coordinates of o and c; y holds those of a direction.
template <class X, class Y>
auto turn(const X& x, const Y& y) {
  return det2(y[0], y[1], x[2] - x[0], x[3] - x[1]);
}

}  // namespace graze::formula
