// Points and vectors in SIMD lanes of doubles, for kernels of any lane count. Included once per Highway target.
#if defined(GRAZE_MATH_POINTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MATH_POINTS_INL
#undef GRAZE_MATH_POINTS_INL
#else
#define GRAZE_MATH_POINTS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace points {
namespace hn = hwy::HWY_NAMESPACE;

/// One point or direction per lane.
template <class V>
struct Point {
  V x, y, z;
};
template <class V>
HWY_INLINE Point<V> operator-(const Point<V>& a, const Point<V>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class V>
HWY_INLINE Point<V> operator-(const Point<V>& a) {
  return {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z)};
}
template <class V>
HWY_INLINE V dot(const Point<V>& a, const Point<V>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class V>
HWY_INLINE Point<V> cross(const Point<V>& a, const Point<V>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// a + t d
template <class V>
HWY_INLINE Point<V> point_along(const Point<V>& a, V t, const Point<V>& d) {
  return {a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
}
/// a - t d
template <class V>
HWY_INLINE Point<V> point_back(const Point<V>& a, V t, const Point<V>& d) {
  return {a.x - t * d.x, a.y - t * d.y, a.z - t * d.z};
}
template <class M, class V>
HWY_INLINE Point<V> select(M m, const Point<V>& a, const Point<V>& b) {
  return {hn::IfThenElse(m, a.x, b.x), hn::IfThenElse(m, a.y, b.y), hn::IfThenElse(m, a.z, b.z)};
}
template <class V>
HWY_INLINE Point<V> abs(const Point<V>& a) {
  return {hn::Abs(a.x), hn::Abs(a.y), hn::Abs(a.z)};
}
template <class V>
HWY_INLINE V taxicab(const Point<V>& a) {
  return hn::Abs(a.x) + hn::Abs(a.y) + hn::Abs(a.z);
}
template <class V>
HWY_INLINE V max_norm(const Point<V>& a) {
  return hn::Max(hn::Max(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z));
}
/// Clamps t to [0, 1]; NaN gives 0.
template <class V>
HWY_INLINE V clamp01(V t) {
  const hn::DFromV<V> d;
  const V one = hn::Set(d, 1.0);
  return hn::IfThenElseZero(t > hn::Zero(d), hn::IfThenElse(t < one, t, one));
}

}  // namespace points
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
