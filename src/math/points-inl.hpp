// SIMD lanes of floats or doubles as numbers: beside Highway's operators, those with a constant, those of masks, and the functions that the texts of filters
// name, as math/point.hpp has them for doubles; points of such numbers. For kernels of any lane count. Included once per Highway target.
#if defined(GRAZE_MATH_POINTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MATH_POINTS_INL
#undef GRAZE_MATH_POINTS_INL
#else
#define GRAZE_MATH_POINTS_INL
#endif

#include <hwy/highway.h>

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace lanes {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
concept Vector = requires {
  typename hn::DFromV<V>;
};
template <class M>
concept MaskOfLanes = std::is_class_v<M> && !Vector<M> && requires(M m) {
  hn::Not(m);
};
/// What comparisons of two V give.
template <Vector V>
using Mask = hn::Mask<hn::DFromV<V>>;

template <Vector V>
HWY_INLINE V constant(double x) {
  return hn::Set(hn::DFromV<V>(), static_cast<hn::TFromV<V>>(x));
}

template <Vector V>
HWY_INLINE V operator-(V a) {
  return hn::Neg(a);
}
template <Vector V>
HWY_INLINE V operator+(V a, hn::TFromV<V> b) {
  return a + constant<V>(b);
}
template <Vector V>
HWY_INLINE V operator-(V a, hn::TFromV<V> b) {
  return a - constant<V>(b);
}
template <Vector V>
HWY_INLINE V operator*(V a, hn::TFromV<V> b) {
  return a * constant<V>(b);
}
template <Vector V>
HWY_INLINE V operator+(hn::TFromV<V> a, V b) {
  return constant<V>(a) + b;
}
template <Vector V>
HWY_INLINE V operator-(hn::TFromV<V> a, V b) {
  return constant<V>(a) - b;
}
template <Vector V>
HWY_INLINE V operator*(hn::TFromV<V> a, V b) {
  return constant<V>(a) * b;
}
template <Vector V>
HWY_INLINE V operator/(hn::TFromV<V> a, V b) {
  return constant<V>(a) / b;
}
template <Vector V>
HWY_INLINE Mask<V> operator<(V a, hn::TFromV<V> b) {
  return a < constant<V>(b);
}
template <Vector V>
HWY_INLINE Mask<V> operator>(V a, hn::TFromV<V> b) {
  return a > constant<V>(b);
}
template <Vector V>
HWY_INLINE Mask<V> operator<=(V a, hn::TFromV<V> b) {
  return a <= constant<V>(b);
}
template <Vector V>
HWY_INLINE Mask<V> operator>=(V a, hn::TFromV<V> b) {
  return a >= constant<V>(b);
}
template <Vector V>
HWY_INLINE Mask<V> operator==(V a, hn::TFromV<V> b) {
  return a == constant<V>(b);
}
template <MaskOfLanes M>
HWY_INLINE M operator&(M a, M b) {
  return hn::And(a, b);
}
template <MaskOfLanes M>
HWY_INLINE M operator|(M a, M b) {
  return hn::Or(a, b);
}
template <MaskOfLanes M>
HWY_INLINE M operator!(M a) {
  return hn::Not(a);
}

template <Vector V>
HWY_INLINE V abs(V x) {
  return hn::Abs(x);
}
template <Vector V>
HWY_INLINE V min(V a, V b) {
  return hn::Min(a, b);
}
template <Vector V>
HWY_INLINE V max(V a, V b) {
  return hn::Max(a, b);
}
template <Vector V>
HWY_INLINE V sqrt(V x) {
  return hn::Sqrt(x);
}
template <Vector V>
HWY_INLINE V copy_sign(V size, V sign) {
  return hn::CopySign(size, sign);
}
template <Vector V>
HWY_INLINE V select(Mask<V> m, V a, V b) {
  return hn::IfThenElse(m, a, b);
}
/// Clamps t to [0, 1]; NaN gives 0.
template <Vector V>
HWY_INLINE V clamp01(V t) {
  const V one = constant<V>(1);
  return hn::IfThenElseZero(t > constant<V>(0), hn::IfThenElse(t < one, t, one));
}
/// The power of two of a normal x > 0.
template <Vector V>
HWY_INLINE V power_of_two_in(V x) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<hn::DFromV<V>> du;
  return hn::BitCast(d, hn::And(hn::BitCast(du, x), hn::Set(du, 0x7FF0000000000000u)));
}
/// 1 / x for such a power.
template <Vector V>
HWY_INLINE V inverse_of_power(V x) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<hn::DFromV<V>> du;
  return hn::BitCast(d, hn::Set(du, 0x7FE0000000000000u) - hn::BitCast(du, x));
}

#include "math/point_text-inl.hpp"

}  // namespace lanes
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
