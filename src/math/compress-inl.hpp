// Compresses the selected SIMD lanes to the front and lists the positions of set bits. Included once per Highway target.
#if defined(GRAZE_MATH_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MATH_COMPRESS_INL
#undef GRAZE_MATH_COMPRESS_INL
#else
#define GRAZE_MATH_COMPRESS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace compress {
namespace hn = hwy::HWY_NAMESPACE;

/// Byte k of of[bits] is the position of the k-th set bit; bytes after the last set bit are 0.
struct SetBits {
  std::uint64_t of[256];
  constexpr SetBits() : of() {
    for (std::uint32_t bits = 0; bits < 256; ++bits)
      for (std::uint32_t i = 0, n = 0; i < 8; ++i)
        if ((bits >> i & 1) != 0) of[bits] |= std::uint64_t{i} << 8 * n++;
  }
};
inline constexpr SetBits kSetBits;

/// For d of eight 32-bit lanes: the positions of the set bits, then zeros.
template <class D>
HWY_INLINE hn::Vec<D> places(D d, std::uint32_t bits) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, D>(), reinterpret_cast<const std::uint8_t*>(&kSetBits.of[bits])));
}

/// Moves the lanes of a mask to the front, in order; the remaining lanes are unspecified. Replaces Highway's Compress, whose table for 8 lanes (1.0.3) GCC
/// copies onto the stack at each call.
template <class D>
class Mover {
 public:
  using V = hn::Vec<D>;
#if HWY_TARGET == HWY_AVX2
  HWY_INLINE Mover(D d, hn::Mask<D> mask) {
    static_assert(hn::MaxLanes(D()) == 8 && sizeof(hn::TFromD<D>) == 4);
    std::uint8_t bytes[8];
    hn::StoreMaskBits(d, mask, bytes);
    from_ = places(d, bytes[0]);
  }
  HWY_INLINE V operator()(V v) const { return hn::TableLookupLanes(v, hn::IndicesFromVec(D(), from_)); }

 private:
  V from_;
#else
  HWY_INLINE Mover(D, hn::Mask<D> mask) : mask_(mask) {}
  HWY_INLINE V operator()(V v) const { return hn::Compress(v, mask_); }

 private:
  hn::Mask<D> mask_;
#endif
};

}  // namespace compress
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
