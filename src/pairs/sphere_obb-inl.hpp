// The filter of a ball against an oriented box, for doubles and SIMD lanes: the centre in coordinates along the axes, clamped to the box, is the nearest point
// when the axes are at right angles. The result is proven from both sides for any axes (docs/derivations/round_boxes.md).

/// Whether t, relative to the box's centre, lies within `reach` of the box of generators u. `off`: of a RoundedBox.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_ball_box(const Point3<V>& t, const Point3<V> (&u)[3], V reach, V off = constant<V>(0)) {
  Point3<V> x = t;
  for (const Point3<V>& v : u) x = point_back(x, clamp_symmetric(dot(t, v) / (dot(v, v) + kTinySquare)), v);
  const V m = (max_norm(t) + off) + ((max_norm(u[0]) + max_norm(u[1])) + max_norm(u[2]));
  // Each product 4 u |x|_1 of its size, their sum 3 u |x|_1 m: below 8 u |x|_1 m.
  const V level = (dot(x, t) - ((abs(dot(x, u[0])) + abs(dot(x, u[1]))) + abs(dot(x, u[2])))) - kSphereBoxSlack * (taxicab(x) * m);
  // Each coordinate of x: u m (t) + 2 u m (products) + 3 u m (sums); the vector sqrt(3) 6 u m < 11 u m.
  return decide_by_difference(x, level, reach, kSphereBoxSlack * m);
}
