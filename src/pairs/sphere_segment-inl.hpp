// The filter of a ball against a segment, for doubles and SIMD lanes: proposes a nearest point and proves it from both sides.

/// Whether c lies within `reach` of the segment a b.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_ball_segment(const Point3<V>& a, const Point3<V>& b, const Point3<V>& c, V reach) {
  const Point3<V> d = b - a, e = c - a, f = c - b;
  const V t = clamp01(dot(d, e) / dot(d, d));
  const Point3<V> x = point_back(e, t, d);
  const V m = max(max(max_norm(d), max_norm(e)), max_norm(f));
  // x . e: rounding of e, products and two sums, 4 u |x|_1 m.
  const V level = min(dot(x, e), dot(x, f)) - 8 * kUnitRoundoff * (taxicab(x) * m);
  // x against the true c - (a + t (b - a)) for this t: each coordinate is off by u m (e) + u m (d) + u m (product) + 2 u m (difference) = 5 u m, the vector by
  // 5 sqrt(3) u m < 9 u m.
  return decide_by_difference(x, level, reach, 16 * kUnitRoundoff * m);
}
