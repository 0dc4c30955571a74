// The walk of a ray and its tests of 4 triangles at once, per CPU level. Only + - * / min max and comparisons, each rounded by itself: all levels go the same way.
#include "mesh/ray_kernels.hpp"

#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // the scalar level exists even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/ray_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bvh/walk-inl.hpp"
#include "mesh/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;

/// A corner seen along the ray.
HWY_INLINE P See(const TriangleBlock& b, const BlockRay& r, std::size_t corner, std::size_t k) {
  const DD d;
  const float(*p)[kBlock] = b.corner + 3 * corner;
  const V z = hn::Sub(Row(p[r.z], k), hn::Set(d, r.start_z));
  const V x = hn::Sub(Row(p[r.x], k), hn::Set(d, r.start_x));
  const V y = hn::Sub(Row(p[r.y], k), hn::Set(d, r.start_y));
  return {hn::Sub(x, hn::Mul(hn::Set(d, r.slope_x), z)), hn::Sub(y, hn::Mul(hn::Set(d, r.slope_y), z)), z};
}
HWY_INLINE V Across(const P& c) { return hn::Add(hn::Abs(c.x), hn::Abs(c.y)); }
HWY_INLINE V Turn(const P& a, const P& b) { return hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x)); }

struct BlockHits {
  std::uint32_t sure, unsure;
  double lo[kBlock], hi[kBlock];  // of lanes that are sure
};

// The three turns of the corners around the ray decide: equal signs, a hit; opposite ones, a miss. With coordinates off by epsilon = E, a turn a.x b.y - a.y b.x is off by at most
// E (|a.x| + |a.y| + |b.x| + |b.y|) + 2 E^2, and by 4 * 2^-53 of products below 5 times one of these sizes: 2^-47 more in E (included). `bound` takes all three corners' sizes.
// The parameter of a certain hit is the mean of the corners' depths weighted with the turns, positive weights that sum to 1: depths off by E give E; each weight is off by at most 4 bound / |sum of turns|,
// which moves the mean by at most 4 bound (depth range) / |sum| for each of two weights. 2^-10 more covers all roundings of the margin.
// A hit that is not certain lies between the corners' depths, within E.
HWY_INLINE bool Test(const TriangleBlock& b, const BlockRay& r, std::uint32_t count, double least, BlockHits& out) {
  const DD d;
  out.sure = out.unsure = 0;
  const double last = r.length < least ? r.length : least;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const P p0 = See(b, r, 0, k), p1 = See(b, r, 1, k), p2 = See(b, r, 2, k);
    const V t0 = Turn(p1, p2), t1 = Turn(p2, p0), t2 = Turn(p0, p1);
    const V epsilon = hn::Set(d, r.epsilon);
    const V bound = hn::Mul(epsilon, hn::Add(hn::Add(hn::Add(Across(p0), Across(p1)), Across(p2)), hn::Add(epsilon, epsilon)));
    const V low = Min3(t0, t1, t2), high = Max3(t0, t1, t2), below = hn::Neg(bound);
    const auto miss = hn::And(hn::Lt(low, below), hn::Gt(high, bound));
    if (hn::AllTrue(d, miss)) continue;
    const V inverse = hn::Set(d, r.inverse_z);
    const V z0 = hn::Mul(p0.z, inverse), z1 = hn::Mul(p1.z, inverse), z2 = hn::Mul(p2.z, inverse);
    const V near = Min3(z0, z1, z2), far = Max3(z0, z1, z2);
    // Certain hits first
    const V sum = hn::Add(hn::Add(t0, t1), t2);
    const V t = hn::Div(hn::Add(hn::Add(hn::Mul(t0, z0), hn::Mul(t1, z1)), hn::Mul(t2, z2)), sum);
    const V wide = hn::Add(hn::Mul(hn::Set(d, 8.0 * (1 + 0x1p-10)), hn::Div(hn::Mul(bound, hn::Sub(far, near)), hn::Abs(sum))), hn::Set(d, r.epsilon * (1 + 0x1p-10)));
    const V lo = hn::Sub(t, wide), hi = hn::Add(t, wide);
    const auto same = hn::Or(hn::Gt(low, bound), hn::Lt(high, below));
    const auto sure = hn::And(same, hn::And(hn::Gt(lo, hn::Zero(d)), hn::Lt(hi, hn::Set(d, r.length))));
    // what is left may be hit somewhere in [first, final]
    const V first = hn::IfThenElse(same, lo, hn::Sub(near, epsilon)), final = hn::IfThenElse(same, hi, hn::Add(far, epsilon));
    const auto in = hn::And(hn::Le(first, hn::Set(d, last)), hn::Ge(final, hn::Zero(d)));
    const std::uint32_t certain = LaneBits(sure, k), possible = LaneBits(hn::AndNot(miss, in), k);
    out.sure |= certain & possible;
    out.unsure |= possible & ~certain;
    hn::StoreU(lo, d, out.lo + k);
    hn::StoreU(hi, d, out.hi + k);
  }
  const std::uint32_t used = (1u << count) - 1;
  out.sure &= used;
  out.unsure &= used;
  return (out.sure | out.unsure) != 0;
}

