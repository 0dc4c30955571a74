// The answer of a filter, and the proofs about distances that the filters of round shapes share: one text for doubles (certain.hpp) and SIMD lanes
// (lanes-inl.hpp), like all texts of filters in this folder and in `pairs`. They name only operators and the functions of math/point.hpp.

/// `yes` is the answer where `sure` holds, one per lane.
template <class V>
struct Decision {
  Mask<V> yes, sure;
};

// Both proofs take a vector x in doubles, xx = x . x as computed (relative error below 4 u while above 2^-900), and reach = r + s as computed (relative error
// u). NaN and overflow make every comparison false. The proofs have no branches, and callers branch on `sure` only: whether the answer is yes or no is
// unpredictable to the processor, whether it is proven is not.

/// A point of A and a point of B differ from x by at most `slack` - 3 u reach (their true distance is at most |x| + slack). Returns whether the sets are then
/// within `reach`. in = reach - slack has a relative error of 2 u, in^2 of 6 u, xx of 4 u: 32 u covers both. With 2^-450 < in, what underflows in xx or in a
/// term of x (below 2^-1070) is far below 16 u in.
template <class V>
[[gnu::always_inline]] inline Mask<V> proves_within(V xx, V reach, V slack) {
  const V in = reach - slack;
  return (in > 0x1p-450) & (in < 0x1p500) & (xx * (1 + 32 * kUnitRoundoff) < in * in);
}
/// Requires x . (a - b) >= level for all points of both, with the error of `level` already subtracted. Returns whether the sets are farther apart than `reach`:
/// level > reach |x|, squared, with relative errors 3 u + 2 u + 4 u + ... < 32 u. Where reach^2 would underflow, a larger reach replaces it; the right side is
/// then right or below 2^-1020 < level^2.
template <class V>
[[gnu::always_inline]] inline Mask<V> proves_apart(V level, V xx, V reach) {
  const V r = max(reach, constant<V>(0x1p-400));
  return (level > 0x1p-450) & (level < 0x1p500) & (xx > 0x1p-900) & (level * level > ((r * r) * xx) * (1 + 32 * kUnitRoundoff));
}
/// By either proof, for the nearest points' difference x.
template <class V>
[[gnu::always_inline]] inline Decision<V> decide_by_difference(const Point3<V>& x, V level, V reach, V slack) {
  const V xx = dot(x, x);
  const Mask<V> inside = proves_within(xx, reach, slack);
  return {inside, either(inside, proves_apart(level, xx, reach))};
}
