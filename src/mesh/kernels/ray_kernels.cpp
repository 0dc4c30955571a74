// Traverses a tree with a ray and tests 4 triangles at once, compiled once per CPU level. Where the CPU has fused multiply-add the traversal may differ, but
// the answers do not.
#include "mesh/kernels/ray_kernels.hpp"

#include "bvh/box_kernels.hpp"
#include "bvh/near_ray.hpp"
#include "exact/approx.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/ray_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "math/compress-inl.hpp"
#include "mesh/kernels/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace lanes {
#include "bvh/ray_start-inl.hpp"
}

namespace {
using namespace block;

HWY_INLINE V row_at(const TriangleBlock& b, std::size_t bytes, std::size_t k) {
  return hn::PromoteTo(DD(), hn::Load(DF(), reinterpret_cast<const float*>(reinterpret_cast<const unsigned char*>(b.corner) + bytes) + k));
}

/// A corner seen along the ray.
HWY_INLINE P project_corner(const TriangleBlock& b, const BlockRay& r, std::size_t corner, std::size_t k) {
  const DD d;
  const std::size_t at = corner * 3 * sizeof(b.corner[0]);
  const V z = row_at(b, at + r.z, k) - hn::Set(d, r.start_z);
  const V x = row_at(b, at + r.x, k) - hn::Set(d, r.start_x);
  const V y = row_at(b, at + r.y, k) - hn::Set(d, r.start_y);
  return {hn::NegMulAdd(hn::Set(d, r.slope_x), z, x), hn::NegMulAdd(hn::Set(d, r.slope_y), z, y), z};
}
HWY_INLINE V taxicab_xy(const P& c) { return hn::Abs(c.x) + hn::Abs(c.y); }
HWY_INLINE V cross_xy(const P& a, const P& b) { return hn::MulSub(a.x, b.y, a.y * b.x); }

struct BlockHits {
  std::uint32_t sure, undecided;
  std::uint32_t positive;         // of lanes in `sure`: the sign of the turns; set where there is a choice
  double lo[kBlock], hi[kBlock];  // for lanes in `sure`; not set by tests for any hit
};

// The three turns of the corners around the ray decide: equal signs mean a hit, opposite ones a miss. With coordinates off by epsilon = E, a turn a.x b.y - a.y
// b.x is off by at most E (|a.x| + |a.y| + |b.x| + |b.y|) + 2 E^2, and by 4 * 2^-53 of products below 5 times one of these sizes, which is 2^-47 more in E
// (included). `bound` uses the sizes of all three corners. The parameter of a certain hit is the mean of the corners' depths weighted by the turns, with
// positive weights that sum to 1. Depths off by E contribute E. Each weight is off by at most 4 bound / |sum of turns|, which moves the mean by at most 4 bound
// (depth range) / |sum| for each of two weights. 2^-10 more covers all roundings of the margin and of the mean. A hit that is not certain lies between the
// corners' depths, within E. Fused operations round less.
template <bool kAny, bool kChosen>
HWY_INLINE bool test_block(const TriangleBlock& b, const BlockRay& r, std::uint32_t count, double least, BlockHits& out) {
  const DD d;
  out.sure = out.undecided = 0;
  if (kChosen) out.positive = 0;
  const double last = r.length < least ? r.length : least;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const P p0 = project_corner(b, r, 0, k), p1 = project_corner(b, r, 1, k), p2 = project_corner(b, r, 2, k);
    const V t0 = cross_xy(p1, p2), t1 = cross_xy(p2, p0), t2 = cross_xy(p0, p1);
    const V epsilon = hn::Set(d, r.epsilon);
    const V bound = epsilon * (taxicab_xy(p0) + taxicab_xy(p1) + taxicab_xy(p2) + (epsilon + epsilon));
    const V low = min3(t0, t1, t2), high = max3(t0, t1, t2), below = hn::Neg(bound);
    const auto miss = hn::And(high > bound, low < below);
    if (hn::AllTrue(d, miss)) continue;
    const V inverse = hn::Set(d, r.inverse_z), length = hn::Set(d, r.length);
    const V z0 = p0.z * inverse, z1 = p1.z * inverse, z2 = p2.z * inverse;
    const V near = min3(z0, z1, z2), far = max3(z0, z1, z2);
    const V before = near - epsilon, behind = far + epsilon;
    const auto same = hn::Or(low > bound, high < below);
    if (kChosen) out.positive |= lane_bits(low > bound, k);
    if (kAny) {  // nearly always, either all corners lie within the ray's extent or none do
      const auto within = hn::And(near > epsilon, behind < length);
      const auto in = hn::AndNot(miss, hn::And(before <= length, behind >= hn::Zero(d)));
      const std::uint32_t certain = lane_bits(hn::And(hn::And(same, within), in), k);
      out.sure |= certain;
      const std::uint32_t possible = lane_bits(in, k) & ~certain;
      if (possible == 0) continue;
    }
    const V inverse_sum = hn::Set(d, 1.0) / (t0 + t1 + t2);
    const V t = hn::MulAdd(t0, z0, hn::MulAdd(t1, z1, t2 * z2)) * inverse_sum;
    const V wide = hn::MulAdd(hn::Set(d, 8.0 * (1 + 0x1p-10)) * (bound * (far - near)), hn::Abs(inverse_sum), hn::Set(d, r.epsilon * (1 + 0x1p-10)));
    const V lo = t - wide, hi = t + wide;
    const auto sure = hn::And(same, hn::And(lo > hn::Zero(d), hi < length));
    // Undecided triangles may be hit somewhere in [first, final].
    const V first = hn::IfThenElse(same, lo, before), final = hn::IfThenElse(same, hi, behind);
    const auto in = hn::And(first <= hn::Set(d, last), final >= hn::Zero(d));
    const std::uint32_t certain = lane_bits(sure, k), possible = lane_bits(hn::AndNot(miss, in), k);
    out.sure |= certain & possible;
    out.undecided |= possible & ~certain;
    if (!kAny) {
      hn::StoreU(lo, d, out.lo + k);
      hn::StoreU(hi, d, out.hi + k);
    }
  }
  const std::uint32_t used = (1u << count) - 1;
  out.sure &= used;
  out.undecided &= used & ~out.sure;
  return (out.sure | out.undecided) != 0;
}

