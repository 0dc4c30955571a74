// Candidates for the nearest pair of triangles of two trees. Compiled once per CPU level; included inside Highway's per-target passes.
#if defined(GRAZE_MESH_NEAR_LEAVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_NEAR_LEAVES_INL
#undef GRAZE_MESH_NEAR_LEAVES_INL
#else
#define GRAZE_MESH_NEAR_LEAVES_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/nearest_kernels.hpp"
#include "mesh/kernels/pair_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace near_leaves {

/// Encloses the distances of some pairs of two leaves and keeps those that may be nearest. Returns false if there is no room.
template <class Search>
HWY_INLINE bool take_leaves(Search& w, const TriangleBlock* blocks_a, const BlockPlacement& corners, std::uint32_t leaf_a, std::uint32_t leaf_b,
                            std::uint32_t lanes, const PlacedBlock& placed) {
  double lo[16], hi[16];
  const std::uint32_t bits = pair_lanes::distance(blocks_a[leaf_a], lanes, placed, corners, nearest_limit(w.least), lo, hi);
  for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) {
    const std::uint32_t at = traversal::lowest_bit(rest);
    w.least = hi[at] < w.least ? hi[at] : w.least;
  }
  const double out = nearest_limit(w.least);
  const std::uint32_t before = w.found;
  for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) {
    const std::uint32_t at = traversal::lowest_bit(rest);
    if (lo[at] > out) continue;
    if (w.found == Search::kCandidates) {
      w.found = before;  // the whole leaf pair is processed again later
      return false;
    }
    w.candidate[w.found++] = {lo[at], leaf_a * static_cast<std::uint32_t>(kBlock) + at / 4, leaf_b * static_cast<std::uint32_t>(kBlock) + at % 4};
  }
  return true;
}

/// Drops the candidates that have become too far.
template <class Search>
HWY_INLINE void sift(Search& w) {
  const double out = nearest_limit(w.least);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < w.found; ++i) {
    if (w.candidate[i].lo <= out) w.candidate[kept++] = w.candidate[i];
  }
  w.found = kept;
}

}  // namespace near_leaves
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
