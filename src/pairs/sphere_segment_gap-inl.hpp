// The filter of the distance of a ball and a thick segment, in SIMD lanes.

/// The ball of radius r about c, and the segment p q with radius s.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_ball_segment(const Point3<V>& c, V r, const Point3<V>& p, const Point3<V>& q, V s) {
  const TwoPoint<V> d2 = two_difference(q, p), g2 = two_difference(c, p);
  const Point3<V> d = high(d2), g = high(g2);
  const V dd = dot(d, d), t = weight(dot(d, g) / (dd + kNoLength));
  const TwoPoint<V> a = two_point(c), b = plus_product(two_point(p), t, d2), x2 = normal(plus_product(g2, -t, d2));
  const Length<V> n = length(x2);
  const V m = max(max_norm(d), max_norm(g)), slope = descent(high(x2), -d, t);
  const Gap<V> apart = gap_of_balls(a, b, x2, n, r, s, slope * slope, dd, m);
  if (all<V>(apart.sure)) return apart;
  return select(apart.sure, apart, overlap_of_balls(a, x2, n.r, r, s, m));
}
