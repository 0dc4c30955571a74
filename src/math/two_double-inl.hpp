// Double-double arithmetic in SIMD lanes, as in exact/two_double.hpp: each value is a double and its rounding error. Included once per Highway target.
#if defined(GRAZE_MATH_TWO_DOUBLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MATH_TWO_DOUBLE_INL
#undef GRAZE_MATH_TWO_DOUBLE_INL
#else
#define GRAZE_MATH_TWO_DOUBLE_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace two {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Two {
  V hi, lo;
};

/// a + b exactly.
template <class V>
HWY_INLINE Two<V> two_sum(V a, V b) {
  const V s = hn::Add(a, b), bb = hn::Sub(s, a);
  return {s, hn::Add(hn::Sub(a, hn::Sub(s, bb)), hn::Sub(b, bb))};
}
/// a + b exactly, for |a| >= |b|.
template <class V>
HWY_INLINE Two<V> quick_two_sum(V a, V b) {
  const V s = hn::Add(a, b);
  return {s, hn::Sub(b, hn::Sub(s, a))};
}
/// a * b exactly for |a|, |b| < 2^990 without underflow. Outside that range the results with and without fused operations differ.
template <class V>
HWY_INLINE Two<V> two_product(V a, V b) {
  const V p = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  return {p, hn::MulSub(a, b, p)};
#else
  const V split = hn::Set(hn::DFromV<V>(), 134217729.0);
  const V ca = hn::Mul(split, a), ah = hn::Sub(ca, hn::Sub(ca, a)), al = hn::Sub(a, ah);
  const V cb = hn::Mul(split, b), bh = hn::Sub(cb, hn::Sub(cb, b)), bl = hn::Sub(b, bh);
  return {p, hn::Add(hn::Add(hn::Add(hn::Sub(hn::Mul(ah, bh), p), hn::Mul(ah, bl)), hn::Mul(al, bh)), hn::Mul(al, bl))};
#endif
}
template <class V>
HWY_INLINE Two<V> add(const Two<V>& a, const Two<V>& b) {
  const Two<V> s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo), v = quick_two_sum(s.hi, hn::Add(s.lo, t.hi));
  return quick_two_sum(v.hi, hn::Add(t.lo, v.lo));
}
template <class V>
HWY_INLINE Two<V> subtract(const Two<V>& a, const Two<V>& b) {
  return add(a, {hn::Neg(b.hi), hn::Neg(b.lo)});
}
template <class V>
HWY_INLINE Two<V> multiply(const Two<V>& a, const Two<V>& b) {
  const Two<V> p = two_product(a.hi, b.hi);
  return quick_two_sum(p.hi, hn::Add(p.lo, hn::Add(hn::Mul(a.hi, b.lo), hn::Mul(a.lo, b.hi))));
}

}  // namespace two
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
