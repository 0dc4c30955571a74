// The filter of the distance of two thick segments, in SIMD lanes.

/// The segment p q with radius r, and v w with radius s.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_segments(const Point3<V>& p, const Point3<V>& q, V r, const Point3<V>& v, const Point3<V>& w, V s) {
  const TwoPoint<V> d2 = two_difference(q, p), e2 = two_difference(w, v), g2 = two_difference(p, v);
  const Point3<V> d = high(d2), e = high(e2), g = high(g2), normal_of_both = cross(d, e);
  const V dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dg = dot(d, g), eg = dot(e, g), det = dd * ee - de * de;
  // The nearest points of the lines, clamped, then each recomputed for the other.
  const V by_ee = 1 / (ee + kNoLength), by_dd = 1 / (dd + kNoLength), zero = constant<V>(0);
  const V on_pq = clamp01(select(det > 0, (de * eg - dg * ee) / det, zero));
  const V j = weight(on_pq * (de * by_ee) + eg * by_ee);
  const V i = weight(j * (de * by_dd) - dg * by_dd);
  const TwoPoint<V> a = plus_product(two_point(p), i, d2), b = plus_product(two_point(v), j, e2), x2 = normal(plus_product(plus_product(g2, i, d2), -j, e2));
  const Point3<V> x = high(x2);
  const Length<V> n = length(x2);
  const V m = max(max(max_norm(d), max_norm(e)), max_norm(g));
  const V slope_d = descent(x, d, i), slope_e = descent(x, -e, j);
  const V square = dot(normal_of_both, normal_of_both), loss = 2 * (slope_d * slope_d * ee + slope_e * slope_e * dd);
  const Mask<V> crossing = either(square > kLeastSine * (dd * ee), loss == 0);
  Gap<V> apart = gap_of_balls(a, b, x2, n, r, s, loss, 0.99 * square, m);
  apart.sure = crossing & apart.sure;
  if (all<V>(apart.sure)) return apart;
  // Parallel: steps along both together, and what the directions differ by. K^2 + 2 |x| |d x e| / |l| for the longer direction l.
  const Point3<V> longer = select(dd > ee, d, e);
  const V along = abs(dot(x, longer)) + product_error(x, longer);
  const V rounding = kProductError * (((abs(d.y * e.z) + abs(d.z * e.y)) + (abs(d.z * e.x) + abs(d.x * e.z))) + (abs(d.x * e.y) + abs(d.y * e.x)));
  const V parallel = along * along + 2 * n.r * ((taxicab(normal_of_both) + rounding) * taxicab(longer));
  const Mask<V> proven = proves_gap(apart.distance, n.r, parallel, max(dd, ee), max(m, r + s));
  apart.sure = either(apart.sure, proven);
  if (all<V>(apart.sure)) return apart;
  return select(apart.sure, apart, overlap_of_balls(a, x2, n.r, r, s, m));
}