using traversal::child_of;
using traversal::Place;
using traversal::resolve;

HWY_INLINE void prefetch(const RayTraversal& w, const Place& e) {
  traversal::prefetch_four(e.count != 0 ? static_cast<const void*>(w.blocks + e.child) : static_cast<const void*>(w.nodes + e.child));
}

/// Prefetches the corners that the caller will read.
HWY_INLINE void prefetch_corners(const RayTraversal& w, const TriangleBlock& b, std::uint32_t lane) {
  for (std::size_t i = 0; i < 3; ++i) traversal::prefetch(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][lane]));
}

HWY_INLINE float above(double x) { return static_cast<float>(x + 0x1p-22); }  // |x| < 4

/// What a traversal looks for.
enum class Goal { first, any, all };

template <Goal kGoal>
HWY_INLINE RayEvent keep_hits(RayTraversal& w, std::uint32_t block, const BlockHits& hits) {
  const TriangleBlock& b = w.blocks[block];
  if (kGoal == Goal::all && w.found + hwy::PopCount(hits.sure) > RayTraversal::kCandidates) return RayEvent::full;
  for (std::uint32_t bits = hits.sure; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = traversal::lowest_bit(bits);
    if (kGoal == Goal::first && hits.lo[s] > w.least) continue;
    if (kGoal == Goal::first && w.found == RayTraversal::kCandidates) {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < w.found; ++i) {
        if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
      }
      w.found = kept;
      if (kept == RayTraversal::kCandidates) return RayEvent::full;
    }
    w.candidate[w.found++] = {hits.lo[s], hits.hi[s], 1, 0, block * static_cast<std::uint32_t>(kBlock) + s};
    prefetch_corners(w, b, s);
    if (kGoal == Goal::first && hits.hi[s] < w.least) w.least = hits.hi[s];
  }
  return RayEvent::done;
}

