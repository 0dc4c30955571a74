// The filter of the distance of a ball and a triangle, in SIMD lanes. Needs first_of, as sphere_triangle-inl.hpp, and pick: one of
// several values by its number.

/// A region of the plane: where in it the nearest point lies, a + b (b - a) + c (c - a), and the number of the region:
/// corner a, corner b, edge a b, corner c, edge a c, edge b c, face.
template <class V>
struct Region {
  V b, b_low, c, number;  ///< weight b is a pair of doubles: on the edge b c, the weights of both ends sum to 1 exactly
};
template <class M, class V>
[[gnu::always_inline]] inline Region<V> select(M m, const Region<V>& a, const Region<V>& b) {
  return {select(m, a.b, b.b), select(m, a.b_low, b.b_low), select(m, a.c, b.c), select(m, a.number, b.number)};
}
/// The region of p (C. Ericson, "Real-Time Collision Detection", 5.1.5).
template <class V>
[[gnu::always_inline]] inline Region<V> region_of(const Point3<V>& ab, const Point3<V>& ac, const Point3<V>& ap, const Point3<V>& bp, const Point3<V>& cp) {
  const V d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
  const V vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4, d43 = d4 - d3, d56 = d5 - d6;
  const V s_ab = weight(d1 / ((d1 - d3) + kNoLength)), s_ac = weight(d2 / ((d2 - d6) + kNoLength)), s_bc = weight(d43 / ((d43 + d56) + kNoLength)),
          by_sum = 1 / ((va + vb) + vc);
  const V v = weight(vb * by_sum), w = weight(min(vc * by_sum, (1 - v) - 0x1p-53)), rest = 1 - s_bc, zero = constant<V>(0), one = constant<V>(1);
  const Mask<V> corner_a = (d1 <= 0) & (d2 <= 0), corner_b = (d3 >= 0) & (d4 <= d3), edge_ab = (vc <= 0) & (d1 >= 0) & (d3 <= 0),
                corner_c = (d6 >= 0) & (d5 <= d6), edge_ac = (vb <= 0) & (d2 >= 0) & (d6 <= 0), edge_bc = (va <= 0) & (d43 >= 0) & (d56 >= 0);
  const Mask<V> regions[6] = {corner_a, corner_b, edge_ab, corner_c, edge_ac, edge_bc};
  const Region<V> found[7] = {{zero, zero, zero, constant<V>(0)}, {one, zero, zero, constant<V>(1)},  {s_ab, zero, zero, constant<V>(2)},
                              {zero, zero, one, constant<V>(3)},  {zero, zero, s_ac, constant<V>(4)}, {rest, (1 - rest) - s_bc, s_bc, constant<V>(5)},
                              {v, zero, w, constant<V>(6)}};
  return first_of(regions, found);
}

/// The ball of radius r about p, and the triangle a b c.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_ball_triangle(const Point3<V>& p, V r, const Point3<V>& a, const Point3<V>& b, const Point3<V>& c) {
  const TwoPoint<V> ab2 = two_difference(b, a), ac2 = two_difference(c, a), ap2 = two_difference(p, a);
  const Point3<V> ab = high(ab2), ac = high(ac2), ap = high(ap2), bc = c - b, bp = p - b, cp = p - c;
  const Region<V> at = region_of(ab, ac, ap, bp, cp);
  const Two<V> weight_b{at.b, at.b_low};
  const TwoPoint<V> on_ball = two_point(p), on_triangle = plus_product(plus_product(two_point(a), weight_b, ab2), at.c, ac2);
  const TwoPoint<V> x2 = normal(plus_product(plus_product(ap2, -weight_b, ab2), -at.c, ac2));
  const Point3<V> x = high(x2);
  const Length<V> n = length(x2);
  const V m = max(max(max(max_norm(ab), max_norm(ac)), max_norm(ap)), max(max_norm(bp), max_norm(cp)));
  const V ab_ab = dot(ab, ab), ac_ac = dot(ac, ac), bc_bc = dot(bc, bc), zero = constant<V>(0);
  // What steps between the corners add to x . (point of the triangle), which may nowhere grow.
  const V to_b = dot(x, ab), to_c = dot(x, ac), b_to_c = dot(x, bc), error_b = product_error(x, ab), error_c = product_error(x, ac),
          error_bc = product_error(x, bc);
  const V slope_b = abs(to_b) + error_b, slope_c = abs(to_c) + error_c, slope_bc = abs(b_to_c) + error_bc;
  const Point3<V> across = cross(ab, ac);
  const V area = dot(across, across), in_face = 2 * (slope_b * slope_b * ac_ac + slope_c * slope_c * ab_ab);
  const Mask<V> flat = area > kLeastSine * (ab_ab * ac_ac);
  // In the order of the regions: K^2 and its unit; how much the steps to the corners outside lengthen x; the square of the longest of these.
  const V losses[7] = {zero, zero, slope_b * slope_b, zero, slope_c * slope_c, slope_bc * slope_bc, in_face};
  const V units[7] = {ab_ab, ab_ab, ab_ab, ab_ab, ac_ac, bc_bc, select(flat, 0.99 * area, constant<V>(-1))};
  const V firsts[7] = {-to_b - error_b, to_b - error_b, -to_c - error_c, to_c - error_c, -to_b - error_b, to_b - error_b, zero};
  const V seconds[7] = {-to_c - error_c, -b_to_c - error_bc, zero, b_to_c - error_bc, zero, zero, zero};
  const V fars[7] = {zero, zero, ac_ac, zero, ab_ab, ab_ab, zero};
  const V loss = pick(at.number, losses), unit = pick(at.number, units), first = pick(at.number, firsts);
  const Mask<V> proven = (min(first, pick(at.number, seconds)) >= 0) & (first * first * unit >= 2 * (loss * pick(at.number, fars)));
  Gap<V> apart = gap_of_balls(on_ball, on_triangle, x2, n, r, zero, loss, unit, m);
  apart.sure = proven & apart.sure;
  if (all<V>(apart.sure)) return apart;
  return select(apart.sure, apart, overlap_of_balls(on_ball, x2, n.r, r, zero, m));
}
