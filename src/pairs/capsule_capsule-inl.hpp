// The filter of two thick segments, for doubles and SIMD lanes: proposes a nearest pair of points and proves it from both sides.

/// Whether the segments p q and v w come within `reach`.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_thick_segments(const Point3<V>& p, const Point3<V>& q, const Point3<V>& v, const Point3<V>& w, V reach) {
  const Point3<V> d = q - p, e = w - v, g = p - v;
  const V dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dg = dot(d, g), eg = dot(e, g);
  // The parameters are only proposals: the nearest points of the lines, clamped, then each recomputed for the other. The divisions are adjacent because their
  // latencies, when chained, are most of the time of a single call.
  const V by_ee = 1 / ee, by_dd = 1 / dd;
  const V on_pq = clamp01((de * eg - dg * ee) / (dd * ee - de * de));
  const V j = clamp01(on_pq * (de * by_ee) + eg * by_ee);
  const V i = clamp01(j * (de * by_dd) - dg * by_dd);
  const Point3<V> x = point_along(point_back(g, j, e), i, d);
  const V m = max(max(max_norm(d), max_norm(e)), max_norm(g));
  // Over all points of both: x . g + min(0, x . d) - max(0, x . e), both selections made last. Each product 4 u |x|_1 m, sums of size up to 3 |x|_1 m: below 18
  // u |x|_1 m.
  const V at_p = dot(x, g), low = min(at_p, at_p + dot(x, d));
  const V level = min(low, low - dot(x, e)) - 32 * kUnitRoundoff * (taxicab(x) * m);
  // Each coordinate of x: u m (g) + 2 u m (i d) + 2 u m (j e) + 2 u m + 3 u m (sums) = 10 u m; the vector sqrt(3) 10 u m < 18 u m.
  return decide_by_difference(x, level, reach, 32 * kUnitRoundoff * m);
}
