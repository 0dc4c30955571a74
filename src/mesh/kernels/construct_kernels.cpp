// Builds the items and blocks of triangles, compiled once per CPU level. Uses only minima, integer steps between floats, and moves.
#include "mesh/kernels/construct_kernels.hpp"

#include <algorithm>

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/construct_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D4 = hn::CappedTag<float, 4>;
using V4 = hn::Vec<D4>;

/// The next smaller float, for finite floats.
HWY_INLINE V4 step_down(V4 x) {
  const D4 d;
  const hn::RebindToUnsigned<D4> du;
  const auto bits = hn::BitCast(du, x);
  const auto next = bits + (hn::ShiftRight<31>(bits) + hn::ShiftRight<31>(bits)) - hn::Set(du, 1u);  // away from zero below it, towards it above
  return hn::BitCast(d, hn::IfThenElse(bits + bits == hn::Zero(du), hn::Set(du, 0x80000001u), next));
}

void fill_items(const LocalTriangles& triangles, std::size_t begin, std::size_t end, BuildItem* HWY_RESTRICT items) {
  const D4 d;
  for (std::size_t t = begin; t < end; ++t) {
    const std::uint32_t* corners = triangles.corners + 3 * t;
    const float *p = triangles.vertices[corners[0]].at, *q = triangles.vertices[corners[1]].at, *r = triangles.vertices[corners[2]].at;
    BuildItem& item = items[t];
    for (std::size_t k = 0; k < 4; k += hn::Lanes(d)) {
      const V4 a = hn::Load(d, p + k), b = hn::Load(d, q + k), c = hn::Load(d, r + k);
      hn::Store(step_down(hn::Min(hn::Min(a, b), c)), d, item.lo + k);
      hn::Store(step_down(hn::Neg(hn::Max(hn::Max(a, b), c))), d, item.minus_hi + k);
    }
    item.id = static_cast<std::uint32_t>(t);
    item.unused = 0;
  }
}

/// The same corner of 4 triangles, side by side.
HWY_INLINE void fill_corner(const TreeVertex* const v[kBlock], float (*rows)[kBlock]) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t lane = 0; lane < kBlock; ++lane) rows[i][lane] = v[lane]->at[i];
  }
#else
  const D4 d;
  const V4 a = hn::Load(d, v[0]->at), b = hn::Load(d, v[1]->at), c = hn::Load(d, v[2]->at), e = hn::Load(d, v[3]->at);
  const V4 xy0 = hn::InterleaveLower(d, a, b), xy2 = hn::InterleaveLower(d, c, e);
  hn::Store(hn::ConcatLowerLower(d, xy2, xy0), d, rows[0]);
  hn::Store(hn::ConcatUpperUpper(d, xy2, xy0), d, rows[1]);
  hn::Store(hn::ConcatLowerLower(d, hn::InterleaveUpper(d, c, e), hn::InterleaveUpper(d, a, b)), d, rows[2]);
#endif
}

void fill_blocks(const LocalTriangles& triangles, const WideNode* nodes, std::size_t count, const std::uint32_t* ids, std::size_t n_ids,
                 TriangleBlock* blocks) {
  constexpr std::size_t kAhead = 24;  // triangles that are prefetched ahead; a choice
  for (const WideNode* node = nodes; node != nodes + count; ++node) {
    TriangleBlock* block = blocks + node->first_leaf;
    for (std::uint32_t s = 0; s < node->used; ++s) {
      const std::uint32_t n = node->count[s];
      if (n == 0) continue;
      const std::size_t first = node->child[s];
      std::uint32_t corner[kBlock][3];
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        const std::uint32_t id = ids[first + (lane < n ? lane : n - 1)];
        block->id[lane] = id;
        for (std::size_t k = 0; k < 3; ++k) corner[lane][k] = triangles.corners[3 * static_cast<std::size_t>(id) + k];
        hwy::Prefetch(triangles.corners + 3 * static_cast<std::size_t>(ids[std::min(first + kAhead + lane, n_ids - 1)]));
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const TreeVertex* v[kBlock];
        for (std::size_t lane = 0; lane < kBlock; ++lane) {
          block->vertex[k][lane] = corner[lane][k];
          v[lane] = triangles.vertices + corner[lane][k];
        }
        fill_corner(v, block->corner + 3 * k);
      }
      ++block;
    }
  }
}

void refit_blocks(const TreeVertex* HWY_RESTRICT vertices, WideNode* nodes, std::size_t count, const TriangleBlock* HWY_RESTRICT before,
                  TriangleBlock* HWY_RESTRICT blocks) {
  const D4 d;
  for (WideNode* node = nodes; node != nodes + count; ++node) {
    std::size_t leaf = node->first_leaf;
    for (std::uint32_t s = 0; s < node->used; ++s) {
      if (node->count[s] == 0) continue;
      const TriangleBlock& old = before[leaf];
      TriangleBlock& block = blocks[leaf++];
      alignas(16) float lo[4] = {2, 2, 2, 2}, minus_hi[4] = {2, 2, 2, 2};
      for (std::size_t k = 0; k < 3; ++k) {
        const TreeVertex* v[kBlock];
        for (std::size_t lane = 0; lane < kBlock; ++lane) v[lane] = vertices + (block.vertex[k][lane] = old.vertex[k][lane]);
        fill_corner(v, block.corner + 3 * k);
        for (std::size_t i = 0; i < 4; i += hn::Lanes(d)) {
          V4 low = hn::Load(d, lo + i), high = hn::Load(d, minus_hi + i);
          for (const TreeVertex* at : v) {
            const V4 x = hn::Load(d, at->at + i);
            low = hn::Min(low, x);
            high = hn::Min(high, hn::Neg(x));
          }
          hn::Store(low, d, lo + i);
          hn::Store(high, d, minus_hi + i);
        }
      }
      for (std::size_t lane = 0; lane < kBlock; ++lane) block.id[lane] = old.id[lane];
      for (std::size_t i = 0; i < 4; i += hn::Lanes(d)) {
        hn::Store(step_down(hn::Load(d, lo + i)), d, lo + i);
        hn::Store(hn::Neg(step_down(hn::Load(d, minus_hi + i))), d, minus_hi + i);
      }
      for (std::size_t i = 0; i < 3; ++i) {
        node->plane[i][s] = lo[i];
        node->plane[3 + i][s] = minus_hi[i];
      }
    }
  }
}

}  // namespace

const ConstructKernels* construct_table() {
  static constexpr ConstructKernels table{&fill_items, &fill_blocks, &refit_blocks};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(construct_table);

const ConstructKernels& construct_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(construct_table)();
}

}  // namespace graze
#endif
