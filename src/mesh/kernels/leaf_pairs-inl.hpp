// What the tests of two leaves in floats need. Compiled once per CPU level; included inside Highway's per-target passes.
#if defined(GRAZE_MESH_LEAF_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_LEAF_PAIRS_INL
#undef GRAZE_MESH_LEAF_PAIRS_INL
#else
#define GRAZE_MESH_LEAF_PAIRS_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/pair_touch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace leaf_pairs {
using pair_touch::LocalBlock;

HWY_INLINE float span(const WideNode& n, std::uint32_t s, const float* o) {
  float m = 0;
  for (int i = 0; i < 3; ++i) {
    const float x = o[i] - n.plane[i][s], y = n.plane[3 + i][s] - o[i];
    const float z = x > y ? x : y;
    m = z > m ? z : m;
  }
  return m;
}

/// The lanes of a leaf pair that hold triangles.
HWY_INLINE std::uint32_t lanes_of(const WideNode& a, std::uint32_t i, const WideNode& b, std::uint32_t j) {
  return (((1u << b.count[j]) - 1) * 0x1111u) & ((1u << 4 * a.count[i]) - 1);
}

/// The separation along n, per |n|_1, above which two leaves are truly apart. Let S be the sum of the largest coordinates of both leaves from b's origin, and v
/// = 2^-24. Corners relative to b's origin err by v S on both sides together, relative to a's corner 0 by 4 v S more; dot products, of coordinates up to 2 S in
/// three roundings each, by 12 v S on both sides together, and their difference by 4 v S: in all 21 v S. The rest of the 32 v S outweighs the roundings of the
/// slack itself. `error` is the error of corners in floats and of placing them.
HWY_INLINE float slack(float error, const WideNode& a, std::uint32_t i, const LocalBlock& b) { return error + 32 * 0x1p-24f * (span(a, i, b.origin) + b.size); }

HWY_INLINE float rounded_up(double x) { return static_cast<float>(x * (1 + 0x1p-20)); }

}  // namespace leaf_pairs
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