/// Drops the certain hits that the choice refuses. The sum of the turns is ((b - a) x (c - a)) . d / d_z, so turns of one sign tell on which side of the
/// triangle the ray arrives.
template <bool kAny>
HWY_INLINE void drop_refused(const RayTraversal& w, const BlockRay& r, std::uint32_t block, BlockHits& hits) {
  const HitChoice& choice = *w.choice;
  const std::uint32_t front = r.inverse_z < 0 ? hits.positive : ~hits.positive;
  hits.sure &= (choice.from_front ? front : 0) | (choice.from_back ? ~front : 0);
  if (choice.accepts == nullptr) return;
  for (std::uint32_t bits = hits.sure; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = traversal::lowest_bit(bits);
    if (!kAny && hits.lo[s] > w.least) continue;  // never kept
    if (!choice.accepts(choice.context, block * static_cast<std::uint32_t>(kBlock) + s)) hits.sure &= ~(1u << s);
  }
}

/// Bit i: the ray may enter box i at or before t_hi. Calls entry(t, k) with lower bounds t >= 0 of the parameter at the boxes from k on.
template <class F>
HWY_INLINE std::uint32_t test_slabs(const WideNode& node, const RaySlabs& q, const F& entry) {
  const traversal::D d;
  const auto* planes = reinterpret_cast<const unsigned char*>(&node);
  const auto plane = [&](std::uint32_t bytes, std::size_t k) HWY_ATTR { return hn::Load(d, reinterpret_cast<const float*>(planes + bytes) + k); };
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const auto along = [&](std::uint32_t bytes, int i, float shift)
                           HWY_ATTR { return hn::MulAdd(plane(bytes, k), hn::Set(d, q.inverse[i]), hn::Set(d, shift)); };
    const auto x_in = along(q.near_plane[0], 0, q.near_shift[0]), y_in = along(q.near_plane[1], 1, q.near_shift[1]),
               z_in = along(q.near_plane[2], 2, q.near_shift[2]);
    const auto x_out = along(q.far_plane[0], 0, q.far_shift[0]), y_out = along(q.far_plane[1], 1, q.far_shift[1]),
               z_out = along(q.far_plane[2], 2, q.far_shift[2]);
    const auto t_in = hn::Max(hn::Max(x_in, y_in), hn::Max(z_in, hn::Zero(d))), t_out = hn::Min(hn::Min(x_out, y_out), hn::Min(z_out, hn::Set(d, q.t_hi)));
    entry(t_in, k);
    bits |= traversal::mask_bits(t_in <= t_out, k);
  }
  return bits & traversal::used_mask(node);
}

/// Returns the children that the ray enters, and sets key[0 .. kWidth] as push_others requires.
HWY_INLINE std::uint32_t entered(const WideNode& node, const RaySlabs& q, float* HWY_RESTRICT key) {
  key[kWidth] = hwy::HighestValue<float>();
  return test_slabs(node, q, [&](const hn::Vec<traversal::D>& t, std::size_t k) HWY_ATTR { hn::StoreU(t, traversal::D(), key + k); });
}

/// Tests the triangles of a leaf. `done` means that the traversal continues.
template <Goal kGoal, bool kAlone, bool kChosen>
HWY_INLINE RayEvent test_leaf(RayTraversal& w, float& t_hi, const BlockRay& r, const Place& e, std::uint32_t ref) {
  constexpr bool kAny = kGoal == Goal::any;
  BlockHits hits;
  if (kAlone && !kAny) {  // a single ray would wait for the corners of the triangle that it hits; they load during the test
    const TriangleBlock& b = w.blocks[e.child];
    for (std::uint32_t s = 0; s < kBlock; ++s) prefetch_corners(w, b, s);
  }
  if (!test_block<kAny, kChosen>(w.blocks[e.child], r, e.count, kAny ? r.length : w.least, hits)) return RayEvent::done;
  if (kChosen) drop_refused<kAny>(w, r, e.child, hits);
  if (kAny) {
    if (hits.sure != 0) return RayEvent::full;
  } else if (hits.sure != 0) {
    if (keep_hits<kGoal>(w, e.child, hits) == RayEvent::full) {
      GRAZE_EXPECTS(w.top < kTraversalStack);
      w.stack[w.top++] = ref;
      return RayEvent::full;
    }
    if (kGoal == Goal::first) t_hi = HWY_MIN(t_hi, above(w.least));
  }
  if (hits.undecided == 0) return RayEvent::done;
  if (!kAlone) {
    for (std::uint32_t bits = hits.undecided; bits != 0; bits &= bits - 1) prefetch_corners(w, w.blocks[e.child], traversal::lowest_bit(bits));
  }
  w.undecided = hits.undecided;
  w.block = e.child;
  return RayEvent::undecided;
}

