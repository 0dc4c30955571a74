// Code shared by the kernels on blocks of triangles, compiled once per CPU level: SIMD vectors, corners of a block, masks as bits. Included inside Highway's
// per-target passes.
#if defined(GRAZE_MESH_BLOCK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_BLOCK_INL
#undef GRAZE_MESH_BLOCK_INL
#else
#define GRAZE_MESH_BLOCK_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "math/points-inl.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace block {
namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::CappedTag<double, kBlock>;
using DF = hn::Rebind<float, DD>;
using V = hn::Vec<DD>;
using M = hn::Mask<DD>;

using P = lanes::Point3<V>;
using lanes::clamp01;

HWY_INLINE V min3(V a, V b, V c) { return hn::Min(hn::Min(a, b), c); }
HWY_INLINE V max3(V a, V b, V c) { return hn::Max(hn::Max(a, b), c); }

/// The same point in all lanes.
HWY_INLINE P broadcast(const double* p) {
  const DD d;
  return {hn::Set(d, p[0]), hn::Set(d, p[1]), hn::Set(d, p[2])};
}

/// Lanes from `k` on of a row of the block.
HWY_INLINE V row_lanes(const float (&row)[kBlock], std::size_t k) { return hn::PromoteTo(DD(), hn::Load(DF(), row + k)); }

/// A corner of the triangles from lane `k` on.
HWY_INLINE P corner_of(const TriangleBlock& b, std::size_t corner, std::size_t k) {
  return {row_lanes(b.corner[3 * corner], k), row_lanes(b.corner[3 * corner + 1], k), row_lanes(b.corner[3 * corner + 2], k)};
}

/// The mask as bits, the first at bit `at`.
HWY_INLINE std::uint32_t lane_bits(M mask, std::size_t at) {
  const DD d;
  std::uint8_t bytes[8] = {0};
  hn::StoreMaskBits(d, mask, bytes);
  return (bytes[0] & ((1u << hn::Lanes(d)) - 1)) << at;
}

}  // namespace block
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
