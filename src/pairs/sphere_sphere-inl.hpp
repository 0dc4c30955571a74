// The filters of balls, for doubles and SIMD lanes.

/// Whether |a - b| <= reach = r + s. d = |a - b|^2 as computed has a relative error below (1 + u)^5 - 1 (difference, square, two sums), (r + s)^2 below
/// (1 + u)^3 - 1, and their difference and the bound a few u of themselves: 16 u covers all. Underflow loses less than 2^-1070. Overflow gives inf > inf or
/// NaN > inf and is undecided.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_balls(const Point3<V>& a, const Point3<V>& b, V reach) {
  const Point3<V> x = a - b;
  const V d = dot(x, x), tt = reach * reach, excess = d - tt;
  return {excess<0, abs(excess)>(d + tt) * (16 * kUnitRoundoff) + 0x1p-1060};
}

/// The point of the box nearest to `c`, whose coordinates are doubles.
template <class V>
[[gnu::always_inline]] inline Point3<V> nearest_in_box(const Point3<V>& c, const Point3<V>& low, const Point3<V>& high) {
  return {select(c.x < low.x, low.x, select(high.x < c.x, high.x, c.x)), select(c.y < low.y, low.y, select(high.y < c.y, high.y, c.y)),
          select(c.z < low.z, low.z, select(high.z < c.z, high.z, c.z))};
}
// ---- balls that these bounds cannot distinguish from touching ----

constexpr double kCloseBallsSlack = 16;

/// 0, or of a size whose square has an exact error.
template <class V>
[[gnu::always_inline]] inline Mask<V> exact_square(V v) {
  return (v == 0) | (abs(v) > 0x1p-400);
}

// With x + x' = a.x - b.x, ..., t + t' = r + s exactly (two_sum), |a - b|^2 - (r + s)^2 is the sum of x^2, y^2, z^2, -t^2, of 2 x x', ..., -2 t t', and of the
// squares of the small parts, which are below u |x x'| and left out. Each square is a double and its exact error; the sum of the four doubles is one double and
// its three exact errors. All these errors are added in doubles, by fewer than eight additions each, so the excess is off by 10 u of the sum of their sizes.
// Where all errors are 0, as on a grid, the excess is exact, also in contact.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_close_balls(const Point3<V>& a, const Point3<V>& b, V r, V s) {
  const Two<V> x = two_sum(a.x, -b.x), y = two_sum(a.y, -b.y), z = two_sum(a.z, -b.z), t = two_sum(r, s);
  const Two<V> xx = two_product(x.hi, x.hi), yy = two_product(y.hi, y.hi), zz = two_product(z.hi, z.hi), tt = two_product(t.hi, t.hi);
  const Two<V> first = two_sum(xx.hi, yy.hi), second = two_sum(zz.hi, -tt.hi), sum = two_sum(first.hi, second.hi);
  const V x2 = 2 * (x.hi * x.lo), y2 = 2 * (y.hi * y.lo), z2 = 2 * (z.hi * z.lo), t2 = 2 * (t.hi * t.lo);
  const V low = ((xx.lo + yy.lo) + (zz.lo - tt.lo)) + ((first.lo + second.lo) + sum.lo) + ((x2 + y2) + (z2 - t2)), excess = sum.hi + low;
  const V errors = (((abs(xx.lo) + abs(yy.lo)) + (abs(zz.lo) + abs(tt.lo))) + ((abs(first.lo) + abs(second.lo)) + abs(sum.lo))) +
                   ((abs(x2) + abs(y2)) + (abs(z2) + abs(t2)));
  const V small = (abs(x.lo) + abs(y.lo)) + (abs(z.lo) + abs(t.lo));
  // Below 2^300 nothing overflows. Squares of numbers above 2^-400 have exact errors, and the loss of smaller ones is below 2^-1070, negligible beside 2^-900.
  const V far = max(max_norm(Point3<V>{x.hi, y.hi, z.hi}), t.hi);
  const Mask<V> exact = (errors + small == 0) & exact_square(x.hi) & exact_square(y.hi) & exact_square(z.hi) & exact_square(t.hi);
  const Mask<V> clear = abs(excess) > errors * (kCloseBallsSlack * kUnitRoundoff) + 0x1p-900, sure = (far < 0x1p300) & (clear | exact);
  return {excess <= 0, sure};
}