/// One ray.
template <Goal kGoal, bool kChosen>
struct RaySearch {
  traversal::Cursor<RayTraversal> cursor;
  RaySlabs q;
  const BlockRay r;
  RayEvent event = RayEvent::done;

  HWY_INLINE bool next() { return cursor.next(q.t_hi); }
  HWY_INLINE bool at_leaf() const { return cursor.at_leaf(); }
  HWY_INLINE bool leaf() {
    event = test_leaf<kGoal, true, kChosen>(cursor.w, q.t_hi, r, cursor.at, static_cast<std::uint32_t>(cursor.entry));
    return event != RayEvent::done;
  }
  HWY_INLINE bool node() {
    alignas(64) float key[2 * kWidth];
    const WideNode& node = cursor.node();
    const std::uint32_t bits = entered(node, q, key);
    for (std::uint32_t b = bits; b != 0; b &= b - 1) prefetch(cursor.w, child_of(node, traversal::lowest_bit(b)));
    cursor.enter(bits, key);
    return false;
  }
};

template <Goal kGoal, bool kChosen>
RayEvent traverse(RayTraversal& w) {
  ++kernel_counts.ray[traversal::kLevel];
  RaySearch<kGoal, kChosen> search{traversal::Cursor<RayTraversal>(w), w.slabs, w.ray};
  if (kGoal == Goal::first && w.least < 4) search.q.t_hi = HWY_MIN(search.q.t_hi, above(w.least));
  traversal::run_traversal(search);
  return search.event;
}

// Rays whose next step is a node go first, then those at leaves. Each step prefetches what the next one needs, and the memory arrives while the other rays take
// their steps.
template <Goal kGoal, bool kChosen>
void in_turns(RayTraversal* HWY_RESTRICT traversals, std::uint32_t which, RayEvent* HWY_RESTRICT events) {
  GRAZE_EXPECTS(which >> RayTraversal::kTogether == 0);
  std::uint32_t at_node[RayTraversal::kTogether + 1], at_leaf[RayTraversal::kTogether + 1], nodes = 0, leaves = 0;
  std::uint32_t number[RayTraversal::kTogether], ref[RayTraversal::kTogether];
  Place leaf[RayTraversal::kTogether];
  // Schedules the next step of ray i, at ref[i]. Writes to both lists and advances one: no branch on unpredictable values.
  const auto next = [&](RayTraversal& w, std::uint32_t i) HWY_ATTR {
    const Place place = resolve(w.nodes, ref[i]);
    prefetch(w, place);
    number[i] = place.child;
    leaf[i] = place;
    at_node[nodes] = at_leaf[leaves] = i;
    const std::uint32_t to_leaf = place.count != 0 ? 1 : 0;
    leaves += to_leaf;
    nodes += 1 - to_leaf;
  };
  const auto pop = [&](RayTraversal& w, std::uint32_t i) HWY_ATTR {
    std::uint64_t e;
    if (!traversal::pop_entry(w.stack, w.top, w.slabs.t_hi, e)) return;
    ref[i] = static_cast<std::uint32_t>(e);
    next(w, i);
  };
  for (std::uint32_t bits = which; bits != 0; bits &= bits - 1) {
    const std::uint32_t i = traversal::lowest_bit(bits);
    RayTraversal& w = traversals[i];
    ++kernel_counts.ray[traversal::kLevel];
    events[i] = RayEvent::done;
    if (w.top < 0) {
      w.top = 0;
      number[i] = 0;
      at_node[nodes++] = i;
    } else {
      if (kGoal == Goal::first && w.least < 4) w.slabs.t_hi = HWY_MIN(w.slabs.t_hi, above(w.least));
      pop(w, i);
    }
  }
  while ((nodes | leaves) != 0) {
    const std::uint32_t nodes_now = nodes, leaves_now = leaves;
    nodes = 0;
    for (std::uint32_t k = 0; k < nodes_now; ++k) {
      const std::uint32_t i = at_node[k];
      RayTraversal& w = traversals[i];
      alignas(64) float key[2 * kWidth];
      const std::uint32_t bits = entered(made(w.nodes[number[i]]), w.slabs, key);
      if (bits == 0) {
        pop(w, i);
        continue;
      }
      std::uint64_t nearest;
      traversal::push_others(w.stack, w.top, bits, key, number[i] * kWidth, nearest);
      ref[i] = static_cast<std::uint32_t>(nearest);
      next(w, i);
    }
    const std::uint32_t after = leaves;
    leaves = 0;
    for (std::uint32_t k = 0; k < leaves_now; ++k) {
      const std::uint32_t i = at_leaf[k];
      RayTraversal& w = traversals[i];
      events[i] = test_leaf<kGoal, false, kChosen>(w, w.slabs.t_hi, w.ray, leaf[i], ref[i]);
      if (events[i] == RayEvent::done) pop(w, i);
    }
    for (std::uint32_t k = leaves_now; k < after; ++k) at_leaf[leaves++] = at_leaf[k];
  }
}

