// The filter of a ball against a triangle, for doubles and SIMD lanes: proposes the nearest point by the regions of corners, edges and face (C. Ericson,
// "Real-Time Collision Detection", 5.1.5) and proves it from both sides. Needs first_of: the value of the first region that holds, or else the last value.

/// Weights of b and c of the nearest point, each >= 0 and their sum <= 1 + 4 u.
template <class V>
struct Weights {
  V b, c;
};
template <class M, class V>
[[gnu::always_inline]] inline Weights<V> select(M m, const Weights<V>& a, const Weights<V>& b) {
  return {select(m, a.b, b.b), select(m, a.c, b.c)};
}

/// Computes the weights of all regions and selects the first region that holds. The processor cannot predict which one that is, so none is skipped.
template <class V>
[[gnu::always_inline]] inline Weights<V> propose(const Point3<V>& ab, const Point3<V>& ac, const Point3<V>& ap, const Point3<V>& bp, const Point3<V>& cp) {
  const V d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
  const V vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4, d43 = d4 - d3, d56 = d5 - d6;
  constexpr double tiny = 0x1p-1000;  // for an edge without length any of its points is the nearest
  // In its region, each quotient of an edge has a numerator and a denominator >= 0, and the numerator is a term of the denominator.
  const V on_ab = d1 / ((d1 - d3) + tiny), on_ac = d2 / ((d2 - d6) + tiny), on_bc = d43 / ((d43 + d56) + tiny), by_sum = 1 / ((va + vb) + vc);
  const V v = clamp01(vb * by_sum), w = min(clamp01(vc * by_sum), 1 - v), zero = constant<V>(0), one = constant<V>(1);
  const Mask<V> corner_a = (d1 <= 0) & (d2 <= 0), corner_b = (d3 >= 0) & (d4 <= d3), edge_ab = (vc <= 0) & (d1 >= 0) & (d3 <= 0),
                corner_c = (d6 >= 0) & (d5 <= d6), edge_ac = (vb <= 0) & (d2 >= 0) & (d6 <= 0), edge_bc = (va <= 0) & (d43 >= 0) & (d56 >= 0);
  const Mask<V> regions[6] = {corner_a, corner_b, edge_ab, corner_c, edge_ac, edge_bc};
  const Weights<V> weights[7] = {{zero, zero}, {one, zero}, {on_ab, zero}, {zero, one}, {zero, on_ac}, {1 - on_bc, on_bc}, {v, w}};
  return first_of(regions, weights);
}

/// Whether p lies within `reach` of the triangle a b c.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_ball_triangle(const Point3<V>& a, const Point3<V>& b, const Point3<V>& c, const Point3<V>& p, V reach) {
  const Point3<V> ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const Weights<V> t = propose(ab, ac, ap, bp, cp);
  const Point3<V> x = point_back(point_back(ap, t.b, ab), t.c, ac);
  const V m = max(max(max(max_norm(ab), max_norm(ac)), max_norm(ap)), max(max_norm(bp), max_norm(cp)));
  // Each product 4 u |x|_1 m.
  const V level = min(min(dot(x, ap), dot(x, bp)), dot(x, cp)) - 8 * kUnitRoundoff * (taxicab(x) * m);
  // Each coordinate of x: u m (ap) + 2 u m + 2 u m (products) + 2 u m + 3 u m (sums) = 10 u m, and 4 u m for a sum of weights above 1; the vector sqrt(3) 14 u
  // m < 25 u m.
  return decide_by_difference(x, level, reach, 48 * kUnitRoundoff * m);
}
