// Code shared by the kernels that traverse trees, compiled once per CPU level: the ray test of a node's boxes and the push of its children. Included inside
// Highway's per-target passes.
#if defined(GRAZE_BVH_TRAVERSAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_BVH_TRAVERSAL_INL
#undef GRAZE_BVH_TRAVERSAL_INL
#else
#define GRAZE_BVH_TRAVERSAL_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <cstdint>
#include <cstring>

#include "bvh/wide_node.hpp"
#include "platform/expects.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace traversal {
namespace hn = hwy::HWY_NAMESPACE;

/// The level of platform/cpu.hpp that is being compiled.
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
constexpr int kLevel = 0;
#elif HWY_TARGET == HWY_AVX2
constexpr int kLevel = 2;
#elif HWY_TARGET == HWY_AVX3
constexpr int kLevel = 3;
#elif HWY_TARGET == HWY_NEON
constexpr int kLevel = 4;
#else
constexpr int kLevel = 1;
#endif

using D = hn::CappedTag<float, kWidth>;

template <class M>
HWY_INLINE std::uint32_t mask_bits(M mask, std::size_t at) {
  const D d;
  std::uint8_t bytes[8] = {0};
  hn::StoreMaskBits(d, mask, bytes);
  return (bytes[0] & ((1u << hn::Lanes(d)) - 1)) << at;
}

HWY_INLINE std::uint32_t used_mask(const WideNode& node) { return (1u << node.used) - 1; }

/// Bit i: the ray may enter box i at or before t_hi; entry[i] >= 0 is a lower bound of the parameter.
HWY_INLINE std::uint32_t test_slabs(const WideNode& node, const QueryRay& q, float* HWY_RESTRICT entry) {
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto t_in = hn::Zero(d), t_out = hn::Set(d, q.t_hi);
    for (int i = 0; i < 3; ++i) {
      const auto inverse = hn::Set(d, q.inverse[i]);
      t_in = hn::Max(t_in, (hn::Load(d, node.plane[q.near_plane[i]] + k) - hn::Set(d, q.o_near[i])) * inverse);
      t_out = hn::Min(t_out, (hn::Load(d, node.plane[q.far_plane[i]] + k) - hn::Set(d, q.o_far[i])) * inverse);
    }
    hn::StoreU(t_in, d, entry + k);
    bits |= mask_bits(t_in <= t_out, k);
  }
  return bits & used_mask(node);
}

// Lower bounds: the gaps are rounded (relative error 2^-24), squared and summed (three more roundings), in all below 6 * 2^-24 relative, which the factor 1 -
// 2^-20 outweighs. Values that underflow may have affected (below 2^-100) count as 0. Coordinates stay below 2^61, so nothing overflows.
constexpr float kShrink = 1.0f - 0x1p-20f, kTiny = 0x1p-100f;

template <class V>
HWY_INLINE V lower_bound(V sum) {
  const D d;
  const V v = sum * hn::Set(d, kShrink);
  return hn::IfThenElseZero(v > hn::Set(d, kTiny), v);
}

HWY_INLINE hn::Vec<D> box_gap_squared(const WideNode& node, const QueryBox& q, std::size_t k) {
  const D d;
  auto sum = hn::Zero(d);
  for (int i = 0; i < 3; ++i) {
    const auto below = hn::Load(d, node.plane[i] + k) - hn::Set(d, q.hi[i]);
    const auto above = hn::Set(d, q.lo[i]) - hn::Load(d, node.plane[3 + i] + k);
    const auto gap = hn::Max(hn::Max(below, above), hn::Zero(d));
    sum = sum + gap * gap;
  }
  return sum;
}

/// Bit i: lower[i], a lower bound of the squared distance of box i from the query, is at most `limit`.
HWY_INLINE std::uint32_t box_distances(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) {
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const auto v = lower_bound(box_gap_squared(node, q, k));
    hn::StoreU(v, d, lower + k);
    bits |= mask_bits(v <= hn::Set(d, limit), k);
  }
  return bits & used_mask(node);
}

HWY_INLINE void prefetch(const void* p) { hwy::Prefetch(static_cast<const unsigned char*>(p)); }

/// Prefetches four cache lines: all of a node, or of a block at any alignment.
HWY_INLINE void prefetch_four(const void* p) {
  for (int line = 0; line < 4; ++line) prefetch(static_cast<const unsigned char*>(p) + 64 * line);
}

HWY_INLINE std::uint32_t lowest_bit(std::uint32_t bits) { return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits)); }

/// A node, or a leaf by its number.
struct Place {
  std::uint32_t child, count;
};

HWY_INLINE Place child_of(const WideNode& node, std::uint32_t s) {
  const std::uint32_t count = node.count[s];
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  const std::uint32_t number = node.first_leaf + static_cast<std::uint32_t>(hwy::PopCount(node.leaves & ((1u << s) - 1)));
#else
  const std::uint32_t number = node.leaf_number(s);
#endif
  return {count != 0 ? number : node.child[s], count};
}