HWY_INLINE WalkEntry Child(const WideNode& node, std::uint32_t s, const float* HWY_RESTRICT keys) {
  const std::uint32_t count = node.count[s];
  return {keys[s], count != 0 ? node.leaf_number(s) : node.child[s], count};
}

HWY_INLINE void AskFor(const RayWalk& w, const WalkEntry& e) {
  const auto* p = e.count != 0 ? reinterpret_cast<const unsigned char*>(w.blocks + e.child) : reinterpret_cast<const unsigned char*>(w.nodes + e.child);
  for (int line = 0; line < 4; ++line) walk::Ask(p + 64 * line);
}

/// The nearest of the children in `bits` (at least one); the others go on the stack, the nearest on top.
HWY_INLINE WalkEntry Nearest(RayWalk& w, const WideNode& node, std::uint32_t bits, const float* HWY_RESTRICT keys) {
  WalkEntry nearest = Child(node, walk::First(bits), keys);
  bits &= bits - 1;
  AskFor(w, nearest);
  if (bits == 0) return nearest;
  std::int32_t top = w.top;
  const std::int32_t base = top;
  do {
    WalkEntry e = Child(node, walk::First(bits), keys);
    bits &= bits - 1;
    AskFor(w, e);
    if (e.key < nearest.key) {
      const WalkEntry other = nearest;
      nearest = e;
      e = other;
    }
    std::int32_t i = top++;
    for (; i > base && w.stack[i - 1].key <= e.key; --i) w.stack[i] = w.stack[i - 1];
    w.stack[i] = e;
  } while (bits != 0);
  w.top = top;
  return nearest;
}

HWY_INLINE float Above(double x) { return static_cast<float>(x + 0x1p-22); }  // |x| < 4

HWY_INLINE RayEvent Keep(RayWalk& w, std::uint32_t block, const BlockHits& hits) {
  const TriangleBlock& b = w.blocks[block];
  for (std::uint32_t bits = hits.sure; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = walk::First(bits);
    if (hits.lo[s] > w.least) continue;
    if (w.found == RayWalk::kCandidates) {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < w.found; ++i) {
        if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
      }
      w.found = kept;
      if (kept == RayWalk::kCandidates) return RayEvent::full;
    }
    w.candidate[w.found++] = {hits.lo[s], hits.hi[s], block * static_cast<std::uint32_t>(kBlock) + s};
    for (std::size_t i = 0; i < 3; ++i) walk::Ask(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][s]));
    if (hits.hi[s] < w.least) w.least = hits.hi[s];
  }
  return RayEvent::done;
}

