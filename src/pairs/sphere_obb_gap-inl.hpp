// The filter of the distance of a ball and an oriented box, in SIMD lanes. The box is the set of c + sum s_k a_k with |s_k| <= h_k.

constexpr double kNearlyUpright = 0x1p-20;  ///< the square of the cosine between axes: K^2 is then below 1.01 times the sum of the squares along them

/// The ball of radius r about p, and the box. Axes far from right angles are left undecided, as is a centre inside.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_ball_obb(const Point3<V>& p, V r, const Point3<V>& c, const Point3<V> (&axis)[3], const V (&half)[3]) {
  const TwoPoint<V> t2 = two_difference(p, c);
  const Point3<V> t = high(t2);
  TwoPoint<V> x2 = t2, on_box = two_point(c);
  V s[3], square[3], inverse[3], m = max_norm(t);
  for (int k = 0; k < 3; ++k) {
    square[k] = dot(axis[k], axis[k]), inverse[k] = 1 / (square[k] + kNoLength);
    const V along = dot(t, axis[k]) * inverse[k];
    s[k] = select(abs(along) > 0x1p-200, copy_sign(min(abs(along), half[k]), along), constant<V>(0));
    const TwoPoint<V> a2 = two_point(axis[k]);
    x2 = plus_product(x2, -s[k], a2), on_box = plus_product(on_box, s[k], a2);
    m = max(m, half[k] * max_norm(axis[k]));
  }
  x2 = normal(x2);
  const Point3<V> x = high(x2);
  V loss = constant<V>(0);
  for (int k = 0; k < 3; ++k) {
    const V along = dot(x, axis[k]), error = product_error(x, axis[k]), zero = constant<V>(0);
    const V slope = max(max(select(s[k] < half[k], error + along, zero), select(s[k] > -half[k], error - along, zero)), zero);
    loss = loss + slope * slope * inverse[k];
  }
  const V d01 = dot(axis[0], axis[1]), d12 = dot(axis[1], axis[2]), d20 = dot(axis[2], axis[0]);
  const Mask<V> upright = (d01 * d01 <= kNearlyUpright * (square[0] * square[1])) & (d12 * d12 <= kNearlyUpright * (square[1] * square[2])) &
                          (d20 * d20 <= kNearlyUpright * (square[2] * square[0]));
  const Length<V> n = length(x2);
  Gap<V> apart = gap_of_balls(two_point(p), on_box, x2, n, r, constant<V>(0), 1.01 * loss, constant<V>(1), 2 * m);  // three products
  apart.sure = upright & apart.sure;
  if (all<V>(apart.sure)) return apart;
  return select(apart.sure, apart, overlap_of_balls(two_point(p), x2, n.r, r, constant<V>(0), m));
}