/// Appends the children in `bits` to the ends of the wave's lists, without branches on their number, which is unpredictable.
HWY_INLINE void append(RayWave& wave, const WideNode& node, std::uint32_t number, std::uint32_t ray, std::uint32_t bits, std::uint32_t& nodes,
                       std::uint32_t& leaves) {
  const std::uint32_t to_nodes = bits & ~node.leaves, to_leaves = bits & node.leaves;
  const hn::RebindToUnsigned<traversal::D> d;
  if constexpr (hn::MaxLanes(traversal::D()) == kWidth) {
    const auto rays = hn::Set(d, ray);
    hn::StoreU(hn::TableLookupLanes(hn::Load(d, node.child), hn::IndicesFromVec(d, compress::places(d, to_nodes))), d, wave.node + nodes);
    hn::StoreU(rays, d, wave.ray_at_node + nodes);
    hn::StoreU(compress::places(d, to_leaves) + hn::Set(d, number * kWidth), d, wave.leaf + leaves);
    hn::StoreU(rays, d, wave.ray_at_leaf + leaves);
    nodes += static_cast<std::uint32_t>(hwy::PopCount(to_nodes));
    leaves += static_cast<std::uint32_t>(hwy::PopCount(to_leaves));
  } else {
    for (std::uint32_t b = to_nodes; b != 0; b &= b - 1) {
      wave.ray_at_node[nodes] = ray;
      wave.node[nodes++] = node.child[traversal::lowest_bit(b)];
    }
    for (std::uint32_t b = to_leaves; b != 0; b &= b - 1) {
      wave.ray_at_leaf[leaves] = ray;
      wave.leaf[leaves++] = number * kWidth + traversal::lowest_bit(b);
    }
  }
}

// Processes level by level, and prefetches the next level as soon as it is known.
bool first_of_wave(RayTraversal* HWY_RESTRICT traversals, std::uint64_t which, RayWave& wave) {
  ++kernel_counts.ray[traversal::kLevel];
  const RayTraversal& any = traversals[hwy::Num0BitsBelowLS1Bit_Nonzero64(which)];
  const WideNode* const nodes = any.nodes;
  const TriangleBlock* HWY_RESTRICT const blocks = any.blocks;
  std::uint32_t at = 0, end = 0, leaf = 0, leaves = 0;
  for (; which != 0; which &= which - 1) {
    wave.node[end] = 0;
    wave.ray_at_node[end++] = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(which));
  }
  while (at < end) {
    const std::uint32_t level = end;
    for (; at < level; ++at) {
      if (end > RayWave::kRoom - kWidth || leaves > RayWave::kRoom - kWidth) return false;
      const std::uint32_t number = wave.node[at], ray = wave.ray_at_node[at];
      const WideNode& node = made(nodes[number]);
      append(wave, node, number, ray, test_slabs(node, traversals[ray].slabs, [](const hn::Vec<traversal::D>&, std::size_t) {}), end, leaves);
    }
    for (std::uint32_t k = at; k < end; ++k) traversal::prefetch_four(nodes + wave.node[k]);
    for (; leaf < leaves; ++leaf) {
      const Place place = resolve(nodes, wave.leaf[leaf]);
      wave.leaf[leaf] = place.child;
      wave.count[leaf] = place.count;
      traversal::prefetch_four(blocks + place.child);
    }
  }
  wave.undecided_count = 0;
  for (leaf = 0; leaf < leaves; ++leaf) {
    const std::uint32_t block = wave.leaf[leaf], ray = wave.ray_at_leaf[leaf];
    RayTraversal& w = traversals[ray];
    BlockHits hits;
    if (!test_block<false, false>(blocks[block], w.ray, wave.count[leaf], w.least, hits)) continue;
    if (hits.sure != 0 && keep_hits<Goal::first>(w, block, hits) == RayEvent::full) return false;
    if (hits.undecided == 0) continue;
    if (wave.undecided_count == RayWave::kUndecided) return false;
    wave.undecided[wave.undecided_count++] = {ray, block, hits.undecided};
  }
  return true;
}

