// Inner loops of the build, compiled once per CPU level. They use only + - * min and comparisons on sets, with each operation rounded separately, so every
// level builds the same tree.
#include "bvh/build_kernels.hpp"

#include <bit>
#include <cstring>

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bvh/build_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::CappedTag<float, 8>;
using D4 = hn::CappedTag<float, 4>;

HWY_INLINE const float* floats_of(const BuildItem& item) { return item.lo; }

/// Twice the centre of an item, from lane k. Lane 3 is set to 0: the item number there, read as a float, is mostly denormal, and arithmetic on denormals is
/// slow.
HWY_INLINE hn::Vec<D4> center_of(const BuildItem& item, std::size_t k) {
  alignas(16) static constexpr std::uint32_t kNoNumber[4] = {~0u, ~0u, ~0u, 0};
  const D4 d;
  const auto lo = hn::And(hn::Load(d, floats_of(item) + k), hn::BitCast(d, hn::Load(hn::RebindToUnsigned<D4>(), kNoNumber + k)));
  return lo - hn::Load(d, floats_of(item) + 4 + k);
}

HWY_INLINE void add(BuildBounds& b, const float* HWY_RESTRICT v) {
  const D8 d;
  for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) hn::Store(hn::Min(hn::Load(d, b.v + k), hn::Load(d, v + k)), d, b.v + k);
}

void bounds(const BuildItem* items, std::size_t n, BuildBounds& boxes, BuildBounds& centers) {
  const D8 d;
  const D4 d4;
  BuildBounds box = boxes;
  for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
    auto least = hn::Load(d, box.v + k);
    for (std::size_t i = 0; i < n; ++i) least = hn::Min(least, hn::Load(d, floats_of(items[i]) + k));
    hn::Store(least, d, boxes.v + k);
  }
  for (std::size_t k = 0; k < 4; k += hn::Lanes(d4)) {
    auto least = hn::Load(d4, centers.v + k), minus_most = hn::Load(d4, centers.v + 4 + k);
    for (std::size_t i = 0; i < n; ++i) {
      const auto c = center_of(items[i], k);
      least = hn::Min(least, c);
      minus_most = hn::Min(minus_most, hn::Neg(c));
    }
    hn::Store(least, d4, centers.v + k);
    hn::Store(minus_most, d4, centers.v + 4 + k);
  }
}

void fill(const BuildItem* items, std::size_t n, const BuildBinning& binning, BuildBins& bins) {
  const D4 d;
  const hn::RebindToSigned<D4> di;
  alignas(16) std::int32_t at[4];
  for (std::size_t i = 0; i < n; ++i) {
    const float* v = floats_of(items[i]);
    for (std::size_t k = 0; k < 4; k += hn::Lanes(d)) {
      const auto place = (center_of(items[i], k) - hn::LoadU(d, binning.origin + k)) * hn::LoadU(d, binning.scale + k);
      hn::Store(hn::ConvertTo(di, hn::Min(place, hn::Set(d, static_cast<float>(kBins - 1)))), di, at + k);
    }
    for (int a = 0; a < 3; ++a) {
      add(bins.box[a][at[a]], v);
      ++bins.count[a][at[a]];
    }
  }
}

HWY_INLINE float half_area(const BuildBounds& b) { return b.half_area(); }

BuildSplit best_split(const BuildBins& bins, const BuildBinning& binning) {
  BuildSplit split;
  float best = 0;
  for (int a = 0; a < 3; ++a) {
    if (binning.scale[a] == 0) continue;
    float right[kBins];
    BuildBounds acc;
    std::uint32_t n = 0;
    for (int k = kBins - 1; k > 0; --k) {
      add(acc, bins.box[a][k].v);
      n += bins.count[a][k];
      right[k] = n == 0 ? -1 : half_area(acc) * static_cast<float>(n);
    }
    acc = BuildBounds();
    n = 0;
    for (int k = 1; k < kBins; ++k) {  // left side: bins below k
      add(acc, bins.box[a][k - 1].v);
      n += bins.count[a][k - 1];
      if (n == 0 || right[k] < 0) continue;
      const float cost = half_area(acc) * static_cast<float>(n) + right[k];
      if (split.axis < 0 || cost < best) {
        best = cost;
        split.axis = a;
        split.bin = k;
      }
    }
  }
  if (split.axis >= 0) {
    for (int k = 0; k < kBins; ++k) add(k < split.bin ? split.left : split.right, bins.box[split.axis][k].v);
  }
  return split;
}

