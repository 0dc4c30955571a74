// The filter of a thick segment against an oriented box, for doubles and SIMD lanes. Along the segment, the squared distance from a rectangular box is convex,
// and its derivative is piecewise linear with breaks at the (at most six) points where the segment's line crosses the planes of the faces. The derivative at
// the breaks and at both ends encloses its zero within one piece. The zero proposes a nearest pair, which is proven from both sides for any axes
// (docs/derivations/round_boxes.md). Needs Bracket: collects places `at` in [0, 1] and values there of a function that rises, and interpolates its zero.

/// Whether the segment from p to p + d, relative to the box's centre, comes within `reach` of the box of generators u. `off`: of a RoundedBox.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_thick_segment_box(const Point3<V>& p, const Point3<V>& d, const Point3<V> (&u)[3], V reach,
                                                                   V off = constant<V>(0)) {
  // The segment is y + t z in coordinates along the generators; the box is the set within +-h.
  V y[3], z[3], h[3], by_h[3], slope[3], t[8];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    y[k] = dot(p, u[k]), z[k] = dot(d, u[k]), h[k] = dot(u[k], u[k]) + kTinySquare;
    by_h[k] = 1 / h[k], slope[k] = z[k] * by_h[k];
    const V by_z = 1 / z[k];
    t[2 * k] = clamp01((-h[k] - y[k]) * by_z), t[2 * k + 1] = clamp01((h[k] - y[k]) * by_z);
  }
  t[6] = constant<V>(0), t[7] = constant<V>(1);
  Bracket<V> bracket;
#pragma GCC unroll 8
  for (const V at : t) {
    V g = constant<V>(0);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const V v = y[k] + at * z[k], excess = abs(v) - h[k];
      g = g + slope[k] * copy_sign(excess + abs(excess), v);  // twice the excess, or 0
    }
    bracket.add(at, g);
  }
  const V along = clamp01(bracket.zero());
  Point3<V> x = point_along(p, along, d);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) x = point_back(x, clamp_symmetric((y[k] + along * z[k]) * by_h[k]), u[k]);
  const V m = ((max_norm(p) + off) + max_norm(d)) + ((max_norm(u[0]) + max_norm(u[1])) + max_norm(u[2]));
  // Over all points of both: x . p + min(0, x . d) - sum |x . u_k|. Each product 4 u |x|_1 of its size, sums 4 u |x|_1 m: below 9 u |x|_1 m.
  const V far = (abs(dot(x, u[0])) + abs(dot(x, u[1]))) + abs(dot(x, u[2]));
  const V level = ((dot(x, p) + min(constant<V>(0), dot(x, d))) - far) - kCapsuleBoxSlack * (taxicab(x) * m);
  // Each coordinate of x: 2 u m (p, products) + 4 u m (sums); the vector sqrt(3) 6 u m < 11 u m.
  return decide_by_difference(x, level, reach, kCapsuleBoxSlack * m);
}