/// Sets up as many rays as D has lanes; see RayStarts.
template <class D, std::size_t N>
HWY_INLINE void start_lanes(const RayStarts<N>& in, std::size_t k, RayTraversal* HWY_RESTRICT traversals, std::uint32_t n, std::uint32_t& unaccepted,
                            std::uint32_t& misses) {
  using VD = hn::Vec<D>;
  const D d;
  constexpr std::size_t kMost = hn::MaxLanes(D());
  const auto set = [&](double x) HWY_ATTR { return hn::Set(d, x); };
  const auto bits_of = [&](hn::Mask<D> m) HWY_ATTR {
    std::uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, m, bytes);
    return std::uint32_t{bytes[0]} & ((1u << hn::Lanes(d)) - 1);
  };
  const auto load = [&](const double(&row)[N]) HWY_ATTR { return hn::LoadU(d, row + k); };
  const VD origin[3] = {load(in.origin[0]), load(in.origin[1]), load(in.origin[2])},
           of_ray[3] = {load(in.direction[0]), load(in.direction[1]), load(in.direction[2])},
           center[3] = {set(in.center[0]), set(in.center[1]), set(in.center[2])};
  const auto begin = lanes::start_ray(origin, of_ray, load(in.t_min), load(in.t_max), center, set(in.scale));
  const auto &direction = begin.direction, &local = begin.local, &inverse = begin.inverse;
  const VD time = begin.time, error = begin.error, t_in = begin.t_in, t_out = begin.t_out;
  const std::uint32_t unaccepted_here = ~bits_of(begin.ordinary) & ((1u << hn::Lanes(d)) - 1),
                      missed = ~bits_of(t_in <= t_out) & ((1u << hn::Lanes(d)) - 1) & ~unaccepted_here;
  unaccepted |= unaccepted_here << k;
  misses |= missed << k;
  if (kMost == 1 && (unaccepted_here | missed) != 0) return;
  // Shifts for the slabs, computed in doubles and rounded once.
  const VD pad = error + set(0x1p-20), length = t_out - t_in;
  const hn::Rebind<float, D> df;
  float inverse_of[3][kMost], near_shift[3][kMost], far_shift[3][kMost], t_hi[kMost];
  std::uint32_t down[3];
  VD start[3];
  for (int i = 0; i < 3; ++i) {
    start[i] = hn::MulAdd(t_in, direction[i], local[i]);
    const auto single = hn::DemoteTo(df, hn::IfThenElse(hn::Abs(direction[i]) >= set(0x1p-40), inverse[i], set(0x1p40)));
    const VD wide = hn::PromoteTo(d, single), ahead = hn::CopySign(pad, wide);
    hn::StoreU(single, df, inverse_of[i]);
    hn::StoreU(hn::DemoteTo(df, hn::Neg((start[i] + ahead) * wide)), df, near_shift[i]);
    hn::StoreU(hn::DemoteTo(df, hn::Neg((start[i] - ahead) * wide)), df, far_shift[i]);
    down[i] = bits_of(wide < hn::Zero(d));
  }
  hn::StoreU(hn::DemoteTo(df, length + error + set(0x1p-21 + 0x1p-22)), df, t_hi);  // below 3: rounding takes 2^-23 at most
  // The axis of the largest component, and the two others.
  const VD size0 = hn::Abs(direction[0]), size1 = hn::Abs(direction[1]);
  const auto not_0 = size1 > size0, is_2 = hn::Abs(direction[2]) > hn::Max(size0, size1);
  const auto pick = [&](const VD& z0, const VD& z1, const VD& z2) HWY_ATTR { return hn::IfThenElse(is_2, z2, hn::IfThenElse(not_0, z1, z0)); };
  double of[11][kMost];
  const VD inverse_z = pick(inverse[0], inverse[1], inverse[2]), spread = hn::MulAdd(error, set(4), set(0x1p-46));
  hn::StoreU(pick(start[1], start[2], start[0]), d, of[0]);
  hn::StoreU(pick(start[2], start[0], start[1]), d, of[1]);
  hn::StoreU(pick(start[0], start[1], start[2]), d, of[2]);
  hn::StoreU(pick(direction[1], direction[2], direction[0]) * inverse_z, d, of[3]);
  hn::StoreU(pick(direction[2], direction[0], direction[1]) * inverse_z, d, of[4]);
  hn::StoreU(inverse_z, d, of[5]);
  hn::StoreU(hn::MulAdd(set(2), spread + set(kBlockError), set(0x1p-46)), d, of[6]);
  hn::StoreU(length, d, of[7]);
  hn::StoreU(time, d, of[8]);
  hn::StoreU(t_in, d, of[9]);
  hn::StoreU(spread, d, of[10]);
  const std::uint32_t two = bits_of(is_2), one = bits_of(not_0) & ~two;
  constexpr std::uint32_t plane = sizeof(WideNode::plane[0]), row = sizeof(TriangleBlock::corner[0]);
  static constexpr std::uint32_t next[5] = {0, row, 2 * row, 0, row};
  for (std::uint32_t j = 0; j < kMost && k + j < n; ++j) {
    RayTraversal& w = traversals[k + j];
    for (std::uint32_t i = 0; i < 3; ++i) {
      w.slabs.inverse[i] = inverse_of[i][j];
      w.slabs.near_shift[i] = near_shift[i][j];
      w.slabs.far_shift[i] = far_shift[i][j];
      const std::uint32_t other = (down[i] >> j & 1) * 3 * plane;
      w.slabs.near_plane[i] = i * plane + other;
      w.slabs.far_plane[i] = (i + 3) * plane - other;
    }
    w.slabs.t_hi = t_hi[j];
    const std::uint32_t z = (one >> j & 1) + 2 * (two >> j & 1);
    w.ray = {next[z + 1], next[z + 2], next[z], of[0][j], of[1][j], of[2][j], of[3][j], of[4][j], of[5][j], of[6][j], of[7][j]};
    w.time_unit = of[8][j];
    w.t_in = of[9][j];
    w.spread = of[10][j];
  }
}