/// The same bin number as in fill().
HWY_INLINE bool on_left(const BuildItem& item, float origin, float scale, int axis, std::int32_t bin) {
  const float place = ((item.lo[axis] - item.minus_hi[axis]) - origin) * scale;
  return static_cast<std::int32_t>(place < static_cast<float>(kBins - 1) ? place : static_cast<float>(kBins - 1)) < bin;
}

void partition(const BuildItem* items, std::size_t n, const BuildBinning& binning, int axis, int bin, BuildItem* left, BuildItem* right_end) {
  const D8 d;
  const float origin = binning.origin[axis], scale = binning.scale[axis];
  for (std::size_t i = 0; i < n; ++i) {
    const bool goes_left = on_left(items[i], origin, scale, axis, bin);
    BuildItem* to = goes_left ? left : right_end - 1;
    for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) hn::Store(hn::Load(d, floats_of(items[i]) + k), d, reinterpret_cast<float*>(to) + k);
    left += goes_left ? 1 : 0;
    right_end -= goes_left ? 0 : 1;
  }
}

/// Maps floats to unsigned integers of the same order.
HWY_INLINE std::uint32_t ordered_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

void cut_leaves(const BuildItem* items, std::uint8_t* order, int n, FewLeaves& out) {
  BuildBounds whole;
  if (n <= 4) {
    for (int i = 0; i < n; ++i) add(whole, floats_of(items[order[i]]));
    out.box[out.leaves] = whole;
    out.count[out.leaves++] = static_cast<std::uint8_t>(n);
    for (int i = 1; i < n; ++i) {  // by ascending number
      const std::uint8_t x = order[i];
      int k = i;
      for (; k > 0 && items[order[k - 1]].id > items[x].id; --k) order[k] = order[k - 1];
      order[k] = x;
    }
    return;
  }
  float center[kFewItems][3];
  BuildBounds centers;
  for (int i = 0; i < n; ++i) {
    const BuildItem& item = items[order[i]];
    for (int a = 0; a < 3; ++a) {
      const float c = item.lo[a] - item.minus_hi[a];
      center[i][a] = c;
      centers.v[a] = c < centers.v[a] ? c : centers.v[a];
      centers.v[4 + a] = -c < centers.v[4 + a] ? -c : centers.v[4 + a];
    }
  }
  int axis = 0;
  for (int a = 1; a < 3; ++a) {
    if (centers.hi(a) - centers.lo(a) > centers.hi(axis) - centers.lo(axis)) axis = a;
  }
  std::uint64_t keys[kFewItems];
  for (int i = 0; i < n; ++i) {  // by (centre, number)
    const std::uint8_t x = order[i];
    const std::uint64_t key = static_cast<std::uint64_t>(ordered_bits(center[i][axis])) << 32 | items[x].id;
    int k = i;
    for (; k > 0 && keys[k - 1] > key; --k) {
      keys[k] = keys[k - 1];
      order[k] = order[k - 1];
    }
    keys[k] = key;
    order[k] = x;
  }
  float left[8], best = 0;
  int blocks = (n + 3) / 4, cut = 0;
  BuildBounds acc;
  for (int i = 0; i + 1 < n; ++i) {
    add(acc, floats_of(items[order[i]]));
    if (i % 4 == 3) left[i / 4] = half_area(acc);
  }
  acc = BuildBounds();
  for (int i = n - 1; i >= 4; --i) {
    add(acc, floats_of(items[order[i]]));
    if (i % 4 != 0) continue;
    const int b = i / 4;
    const float cost = left[b - 1] * static_cast<float>(b) + half_area(acc) * static_cast<float>(blocks - b);
    if (cut == 0 || cost < best) {
      best = cost;
      cut = i;
    }
  }
  cut_leaves(items, order, cut, out);
  cut_leaves(items, order + cut, n - cut, out);
}

