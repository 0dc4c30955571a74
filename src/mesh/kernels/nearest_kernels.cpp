// Encloses the distances of a point from up to 16 triangles at once, and traverses a tree for the nearest; compiled once per CPU level. Uses only + - * / sqrt
// min max and comparisons, each rounded separately, so all levels take the same steps.
#include "mesh/kernels/nearest_kernels.hpp"

#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/nearest_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/block-inl.hpp"
#include "mesh/kernels/near-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;
using namespace near;
using traversal::D;

HWY_INLINE double max_of(double a, double b) { return a > b ? a : b; }
HWY_INLINE double farthest(const NearestTraversal& w) {
  double far = 1;
  for (const double x : w.point) far = max_of(far, x < 0 ? -x : x);
  return far;
}

/// The query point in doubles.
HWY_INLINE From<double> in_doubles(const NearestTraversal& w) {
  constexpr double u = 0x1p-53;
  const double far = farthest(w);
  return {{w.point[0], w.point[1], w.point[2]}, 1 + w.relative + 16 * u, 1 - w.relative - 16 * u, w.absolute + 80 * u * (1 + far)};
}

HWY_INLINE void enclose_block(const TriangleBlock& b, const From<double>& w, std::size_t k, V& lo, V& hi) {
  const P point = broadcast(w.point);
  enclose(DD(), corner_of(b, 0, k) - point, corner_of(b, 1, k) - point, corner_of(b, 2, k) - point, w, 1e-200, 0x1p-60, lo, hi);
}

// ---- floats, for the triangles of 2 or 4 leaves side by side ----

/// The query point in floats. Its rounding is part of the error.
HWY_INLINE From<float> in_floats(const NearestTraversal& w) {
  constexpr double u = 0x1p-24;
  const double far = farthest(w);
  return {{static_cast<float>(w.point[0]), static_cast<float>(w.point[1]), static_cast<float>(w.point[2])},
          above(1 + w.relative + 16 * u),
          static_cast<float>(1 - w.relative - 32 * u),
          above(w.absolute + 80 * u * (1 + far))};
}

// ---- traversal ----

struct BlockBounds {
  alignas(64) double lo[kBlock], hi[kBlock];
};

/// Encloses the distances of a block in doubles and lowers `least`.
HWY_INLINE void bound_block(NearestTraversal& w, const TriangleBlock& b, BlockBounds& x) {
  const DD dd;
  const From<double> from = in_doubles(w);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
    V l, h;
    enclose_block(b, from, k, l, h);
    hn::Store(l, dd, x.lo + k);
    hn::Store(h, dd, x.hi + k);
  }
  for (std::size_t s = 0; s < kBlock; ++s) {
    const double h = max_of(x.hi[s], w.floor);
    w.least = h < w.least ? h : w.least;
  }
}

/// Keeps the triangles of a block that may be nearest.
void refine(NearestTraversal& w, std::uint32_t number) {
  const TriangleBlock& b = w.blocks[number];
  BlockBounds x;
  bound_block(w, b, x);
  const double out = nearest_limit(w.least);
  for (std::uint32_t s = 0; s < kBlock; ++s) {
    if (x.lo[s] > out || (s > 0 && b.id[s] == b.id[s - 1])) continue;  // the last triangle is repeated in the unused lanes
    GRAZE_EXPECTS(w.found < NearestTraversal::kCandidates);
    w.candidate[w.found++] = {x.lo[s], number * static_cast<std::uint32_t>(kBlock) + s};
    for (std::size_t i = 0; i < 3; ++i) traversal::prefetch(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][s]));
  }
}

/// Refines the kept blocks to triangles.
HWY_INLINE void finish(NearestTraversal& w) {
  for (std::uint32_t i = 0; i < w.blocks_kept; ++i) {
    if (w.block[i].lo <= nearest_limit(w.least)) refine(w, w.block[i].block);
  }
  w.blocks_kept = 0;
}

/// Returns whether there is room for four more blocks, after dropping those beyond the limit.
HWY_INLINE bool make_room(NearestTraversal& w) {
  if (w.blocks_kept + 4 <= NearestTraversal::kBlocks) return true;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < w.blocks_kept; ++i) {
    if (w.block[i].lo <= nearest_limit(w.least)) w.block[kept++] = w.block[i];
  }
  w.blocks_kept = kept;
  return kept + 4 <= NearestTraversal::kBlocks;
}

