// The polynomials that decide whether a vertex and a face, or two edges, meet while every vertex moves linearly, for any number type with + - *: doubles,
// fixed-width integers (whose types grow), unlimited integers. Polynomials in the time t are forms in (t, 1 - t): sum of c_i t^i (1-t)^(degree-i), whose
// coefficients need no differences over time. See docs/derivations/ccd.md. The including file provides the number types and the namespaces.
#pragma once

#include "exact/predicates-inl.hpp"

namespace graze::formula {

template <class A, class B, class C>
struct Form2 {
  A c0;
  B c1;
  C c2;
};
template <class A, class B, class C>
Form2(A, B, C) -> Form2<A, B, C>;
template <class A, class B, class C, class D>
struct Form3 {
  A c0;
  B c1;
  C c2;
  D c3;
};
template <class A, class B, class C, class D>
Form3(A, B, C, D) -> Form3<A, B, C, D>;

/// Component k of p x q.
template <class V>
auto cross_component(const V& p, const V& q, int k) {
  const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
  return det2(p[i], p[j], q[i], q[j]);
}
template <class V, class W>
auto dot(const V& p, const W& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
template <class A, class B>
auto dot(const A& x, const A& y, const A& z, const B& q) {
  return x * q[0] + y * q[1] + z * q[2];
}

/// Component k of p(t) x q(t), where p moves from p0 to p1 and q from q0 to q1.
template <class V>
auto weight(const V& p0, const V& p1, const V& q0, const V& q1, int k) {
  return Form2{cross_component(p0, q0, k), cross_component(p0, q1, k) + cross_component(p1, q0, k), cross_component(p1, q1, k)};
}

/// p(t) . q(t)
template <class V>
auto alignment(const V& p0, const V& p1, const V& q0, const V& q1) {
  return Form2{dot(p0, q0), dot(p0, q1) + dot(p1, q0), dot(p1, q1)};
}

/// (a(t) x b(t)) . c(t)
template <class V>
auto coplanarity(const V& a0, const V& a1, const V& b0, const V& b1, const V& c0, const V& c1) {
  const auto x = weight(a0, a1, b0, b1, 0), y = weight(a0, a1, b0, b1, 1), z = weight(a0, a1, b0, b1, 2);
  return Form3{dot(x.c0, y.c0, z.c0, c0), dot(x.c0, y.c0, z.c0, c1) + dot(x.c1, y.c1, z.c1, c0), dot(x.c1, y.c1, z.c1, c1) + dot(x.c2, y.c2, z.c2, c0),
               dot(x.c2, y.c2, z.c2, c1)};
}

/// The value at t = m / (m + n), times (m + n)^2.
template <class A, class B, class C, class M>
auto value(const Form2<A, B, C>& f, const M& m, const M& n) {
  return (f.c2 * m + f.c1 * n) * m + f.c0 * (n * n);
}
/// The value at t = m / (m + n), times (m + n)^3.
template <class A, class B, class C, class D, class M>
auto value(const Form3<A, B, C, D>& f, const M& m, const M& n) {
  const auto nn = n * n;
  return ((f.c3 * m + f.c2 * n) * m + f.c1 * nn) * m + f.c0 * (nn * n);
}

}  // namespace graze::formula
