// Double-double arithmetic in SIMD lanes: Two<V>. Included once per Highway target.
#if defined(GRAZE_MATH_TWO_DOUBLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MATH_TWO_DOUBLE_INL
#undef GRAZE_MATH_TWO_DOUBLE_INL
#else
#define GRAZE_MATH_TWO_DOUBLE_INL
#endif

#include <hwy/highway.h>

#include "math/points-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace lanes {

#define GRAZE_TWO_INLINE HWY_INLINE
#define GRAZE_TWO_FUSED HWY_NATIVE_FMA
#include "math/two_double_text-inl.hpp"
#undef GRAZE_TWO_INLINE
#undef GRAZE_TWO_FUSED

}  // namespace lanes
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