/// Encloses the distances of leaves in doubles, for points at which floats do not suffice.
void refine_in_doubles(NearestTraversal& w, const std::uint64_t* leaf, std::uint32_t n) {
  GRAZE_EXPECTS(w.blocks_kept + n <= NearestTraversal::kBlocks);
  for (std::uint32_t i = 0; i < n; ++i) {
    BlockBounds x;
    bound_block(w, w.blocks[number_of(leaf[i])], x);
    const double lo = HWY_MIN(HWY_MIN(x.lo[0], x.lo[1]), HWY_MIN(x.lo[2], x.lo[3]));
    if (lo <= nearest_limit(w.least))
      w.block[w.blocks_kept++] = {lo < 0x1p-60 ? 0 : static_cast<float>((lo < 0x1p100 ? lo : 0x1p100) * (1 - 0x1p-22)), number_of(leaf[i])};
  }
}

/// Encloses the distances of n leaves, 1 to kLeaves, in floats.
template <std::size_t kLeaves>
HWY_INLINE void refine_leaves(NearestTraversal& w, const From<float>& f, const std::uint64_t* leaf, std::uint32_t n) {
  GRAZE_EXPECTS(w.blocks_kept + kLeaves <= NearestTraversal::kBlocks);
  const hn::CappedTag<float, kLeaves * kBlock> d;
  alignas(64) float lo[kLeaves * kBlock], hi[kLeaves * kBlock];
  const TriangleBlock* b[kLeaves];
  for (std::uint32_t i = 0; i < kLeaves; ++i) b[i] = w.blocks + number_of(leaf[i < n ? i : n - 1]);
  for (std::size_t k = 0; k < kLeaves * kBlock; k += hn::Lanes(d)) {
    hn::Vec<decltype(d)> l, h;
    enclose_blocks(d, b, f, k, l, h);
    hn::Store(l, d, lo + k);
    hn::Store(h, d, hi + k);
  }
  // No branches on the results: they are unpredictable and available late.
  float h = least_key(hi);
  for (std::size_t i = 1; i < kLeaves; ++i) h = HWY_MIN(h, least_key(hi + i * kBlock));
  const double least = max_of(h, w.floor);
  w.least = least < w.least ? least : w.least;
  const float out = above(nearest_limit(w.least < 0x1p60 ? w.least : 0x1p60));
  std::uint32_t kept = w.blocks_kept;
  for (std::uint32_t i = 0; i < kLeaves; ++i) {
    const float l = least_key(lo + i * kBlock);
    w.block[kept] = {l, number_of(leaf[i])};
    kept += i < n && l <= out ? 1 : 0;
  }
  w.blocks_kept = kept;
}

void begin(NearestTraversal& w, std::uint32_t block) {
  BlockBounds x;
  bound_block(w, w.blocks[block], x);
}

struct NearestTests {
  NearestTraversal& w;
  QueryBox box = w.box;
  From<float> from = in_floats(w);
  double stretch = 1 + 2 * w.relative;
  float greatest = squared_limit();

  HWY_INLINE float squared_limit() const { return traversal::squared_limit(nearest_limit(w.least) * stretch); }
  HWY_INLINE bool beyond(float key) const { return key > greatest; }
  HWY_INLINE bool children(const WideNode& node, std::uint32_t& bits, float* HWY_RESTRICT keys) const {
    bits = traversal::box_distances(node, box, greatest, keys);
    return false;
  }
  HWY_INLINE bool room() { return make_room(w); }
  HWY_INLINE bool leaves(const std::uint64_t* leaf, std::uint32_t n) {
    if (!w.floats)
      refine_in_doubles(w, leaf, n);
    else if (n > 2)
      refine_leaves<4>(w, from, leaf, n);
    else
      refine_leaves<2>(w, from, leaf, n);
    greatest = squared_limit();
    return false;
  }
};

bool traverse(NearestTraversal& w) {
  ++kernel_counts.distance[traversal::kLevel];
  NearestTests tests{w};
  LeafTraversal<NearestTraversal, NearestTests> t(w, tests);
  traversal::run_traversal(t);
  finish(w);
  return !t.full;
}

}  // namespace

const NearestKernels* nearest_table() {
  static constexpr NearestKernels table{&begin, &traverse};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(nearest_table);

const NearestKernels& nearest_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(nearest_table)();
}

}  // namespace graze
#endif
