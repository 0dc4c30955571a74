// Distances and their witnesses: what the filters for distances share, one text for doubles (gap.hpp, for convex sets) and SIMD lanes
// (gap_kernels.cpp, for pairs with a closed form, one or many).
// A filter proposes a nearest pair of points in doubles, evaluates their difference x once in pairs of doubles, and proves in doubles that x is the nearest
// point of A - B up to an error that enters only squared. docs/derivations/decision.md, "Distances", has the proof; its names are used here.

/// The choice between two masks.
template <class M>
[[gnu::always_inline]] inline M choose(M m, M a, M b) {
  return either(m & a, (!m) & b);
}

/// A distance above 0 and its witnesses, valid where `sure` holds, one per lane. Relative error of `distance`: below 2 u.
template <class V>
struct Gap {
  V distance;
  Point3<V> on_a, on_b;
  Mask<V> sure;
};
template <class M, class V>
[[gnu::always_inline]] inline Gap<V> select(M m, const Gap<V>& a, const Gap<V>& b) {
  return {select(m, a.distance, b.distance), select(m, a.on_a, b.on_a), select(m, a.on_b, b.on_b), choose(m, a.sure, b.sure)};
}
/// A and B exchanged.
template <class V>
[[gnu::always_inline]] inline Gap<V> exchanged(const Gap<V>& g) {
  return {g.distance, g.on_b, g.on_a, g.sure};
}

/// A point in pairs of doubles.
template <class V>
using TwoPoint = Point3<Two<V>>;

template <class V>
[[gnu::always_inline]] inline TwoPoint<V> two_point(const Point3<V>& a) {
  return {Two<V>(a.x, constant<V>(0)), Two<V>(a.y, constant<V>(0)), Two<V>(a.z, constant<V>(0))};
}
/// a - b exactly.
template <class V>
[[gnu::always_inline]] inline TwoPoint<V> two_difference(const Point3<V>& a, const Point3<V>& b) {
  return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)};
}
template <class V>
[[gnu::always_inline]] inline Point3<V> high(const TwoPoint<V>& a) {
  return {a.x.hi, a.y.hi, a.z.hi};
}
/// A weight in [0, 1]; so small ones that their products might underflow are 0.
template <class V>
[[gnu::always_inline]] inline V weight(V x) {
  const V t = clamp01(x);
  return select(t > 0x1p-200, t, constant<V>(0));
}
/// a + s d. The low part collects the rounding errors; it is not yet small beside the high part where that cancels.
template <class V>
[[gnu::always_inline]] inline Two<V> plus_product(const Two<V>& a, V s, const Two<V>& d) {
  const Two<V> p = two_product(s, d.hi), h = two_sum(a.hi, p.hi);
  return {h.hi, h.lo + ((a.lo + p.lo) + s * d.lo)};
}
template <class V>
[[gnu::always_inline]] inline Two<V> plus_product(const Two<V>& a, const Two<V>& s, const Two<V>& d) {
  const Two<V> p = two_product(s.hi, d.hi), h = two_sum(a.hi, p.hi);
  return {h.hi, h.lo + ((a.lo + p.lo) + (s.hi * d.lo + s.lo * d.hi))};
}
template <class V, class S>
[[gnu::always_inline]] inline TwoPoint<V> plus_product(const TwoPoint<V>& a, const S& s, const TwoPoint<V>& d) {
  return {plus_product(a.x, s, d.x), plus_product(a.y, s, d.y), plus_product(a.z, s, d.z)};
}
/// The same with the high part rounded from the whole.
template <class V>
[[gnu::always_inline]] inline TwoPoint<V> normal(const TwoPoint<V>& a) {
  return {two_sum(a.x.hi, a.x.lo), two_sum(a.y.hi, a.y.lo), two_sum(a.z.hi, a.z.lo)};
}
template <class V>
[[gnu::always_inline]] inline Point3<V> rounded(const TwoPoint<V>& a) {
  return {a.x.hi + a.x.lo, a.y.hi + a.y.lo, a.z.hi + a.z.lo};
}
/// a + f x, rounded once up to a few u^2.
template <class V>
[[gnu::always_inline]] inline V moved(const Two<V>& a, const Two<V>& f, const Two<V>& x) {
  const Two<V> p = two_product(f.hi, x.hi), s = two_sum(a.hi, p.hi);
  return s.hi + (s.lo + ((a.lo + p.lo) + (f.hi * x.lo + f.lo * x.hi)));
}
template <class V>
[[gnu::always_inline]] inline Point3<V> moved(const TwoPoint<V>& a, const Two<V>& f, const TwoPoint<V>& x) {
  return {moved(a.x, f, x.x), moved(a.y, f, x.y), moved(a.z, f, x.z)};
}

