// Double-double arithmetic: a value is a double, or doubles in SIMD lanes, and its rounding error: together about 106 bits. T. J. Dekker 1971; Joldes, Muller,
// Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", ACM TOMS 44 (2017): relative error of + at most 3 u^2, of *
// at most 5 u^2, u = 2^-53, absent overflow and underflow. This text is included once for doubles (exact/two_double.hpp) and once per CPU level
// (math/two_double-inl.hpp), which define GRAZE_TWO_INLINE and whether products are fused.

template <class V>
struct Two;

/// a + b exactly (Knuth).
template <class V>
GRAZE_TWO_INLINE Two<V> two_sum(V a, V b) {
  const V s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
/// The same for |a| >= |b| (Dekker).
template <class V>
GRAZE_TWO_INLINE Two<V> quick_two_sum(V a, V b) {
  const V s = a + b;
  return {s, b - (s - a)};
}
/// a * b exactly for |a|, |b| < 2^990 and no underflow (Veltkamp splitting). Outside that range the results with and without fused operations differ.
template <class V>
GRAZE_TWO_INLINE Two<V> two_product(V a, V b) {
  const V p = a * b;
#if GRAZE_TWO_FUSED
  return {p, hn::MulSub(a, b, p)};
#else
  constexpr double split = 134217729;  // 2^27 + 1
  const V ca = split * a, ah = ca - (ca - a), al = a - ah;
  const V cb = split * b, bh = cb - (cb - b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
#endif
}

template <class V>
struct Two {
  V hi{}, lo{};
  Two() = default;
  GRAZE_TWO_INLINE Two(V h) : hi(h) {}
  GRAZE_TWO_INLINE Two(V h, V l) : hi(h), lo(l) {}

  friend GRAZE_TWO_INLINE Two operator-(const Two& a) { return {-a.hi, -a.lo}; }
  friend GRAZE_TWO_INLINE Two operator+(const Two& a, const Two& b) {
    const Two s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const Two v = quick_two_sum(s.hi, s.lo + t.hi);
    return quick_two_sum(v.hi, t.lo + v.lo);
  }
  friend GRAZE_TWO_INLINE Two operator-(const Two& a, const Two& b) { return a + (-b); }
  friend GRAZE_TWO_INLINE Two operator*(const Two& a, const Two& b) {
    const Two p = two_product(a.hi, b.hi);
    return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
  }
};
