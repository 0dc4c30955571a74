// Common parts of the batch kernels, once per CPU level: points in SIMD lanes, loading of shapes from consecutive doubles into lanes, masks as bytes. Included
// inside Highway's per-target passes.
#if defined(GRAZE_PAIRS_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_PAIRS_LANES_INL
#undef GRAZE_PAIRS_LANES_INL
#else
#define GRAZE_PAIRS_LANES_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "exact/approx.hpp"
#include "math/points-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace lanes {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
inline constexpr std::size_t kLanes = hn::MaxLanes(D());

using P = Point3<V>;

/// Whether one of two proofs holds.
template <MaskOfLanes T>
HWY_INLINE T either(T a, T b) {
  return a | b;
}
HWY_INLINE bool all_lanes(M m) { return hn::AllTrue(D(), m); }
HWY_INLINE M no_lanes() { return hn::FirstN(D(), 0); }

#include "pairs/detail/certain-inl.hpp"
using Answer = Decision<V>;

/// c[k] = field k, of four consecutive fields, of the shapes that begin `stride` doubles apart. A template, so that each number of lanes compiles only its own
/// branch.
template <class DL>
HWY_INLINE void spread4(DL d, const double* p, std::size_t stride, hn::Vec<DL>* HWY_RESTRICT c) {
#if HWY_TARGET == HWY_SCALAR
  (void)stride;
  for (std::size_t k = 0; k < 4; ++k) c[k] = hn::LoadU(d, p + k);
#else
  if constexpr (kLanes >= 4) {
    hn::Vec<DL> r[4];
    if constexpr (kLanes == 8) {
      const hn::Half<DL> half;
      for (std::size_t i = 0; i < 4; ++i) r[i] = hn::Combine(d, hn::LoadU(half, p + (i + 4) * stride), hn::LoadU(half, p + i * stride));
    } else {
      for (std::size_t i = 0; i < 4; ++i) r[i] = hn::LoadU(d, p + i * stride);
    }
    const auto even01 = hn::InterleaveLower(d, r[0], r[1]), odd01 = hn::InterleaveUpper(d, r[0], r[1]), even23 = hn::InterleaveLower(d, r[2], r[3]),
               odd23 = hn::InterleaveUpper(d, r[2], r[3]);
    c[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(even23), even01);
    c[1] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd23), odd01);
    c[2] = hn::OddEvenBlocks(even23, hn::SwapAdjacentBlocks(even01));
    c[3] = hn::OddEvenBlocks(odd23, hn::SwapAdjacentBlocks(odd01));
  } else {
    for (std::size_t k = 0; k < 4; k += 2) {
      const auto a = hn::LoadU(d, p + k), b = hn::LoadU(d, p + stride + k);
      c[k] = hn::InterleaveLower(d, a, b);
      c[k + 1] = hn::InterleaveUpper(d, a, b);
    }
  }
#endif
}

/// Loads all `kFields` (>= 4) fields; the last group of four may repeat some of them.
template <std::size_t kFields>
HWY_INLINE void spread(const double* p, V* HWY_RESTRICT c) {
  for (std::size_t k = 0; k + 4 <= kFields; k += 4) spread4(D(), p + k, kFields, c + k);
  if constexpr (kFields % 4 != 0) spread4(D(), p + kFields - 4, kFields, c + kFields - 4);
}

HWY_INLINE unsigned mask_bits(M m) {
  std::uint8_t bytes[8] = {0};
  hn::StoreMaskBits(D(), m, bytes);
  return bytes[0] & ((1u << kLanes) - 1);
}
/// Stores one byte per bit: four bits times 2^0 + 2^7 + 2^14 + 2^21 end up eight apart.
HWY_INLINE void store_bytes(unsigned bits, std::uint8_t* out) {
  if constexpr (kLanes == 8) {
    const std::uint64_t low = (bits & 15) * 0x00204081u & 0x01010101u, high = (bits >> 4) * 0x00204081u & 0x01010101u, all = low | high << 32;
    std::memcpy(out, &all, 8);
  } else {
    const std::uint32_t all = bits * 0x00204081u & 0x01010101u;
    std::memcpy(out, &all, kLanes);
  }
}

/// Runs decide(fields of A, fields of B) over all pairs; the last block overlaps the previous one.
template <std::size_t kFieldsA, std::size_t kFieldsB, class F>
HWY_INLINE std::size_t for_pairs(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided, const F& decide) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i += kLanes) {
    if (i + kLanes > n) i = n - kLanes;
    V fa[kFieldsA], fb[kFieldsB];
    spread<kFieldsA>(a + kFieldsA * i, fa);
    spread<kFieldsB>(b + kFieldsB * i, fb);
    const Answer answer = decide(fa, fb);
    store_bytes(mask_bits(answer.yes), out + i);
    if (!all_lanes(answer.sure)) {
      const unsigned sure = mask_bits(answer.sure);
      for (std::size_t k = 0; k < kLanes; ++k) {
        undecided[count] = static_cast<std::uint32_t>(i + k);
        count += ~sure >> k & 1;
      }
    }
  }
  return count;
}

}  // namespace lanes
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