/// |x| = r + rest up to 16 u^2 r, and 1 / r.
template <class V>
struct Length {
  V r, rest, inverse;
};
template <class V>
[[gnu::always_inline]] inline Length<V> length(const TwoPoint<V>& x) {
  const Two<V> a = two_product(x.x.hi, x.x.hi), b = two_product(x.y.hi, x.y.hi), c = two_product(x.z.hi, x.z.hi);
  const Two<V> s = two_sum(a.hi, b.hi), t = two_sum(s.hi, c.hi);
  const V low = ((a.lo + b.lo) + c.lo) + ((s.lo + t.lo) + 2 * ((x.x.hi * x.x.lo + x.y.hi * x.y.lo) + x.z.hi * x.z.lo));
  const V r = sqrt(t.hi), inverse = 1 / r;
  const Two<V> q = two_product(r, r);
  return {r, (((t.hi - q.hi) - q.lo) + low) * (0.5 * inverse), inverse};
}

// Limits of the proof. m: the largest of the differences that x is a sum of, and of the radii.

/// Whether nothing overflows, and no underflow matters: K^2 and its unit are of the sixth degree, with factors down to 2^-220.
template <class V>
[[gnu::always_inline]] inline Mask<V> in_range(V m) {
  return (m > 0x1p-120) & (m < 0x1p120);
}
constexpr double kLeastGap = 0x1p-42;            ///< of m: the errors of x and |x| in pairs, 192 u^2 m, are then below u / 8 of the distance
constexpr double kLoss = 0.125 * kUnitRoundoff;  ///< of |x| distance: the most that the square of the error K may be
constexpr double kProductError = 8 * kUnitRoundoff;
constexpr double kNoLength = 0x1p-1000;  ///< added to squared lengths that divide: the quotient is 0 for a direction of length 0
constexpr double kLeastSine = 0x1p-80;   ///< squared: the computed n = e x f is then off by less than 2^-9 of itself

/// A bound on the rounding of dot(x, c) for the x in doubles and a rounded difference c.
template <class V>
[[gnu::always_inline]] inline V product_error(const Point3<V>& x, const Point3<V>& c) {
  return kProductError * dot(abs(x), abs(c));
}

/// The rest where x is proven: `loss` is K^2 times `unit`, `m` as above.
template <class V>
[[gnu::always_inline]] inline Mask<V> proves_gap(V distance, V r, V loss, V unit, V m) {
  return in_range(m) & (distance > kLeastGap * m) & (loss <= (kLoss * (r * distance)) * unit);
}

/// Of points: no radii.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_points(const TwoPoint<V>& a, const TwoPoint<V>& b, const Length<V>& n, V loss, V unit, V m) {
  const V distance = n.r + n.rest;
  return {distance, rounded(a), rounded(b), proves_gap(distance, n.r, loss, unit, m)};
}
/// radius / |x|
template <class V>
[[gnu::always_inline]] inline Two<V> by_length(V radius, const Length<V>& n) {
  const V f = radius * n.inverse;
  const Two<V> p = two_product(f, n.r);
  return {f, (((radius - p.hi) - p.lo) - f * n.rest) * n.inverse};
}
/// Of balls of radii s and t about a and b, x = a - b.
template <class V>
[[gnu::always_inline]] inline Gap<V> gap_of_balls(const TwoPoint<V>& a, const TwoPoint<V>& b, const TwoPoint<V>& x, const Length<V>& n, V s, V t, V loss,
                                                  V unit, V m) {
  const Two<V> reach = two_sum(s, t), d = two_sum(n.r, -reach.hi);
  const V distance = d.hi + (d.lo + (n.rest - reach.lo));
  return {distance, moved(a, -by_length(s, n), x), moved(b, by_length(t, n), x), proves_gap(distance, n.r, loss, unit, max(m, reach.hi))};
}
/// Balls that certainly overlap: the distance 0 and a common point, on the segment between the centres in the ratio of the radii.
template <class V>
[[gnu::always_inline]] inline Gap<V> overlap_of_balls(const TwoPoint<V>& a, const TwoPoint<V>& x, V r, V s, V t, V m) {
  const V reach = s + t, size = max(m, reach);
  const Point3<V> p = moved(a, Two<V>(-(s / reach), constant<V>(0)), x);
  // r is off by less than 2^-50 m here, where x may be too short to be known better
  const Mask<V> sure = in_range(size) & (reach - r > 0x1p-40 * size);
  return {constant<V>(0), p, p, sure};
}

/// How much a step along c, of s in [0, 1] so far, may lessen |x|^2 / 2 per unit, for the x in doubles; 0 where no step does.
template <class V>
[[gnu::always_inline]] inline V descent(const Point3<V>& x, const Point3<V>& c, V s) {
  const V along = dot(x, c), error = product_error(x, c), zero = constant<V>(0);
  return max(max(select(s < 1, error - along, zero), select(s > 0, error + along, zero)), zero);
}
