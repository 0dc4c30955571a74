// The filters of the distances of balls to balls and to boxes along the axes, in SIMD lanes: the offset of the nearest points is exact.

/// Of balls whose centres differ by x = a - b.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_offset(const TwoPoint<V>& a, const TwoPoint<V>& b, const TwoPoint<V>& x, V r, V s) {
  const V m = max_norm(high(x)), zero = constant<V>(0), one = constant<V>(1);
  const Length<V> n = length(x);
  const Gap<V> apart = gap_of_balls(a, b, x, n, r, s, zero, one, m);
  if (all<V>(apart.sure)) return apart;
  return select(apart.sure, apart, overlap_of_balls(a, x, n.r, r, s, m));
}
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_ball_ball(const Point3<V>& a, V r, const Point3<V>& b, V s) {
  return gap_of_offset(two_point(a), two_point(b), two_difference(a, b), r, s);
}

/// A ball and a box. A centre inside is left undecided.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_ball_box(const Point3<V>& c, V r, const Point3<V>& low, const Point3<V>& high) {
  const Point3<V> b = nearest_in_box(c, low, high);
  return gap_of_offset(two_point(c), two_point(b), two_difference(c, b), r, constant<V>(0));
}