// Entries of stacks. High half: the bits of the key, a lower bound at least +0, which sort as it does. Low half: node * 8 + slot of a child.
HWY_INLINE std::uint64_t key_bits(const float& key) {
  std::uint32_t bits;
  std::memcpy(&bits, &key, sizeof bits);
  return std::uint64_t{bits} << 32;
}
HWY_INLINE float key_of(std::uint64_t e) {
  const auto bits = static_cast<std::uint32_t>(e >> 32);
  float key;
  std::memcpy(&key, &bits, sizeof key);
  return key;
}
HWY_INLINE Place resolve(const WideNode* HWY_RESTRICT nodes, std::uint32_t ref) { return child_of(nodes[ref / kWidth], ref % kWidth); }

/// Pops the next entry with a key of at most `limit`.
HWY_INLINE bool pop_entry(const std::uint64_t* HWY_RESTRICT stack, std::int32_t& top, float limit, std::uint64_t& e) {
  while (top > 0) {
    e = stack[--top];
    if (key_of(e) <= limit) return true;
  }
  return false;
}

/// Distributes the children in `bits` (at least one) of the node whose references begin at `base`: the nearest goes into `nearest`, the others onto the stack,
/// the nearest of them on top. key[kWidth] must exceed all other keys.
HWY_INLINE void push_others(std::uint64_t* HWY_RESTRICT stack, std::int32_t& in_use, std::uint32_t bits, const float* HWY_RESTRICT key, std::uint32_t base,
                            std::uint64_t& nearest) {
  GRAZE_EXPECTS(bits != 0 && in_use + static_cast<std::int32_t>(hwy::PopCount(bits)) <= kTraversalStack);
  const auto entry_of = [&](std::uint32_t s) HWY_ATTR { return key_bits(key[s]) | (base + s); };
  const std::uint32_t rest = bits & (bits - 1);
  // One child or two: no branch. A missing second child sorts behind all others.
  const std::uint64_t e0 = entry_of(lowest_bit(bits)), e1 = entry_of(lowest_bit(rest | 1u << kWidth));
  nearest = e0 < e1 ? e0 : e1;
  std::int32_t top = in_use;
  const std::int32_t bottom = top;
  stack[top] = e0 < e1 ? e1 : e0;
  top += rest != 0 ? 1 : 0;
  for (bits = rest & (rest - 1); bits != 0; bits &= bits - 1) {
    std::uint64_t e = entry_of(lowest_bit(bits));
    const std::uint64_t other = e < nearest ? nearest : e;
    nearest = e < nearest ? e : nearest;
    std::int32_t i = top++;
    for (; i > bottom && stack[i - 1] < other; --i) stack[i] = stack[i - 1];
    stack[i] = other;
  }
  in_use = top;
}

#include "bvh/run_traversal-inl.hpp"

/// Where a traversal of one tree is that visits the nearest child first. State{nodes, stack, top} outlives it, so that the traversal can stop and go on.
template <class State>
struct Cursor {
  State& w;
  Place at{0, 0};
  std::uint64_t entry = 0;  ///< of `at`; none for the root
  bool at_nearest;          ///< `at` was not stacked: the root, or the nearest child of the last node

  explicit HWY_INLINE Cursor(State& state) : w(state), at_nearest(state.top < 0) {
    if (at_nearest) w.top = 0;
  }
  HWY_INLINE bool next(float limit) {
    if (!at_nearest) {
      if (!pop_entry(w.stack, w.top, limit, entry)) return false;
      at = resolve(w.nodes, static_cast<std::uint32_t>(entry));
    }
    at_nearest = false;
    return true;
  }
  HWY_INLINE bool at_leaf() const { return at.count != 0; }
  HWY_INLINE const WideNode& node() const { return made(w.nodes[at.child]); }
  /// Goes on at the nearest of the node's children in `bits`, if any, and stacks the others. key[kWidth] must exceed all other keys.
  HWY_INLINE void enter(std::uint32_t bits, const float* HWY_RESTRICT key) {
    if (bits == 0) return;
    const std::uint32_t base = at.child * kWidth;
    if ((bits & (bits - 1)) == 0)  // one traversal alone gains from a branch that the CPU can predict
      entry = key_bits(key[lowest_bit(bits)]) | (base + lowest_bit(bits));
    else
      push_others(w.stack, w.top, bits, key, base, entry);
    at = resolve(w.nodes, static_cast<std::uint32_t>(entry));
    at_nearest = true;
  }
};

/// Returns a bound above the square of any distance up to x; like local_limit in bvh/local_query.cpp.
HWY_INLINE float squared_limit(double x) {
  const double sq = x * x * (1 + 0x1p-20);
  return sq < 0x1p120 ? static_cast<float>(sq < 0x1p-110 ? 0x1p-110 : sq) : 0x1p126f;
}

}  // namespace traversal
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