std::uint32_t start_rays(const RayStarts<RayTraversal::kTogether>& starts, RayTraversal* traversals, std::uint32_t n, std::uint32_t& misses) {
  using D = hn::CappedTag<double, 8>;
  std::uint32_t unaccepted = misses = 0;
  for (std::size_t k = 0; k < n; k += hn::Lanes(D())) start_lanes<D>(starts, k, traversals, n, unaccepted, misses);
  return unaccepted;
}
std::uint32_t start_one(const RayStarts<1>& starts, RayTraversal* traversal, std::uint32_t n, std::uint32_t& misses) {
  std::uint32_t unaccepted = misses = 0;
  start_lanes<hn::CappedTag<double, 1>>(starts, 0, traversal, n, unaccepted, misses);
  return unaccepted;
}

}  // namespace

template <bool kChosen>
constexpr RayTraversals traversals_for() {
  return {&traverse<Goal::first, kChosen>, &traverse<Goal::any, kChosen>, &traverse<Goal::all, kChosen>,
          &in_turns<Goal::first, kChosen>, &in_turns<Goal::any, kChosen>, &in_turns<Goal::all, kChosen>};
}

const RayKernels* ray_table() {
  static constexpr RayKernels table{&start_rays, &start_one, traversals_for<false>(), traversals_for<true>(), &first_of_wave};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(ray_table);

const RayKernels& ray_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(ray_table)();
}

}  // namespace graze
#endif
