// The filter of the distance of two boxes along the axes, in SIMD lanes: the offset of the nearest points is exact.

/// Both points of one coordinate: the ends that face each other, or, where the intervals overlap, the beginning of the overlap.
template <class V>
[[gnu::always_inline]] inline void nearest_in_intervals(V low_a, V high_a, V low_b, V high_b, V& on_a, V& on_b) {
  const V begin = select(low_a < low_b, low_b, low_a) + 0.0;  // no -0, so that exchanging the boxes exchanges the points
  on_a = select(high_a < low_b, high_a, begin), on_b = select(high_b < low_a, high_b, begin);
}

template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_boxes(const Point3<V>& low_a, const Point3<V>& high_a, const Point3<V>& low_b, const Point3<V>& high_b) {
  Point3<V> a, b;
  nearest_in_intervals(low_a.x, high_a.x, low_b.x, high_b.x, a.x, b.x);
  nearest_in_intervals(low_a.y, high_a.y, low_b.y, high_b.y, a.y, b.y);
  nearest_in_intervals(low_a.z, high_a.z, low_b.z, high_b.z, a.z, b.z);
  const TwoPoint<V> x = two_difference(a, b);
  const Mask<V> meet = (x.x.hi == 0) & (x.y.hi == 0) & (x.z.hi == 0);
  const Gap<V> apart = gap_of_points(two_point(a), two_point(b), length(x), constant<V>(0), constant<V>(1), max_norm(high(x)));
  return select(meet, Gap<V>{constant<V>(0), a, a, meet}, apart);
}
