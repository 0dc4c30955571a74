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
  const V s = a + b, bb = s - a;
  return {s, a - (s - bb) + (b - bb)};
}
/// a + b exactly, for |a| >= |b|.
template <class V>
HWY_INLINE Two<V> quick_two_sum(V a, V b) {
  const V s = a + b;
  return {s, b - (s - a)};
}
/// a * b exactly for |a|, |b| < 2^990 without underflow. Outside that range the results with and without fused operations differ.
template <class V>
HWY_INLINE Two<V> two_product(V a, V b) {
  const V p = a * b;
#if HWY_NATIVE_FMA
  return {p, hn::MulSub(a, b, p)};
#else
  const V split = hn::Set(hn::DFromV<V>(), 134217729.0);
  const V ca = split * a, ah = ca - (ca - a), al = a - ah;
  const V cb = split * b, bh = cb - (cb - b), bl = b - bh;
  return {p, ah * bh - p + ah * bl + al * bh + al * bl};
#endif
}
template <class V>
HWY_INLINE Two<V> add(const Two<V>& a, const Two<V>& b) {
  const Two<V> s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo), v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, t.lo + v.lo);
}
template <class V>
HWY_INLINE Two<V> subtract(const Two<V>& a, const Two<V>& b) {
  return add(a, {hn::Neg(b.hi), hn::Neg(b.lo)});
}
template <class V>
HWY_INLINE Two<V> multiply(const Two<V>& a, const Two<V>& b) {
  const Two<V> p = two_product(a.hi, b.hi);
  return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

}  // namespace two
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