/// The next entry that may be entered at or before t_hi.
HWY_INLINE bool Pop(RayWalk& w, float t_hi, WalkEntry& e) {
  while (w.top > 0) {
    e = w.stack[--w.top];
    if (e.key <= t_hi) return true;
  }
  return false;
}

/// From a node to the nearest of its children that the ray enters.
HWY_INLINE bool Enter(RayWalk& w, const QueryRay& q, WalkEntry& e) {
  alignas(64) float entry[kWidth];
  const WideNode& node = w.nodes[e.child];
  const std::uint32_t bits = walk::Slabs(node, q, entry);
  if (bits == 0) return false;
  e = Nearest(w, node, bits, entry);
  return true;
}

/// Tests the triangles of a leaf; `done`: goes on.
template <bool kAny>
HWY_INLINE RayEvent AtLeaf(RayWalk& w, QueryRay& q, const BlockRay& r, const WalkEntry& e) {
  BlockHits hits;
  if (!Test(w.blocks[e.child], r, e.count, kAny ? r.length : w.least, hits)) return RayEvent::done;
  if (kAny) {
    if (hits.sure != 0) return RayEvent::full;
  } else if (hits.sure != 0) {
    if (Keep(w, e.child, hits) == RayEvent::full) {
      w.stack[w.top++] = e;
      return RayEvent::full;
    }
    q.t_hi = HWY_MIN(q.t_hi, Above(w.least));
  }
  if (hits.unsure == 0) return RayEvent::done;
  w.unsure = hits.unsure;
  w.block = e.child;
  return RayEvent::unsure;
}

template <bool kAny>
HWY_INLINE RayEvent Walk(RayWalk& w) {
  ++kernel_counts.ray[walk::kLevel];
  QueryRay q = w.box_ray;
  const BlockRay r = w.ray;
  if (!kAny && w.least < 4) q.t_hi = HWY_MIN(q.t_hi, Above(w.least));
  WalkEntry e;
  while (Pop(w, q.t_hi, e)) {
    bool leaf = e.count != 0;
    while (!leaf && Enter(w, q, e)) leaf = e.count != 0;
    if (!leaf) continue;
    if (const RayEvent event = AtLeaf<kAny>(w, q, r, e); event != RayEvent::done) return event;
  }
  return RayEvent::done;
}

RayEvent First(RayWalk& w) { return Walk<false>(w); }
RayEvent Any(RayWalk& w) { return Walk<true>(w); }

// Each ray takes a step in turn: what its next step needs is asked for and arrives while the others take theirs.
template <bool kAny>
void InTurns(RayWalk* HWY_RESTRICT walks, std::uint32_t n, RayEvent* HWY_RESTRICT events) {
  kernel_counts.ray[walk::kLevel] += n;
  WalkEntry at[RayWalk::kTogether];
  std::uint32_t on[RayWalk::kTogether], left = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    events[i] = RayEvent::done;
    if (Pop(walks[i], walks[i].box_ray.t_hi, at[i])) on[left++] = i;
  }
  while (left != 0) {
    for (std::uint32_t k = 0; k < left;) {
      const std::uint32_t i = on[k];
      RayWalk& w = walks[i];
      bool stays;
      if (at[i].count != 0) {
        events[i] = AtLeaf<kAny>(w, w.box_ray, w.ray, at[i]);
        stays = events[i] == RayEvent::done && Pop(w, w.box_ray.t_hi, at[i]);
      } else {
        stays = Enter(w, w.box_ray, at[i]) || Pop(w, w.box_ray.t_hi, at[i]);
      }
      if (stays) ++k;
      else on[k] = on[--left];
    }
  }
}

}  // namespace

const RayKernels* RayTable() {
  static constexpr RayKernels table{&First, &Any, &InTurns<false>, &InTurns<true>};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/cpu.hpp"

namespace graze {

HWY_EXPORT(RayTable);

const RayKernels& ray_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(RayTable)();
}

}  // namespace graze
#endif
