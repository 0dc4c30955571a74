// SIMD tests of a node's 8 boxes through Google Highway, compiled once per CPU level. Any number of lanes up to 8 works; the scalar level may have one. The
// kernels use only + - * min max and comparisons, and round every operation by itself. All levels give the same bits, so even the order of a traversal is the
// same everywhere.
#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bvh/box_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bvh/walk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using walk::Ask;
using walk::Bits;
using walk::BoxGapSquared;
using walk::D;
using walk::kLevel;
using walk::LowerBound;
using walk::Used;

std::uint32_t Overlap(const WideNode& node, const QueryBox& q) {
  ++kernel_counts.overlap[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto m = hn::Le(hn::Load(d, node.plane[0] + k), hn::Set(d, q.hi[0]));
    m = hn::And(m, hn::Ge(hn::Load(d, node.plane[3] + k), hn::Set(d, q.lo[0])));
    for (int i = 1; i < 3; ++i) {
      m = hn::And(m, hn::Le(hn::Load(d, node.plane[i] + k), hn::Set(d, q.hi[i])));
      m = hn::And(m, hn::Ge(hn::Load(d, node.plane[3 + i] + k), hn::Set(d, q.lo[i])));
    }
    bits |= Bits(m, k);
  }
  return bits & Used(node);
}

HWY_INLINE std::uint32_t Slabs(const WideNode& node, const QueryRay& q, float* HWY_RESTRICT entry) {
  ++kernel_counts.ray[kLevel];
  return walk::Slabs(node, q, entry);
}

std::uint32_t RaySlabs(const WideNode& node, const QueryRay& q, float* HWY_RESTRICT entry) { return Slabs(node, q, entry); }

/// Pushes the children in `bits`, the least key on top (equal keys: the higher slot), and prefetches their memory. Traversals spend most of their time waiting
/// for memory.
HWY_INLINE void Push(SortedWalk& w, const WideNode& node, std::uint32_t bits, const float* HWY_RESTRICT keys) {
  int top = w.top;
  const int base = top;
  while (bits != 0) {
    const std::uint32_t s = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
    bits &= bits - 1;
    const WalkEntry e{keys[s], node.child[s], node.count[s]};
    if (e.count == 0) {
      const auto* p = reinterpret_cast<const unsigned char*>(w.nodes + e.child);
      for (int line = 0; line < 4; ++line) Ask(p + 64 * line);
    } else if (w.leaf_data) {
      const unsigned char* p = w.leaf_data + e.child * w.leaf_stride;
      for (std::uint64_t at = 0; at < e.count * w.leaf_stride; at += 64) Ask(p + at);
    }
    int i = top++;
    for (; i > base && w.stack[i - 1].key <= e.key; --i) w.stack[i] = w.stack[i - 1];
    w.stack[i] = e;
  }
  w.top = top;
}

bool NextAlong(SortedWalk& w, const QueryRay& ray, WalkEntry& leaf) {
  const QueryRay q = ray;
  alignas(64) float entry[kWidth];
  while (w.top > 0) {
    const WalkEntry e = w.stack[--w.top];
    if (e.key > q.t_hi) continue;
    if (e.count != 0) {
      leaf = e;
      return true;
    }
    const WideNode& node = w.nodes[e.child];
    Push(w, node, Slabs(node, q, entry), entry);
  }
  return false;
}

HWY_INLINE std::uint32_t Distances(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) {
  ++kernel_counts.distance[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const auto v = LowerBound(BoxGapSquared(node, q, k));
    hn::StoreU(v, d, lower + k);
    bits |= Bits(hn::Le(v, hn::Set(d, limit)), k);
  }
  return bits & Used(node);
}

std::uint32_t Distance(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) { return Distances(node, q, limit, lower); }

bool NextNearest(SortedWalk& w, const QueryBox& query, float limit, WalkEntry& leaf) {
  const QueryBox q = query;
  alignas(64) float lower[kWidth];
  while (w.top > 0) {
    const WalkEntry e = w.stack[--w.top];
    if (e.key > limit) continue;
    if (e.count != 0) {
      leaf = e;
      return true;
    }
    const WideNode& node = w.nodes[e.child];
    Push(w, node, Distances(node, q, limit, lower), lower);
  }
  return false;
}

// Gap between the projections of box i and of the query on the query's axis j: |axis . (c_i - c)| - sum |axis| h_i - half. The padding of `half` covers the
// rounding.
HWY_INLINE hn::Vec<D> AxisGap(const WideNode& node, const QueryOrientedBox& q, int j, std::size_t k) {
  const D d;
  const auto one_half = hn::Set(d, 0.5f);
  auto shift = hn::Zero(d), reach = hn::Set(d, q.half[j]);
  for (int i = 0; i < 3; ++i) {
    const auto lo = hn::Load(d, node.plane[i] + k), hi = hn::Load(d, node.plane[3 + i] + k);
    const auto axis = hn::Set(d, q.axis[j][i]);
    shift = hn::Add(shift, hn::Mul(axis, hn::Sub(hn::Mul(hn::Add(lo, hi), one_half), hn::Set(d, q.center[i]))));
    reach = hn::Add(reach, hn::Mul(hn::Abs(axis), hn::Mul(hn::Sub(hi, lo), one_half)));
  }
  return hn::Sub(hn::Abs(shift), reach);
}

std::uint32_t OrientedOverlap(const WideNode& node, const QueryOrientedBox& q) {
  ++kernel_counts.oriented_overlap[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto m = hn::Le(hn::Load(d, node.plane[0] + k), hn::Set(d, q.bounds.hi[0]));
    m = hn::And(m, hn::Ge(hn::Load(d, node.plane[3] + k), hn::Set(d, q.bounds.lo[0])));
    for (int i = 1; i < 3; ++i) {
      m = hn::And(m, hn::Le(hn::Load(d, node.plane[i] + k), hn::Set(d, q.bounds.hi[i])));
      m = hn::And(m, hn::Ge(hn::Load(d, node.plane[3 + i] + k), hn::Set(d, q.bounds.lo[i])));
    }
    for (int j = 0; j < 3; ++j) m = hn::And(m, hn::Le(AxisGap(node, q, j, k), hn::Zero(d)));
    bits |= Bits(m, k);
  }
  return bits & Used(node);
}

std::uint32_t OrientedDistance(const WideNode& node, const QueryOrientedBox& q, float limit, float* HWY_RESTRICT lower) {
  ++kernel_counts.oriented_distance[kLevel];
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (int j = 0; j < 3; ++j) {
      const auto gap = hn::Max(AxisGap(node, q, j, k), hn::Zero(d));
      sum = hn::Add(sum, hn::Mul(gap, gap));
    }
    const auto v = LowerBound(hn::Max(sum, BoxGapSquared(node, q.bounds, k)));
    hn::StoreU(v, d, lower + k);
    bits |= Bits(hn::Le(v, hn::Set(d, limit)), k);
  }
  return bits & Used(node);
}

const BoxKernels* Table() {
  static constexpr BoxKernels table{&Overlap, &RaySlabs, &Distance, &NextAlong, &NextNearest, &OrientedOverlap, &OrientedDistance};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

constinit thread_local KernelCounts kernel_counts{};

HWY_EXPORT(Table);

const BoxKernels& box_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(Table)();
}

}  // namespace graze
#endif