void few(const BuildItem* items, std::size_t n, FewLeaves& out) {
  out.leaves = 0;
  for (std::size_t i = 0; i < n; ++i) out.order[i] = static_cast<std::uint8_t>(i);
  cut_leaves(items, out.order, static_cast<int>(n), out);
}

/// Returns the end of the leaf that begins at `begin`: before the largest step of the codes, provided the rest still fits into `leaves` more.
HWY_INLINE std::size_t leaf_end(const CodedItems& order, std::size_t begin, std::size_t end, std::size_t leaves) {
  constexpr std::size_t kFull = 4, kFewest = 3;
  if (end - begin <= kFull) return end;
  const auto step = [&](std::size_t i) { return (order.keys[i - 1] ^ order.keys[i]) >> order.place_bits; };
  const std::uint64_t full = step(begin + kFull), less = step(begin + kFewest);
  const bool differ_more = less > full && (less ^ full) > full;  // they differ in a higher bit
  return begin + (differ_more && end - begin - kFewest <= kFull * leaves ? kFewest : kFull);
}

HWY_INLINE void sort_pair(std::uint32_t& a, std::uint32_t& b) {
  const std::uint32_t x = a < b ? a : b;
  b = a < b ? b : a;
  a = x;
}

void cluster(const CodedItems& order, std::size_t begin, std::size_t end, WideNode& node, std::uint32_t* ids, BuildBounds& whole) {
  const D8 d;
  const std::uint64_t mask = (std::uint64_t{1} << order.place_bits) - 1;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) hn::Store(hn::Set(d, i < 3 ? 2.0f : -2.0f), d, node.plane[i] + k);
  }
  whole = BuildBounds();
  std::uint32_t slot = 0;
  for (std::size_t i = 0; i < 8; ++i) node.child[i] = node.count[i] = 0;
  for (std::size_t at = begin; at < end; ++slot) {
    const std::size_t to = leaf_end(order, at, end, 7 - slot), n = to - at;
    const BuildItem* item[4];
    std::uint32_t id[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t place = at + (i < n ? i : 0);
      item[i] = order.items + (order.keys[place] & mask);
      id[i] = i < n ? item[i]->id : ~0u;
    }
    BuildBounds box;
    for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
      const auto least = hn::Min(hn::Min(hn::Load(d, floats_of(*item[0]) + k), hn::Load(d, floats_of(*item[1]) + k)),
                                 hn::Min(hn::Load(d, floats_of(*item[2]) + k), hn::Load(d, floats_of(*item[3]) + k)));
      hn::Store(least, d, box.v + k);
      hn::Store(hn::Min(least, hn::Load(d, whole.v + k)), d, whole.v + k);
    }
    for (int i = 0; i < 3; ++i) {
      node.plane[i][slot] = box.lo(i);
      node.plane[3 + i][slot] = box.hi(i);
    }
    sort_pair(id[0], id[1]);
    sort_pair(id[2], id[3]);
    sort_pair(id[0], id[2]);
    sort_pair(id[1], id[3]);
    sort_pair(id[1], id[2]);
    for (std::size_t i = 0; i < n; ++i) ids[at + i] = id[i];
    node.child[slot] = static_cast<std::uint32_t>(at);
    node.count[slot] = static_cast<std::uint8_t>(n);
    at = to;
  }
  node.used = slot;
  node.first_leaf = 0;
  node.leaves = 0;
  node.lowest = ~0u;
  node.source = 0;
}

}  // namespace

const BuildKernels* build_table() {
  static constexpr BuildKernels table{&bounds, &fill, &best_split, &partition, &few, &cluster};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(build_table);

const BuildKernels& build_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(build_table)();
}

}  // namespace graze
#endif
