// SIMD tests of a node's 8 boxes through Google Highway, compiled once per CPU level. Any number of lanes up to 8 works; the scalar level may have one. The
// kernels use only + - * min max and comparisons, and round every operation separately. All levels give the same bits, so not even the order of a traversal
// depends on the level.
#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bvh/box_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>
#include <cstring>

#include "bvh/traversal-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using traversal::box_gap_squared;
using traversal::D;
using traversal::kLevel;
using traversal::lower_bound;
using traversal::mask_bits;
using traversal::prefetch;
using traversal::used_mask;

std::uint32_t overlap(const WideNode& node, const QueryBox& q) {
  ++kernel_counts.overlap[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto m = hn::Load(d, node.plane[0] + k) <= hn::Set(d, q.hi[0]);
    m = hn::And(m, hn::Load(d, node.plane[3] + k) >= hn::Set(d, q.lo[0]));
    for (int i = 1; i < 3; ++i) {
      m = hn::And(m, hn::Load(d, node.plane[i] + k) <= hn::Set(d, q.hi[i]));
      m = hn::And(m, hn::Load(d, node.plane[3 + i] + k) >= hn::Set(d, q.lo[i]));
    }
    bits |= mask_bits(m, k);
  }
  return bits & used_mask(node);
}

HWY_INLINE std::uint32_t test_slabs(const WideNode& node, const QueryRay& q, float* HWY_RESTRICT entry) {
  ++kernel_counts.ray[kLevel];
  return traversal::test_slabs(node, q, entry);
}

std::uint32_t ray_slabs(const WideNode& node, const QueryRay& q, float* HWY_RESTRICT entry) { return test_slabs(node, q, entry); }

HWY_INLINE std::uint32_t distances(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) {
  ++kernel_counts.distance[kLevel];
  return traversal::box_distances(node, q, limit, lower);
}

std::uint32_t distance(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) { return distances(node, q, limit, lower); }

HWY_INLINE void prefetch_items(const SortedTraversal& w, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = first; i < first + count; ++i) {
    if (w.leaf_ids[i] == kNoItem) continue;
    const unsigned char* data;
    std::memcpy(&data, w.item_pointers + w.leaf_ids[i] * sizeof data, sizeof data);
    for (std::uint64_t at = 0; at < w.item_bytes; at += 64) prefetch(data + at);
  }
}

/// Goes on to the next leaf. test(node, keys) returns the children worth visiting.
template <class Test>
struct ToNextLeaf {
  traversal::Cursor<SortedTraversal> cursor;
  float limit;
  const Test& test;
  LeafItems& found;

  HWY_INLINE bool next() { return cursor.next(limit); }
  HWY_INLINE bool at_leaf() const { return cursor.at_leaf(); }
  HWY_INLINE bool leaf() {
    const auto ref = static_cast<std::uint32_t>(cursor.entry);
    found = {cursor.w.nodes[ref / kWidth].child[ref % kWidth], cursor.at.count};
    return true;
  }
  HWY_INLINE bool node() {
    const SortedTraversal& w = cursor.w;
    alignas(64) float key[kWidth + 1];
    key[kWidth] = hwy::HighestValue<float>();
    const WideNode& node = cursor.node();
    const std::uint32_t bits = test(node, key);
    for (std::uint32_t b = bits; b != 0; b &= b - 1) {  // traversals spend most of their time waiting for memory
      const std::uint32_t s = traversal::lowest_bit(b);
      if (node.count[s] == 0) {
        traversal::prefetch_four(w.nodes + node.child[s]);
      } else if (w.leaf_data) {
        const unsigned char* p = w.leaf_data + node.child[s] * w.leaf_stride;
        for (std::uint64_t at = 0; at < node.count[s] * w.leaf_stride; at += 64) prefetch(p + at);
      } else if (w.leaf_ids) {
        prefetch_items(w, node.child[s], node.count[s]);
      }
    }
    cursor.enter(bits, key);
    return false;
  }
};

template <class Test>
HWY_INLINE bool to_next_leaf(SortedTraversal& w, float limit, LeafItems& leaf, const Test& test) {
  ToNextLeaf<Test> t{traversal::Cursor<SortedTraversal>(w), limit, test, leaf};
  return traversal::run_traversal(t);
}

bool next_along(SortedTraversal& w, const QueryRay& ray, LeafItems& leaf) {
  const QueryRay q = ray;
  return to_next_leaf(w, q.t_hi, leaf, [&](const WideNode& node, float* key) HWY_ATTR { return test_slabs(node, q, key); });
}

bool next_nearest(SortedTraversal& w, const QueryBox& query, float limit, LeafItems& leaf) {
  const QueryBox q = query;
  return to_next_leaf(w, limit, leaf, [&](const WideNode& node, float* key) HWY_ATTR { return distances(node, q, limit, key); });
}

// Gap between the projections of box i and of the query on the query's axis j: |axis . (c_i - c)| - sum |axis| h_i - half. The padding of `half` covers the
// rounding.
HWY_INLINE hn::Vec<D> axis_gap(const WideNode& node, const QueryOrientedBox& q, int j, std::size_t k) {
  const D d;
  const auto one_half = hn::Set(d, 0.5f);
  auto shift = hn::Zero(d), reach = hn::Set(d, q.half[j]);
  for (int i = 0; i < 3; ++i) {
    const auto lo = hn::Load(d, node.plane[i] + k), hi = hn::Load(d, node.plane[3 + i] + k);
    const auto axis = hn::Set(d, q.axis[j][i]);
    shift = shift + axis * ((lo + hi) * one_half - hn::Set(d, q.center[i]));
    reach = reach + hn::Abs(axis) * ((hi - lo) * one_half);
  }
  return hn::Abs(shift) - reach;
}

std::uint32_t oriented_overlap(const WideNode& node, const QueryOrientedBox& q) {
  ++kernel_counts.oriented_overlap[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto m = hn::Load(d, node.plane[0] + k) <= hn::Set(d, q.bounds.hi[0]);
    m = hn::And(m, hn::Load(d, node.plane[3] + k) >= hn::Set(d, q.bounds.lo[0]));
    for (int i = 1; i < 3; ++i) {
      m = hn::And(m, hn::Load(d, node.plane[i] + k) <= hn::Set(d, q.bounds.hi[i]));
      m = hn::And(m, hn::Load(d, node.plane[3 + i] + k) >= hn::Set(d, q.bounds.lo[i]));
    }
    for (int j = 0; j < 3; ++j) m = hn::And(m, axis_gap(node, q, j, k) <= hn::Zero(d));
    bits |= mask_bits(m, k);
  }
  return bits & used_mask(node);
}

std::uint32_t oriented_distance(const WideNode& node, const QueryOrientedBox& q, float limit, float* HWY_RESTRICT lower) {
  ++kernel_counts.oriented_distance[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (int j = 0; j < 3; ++j) {
      const auto gap = hn::Max(axis_gap(node, q, j, k), hn::Zero(d));
      sum = sum + gap * gap;
    }
    const auto v = lower_bound(hn::Max(sum, box_gap_squared(node, q.bounds, k)));
    hn::StoreU(v, d, lower + k);
    bits |= mask_bits(v <= hn::Set(d, limit), k);
  }
  return bits & used_mask(node);
}

const BoxKernels* box_table() {
  static constexpr BoxKernels table{&overlap, &ray_slabs, &distance, &next_along, &next_nearest, &oriented_overlap, &oriented_distance};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

constinit thread_local KernelCounts kernel_counts{};

HWY_EXPORT(box_table);

const BoxKernels& box_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(box_table)();
}

}  // namespace graze
#endif
