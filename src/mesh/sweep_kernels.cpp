// The walk of a moving ball and its tests of 4 triangles at once, per CPU level. Only + - * / sqrt min max and comparisons, each rounded by itself: all levels go the same way.
#include "mesh/sweep_kernels.hpp"

#include <limits>

#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // the scalar level exists even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/sweep_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bvh/walk-inl.hpp"
#include "mesh/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;

constexpr double u = 0x1p-53;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---- triangles ---------------------------------------------------------------------------------------------------------------------------

/// 4 triangles relative to the ball's centre at the start, and what their nearest points need at all times.
struct Triangles {
  P a0, a1, a2, e01, e12, e20;
  V q01, q20, m, by01, by12, by20, by_det;  // squares of edges; inverses of squares and of the determinant, which are infinite where those are 0
  M flat;
};
HWY_INLINE Triangles Look(const TriangleBlock& b, const double* center, std::size_t k) {
  Triangles t;
  const P c = Set(center);
  t.a0 = CornerOf(b, 0, k) - c;
  t.a1 = CornerOf(b, 1, k) - c;
  t.a2 = CornerOf(b, 2, k) - c;
  t.e01 = t.a1 - t.a0;
  t.e12 = t.a2 - t.a1;
  t.e20 = t.a0 - t.a2;
  const DD dd;
  const V one = hn::Set(dd, 1.0);
  t.q01 = Dot(t.e01, t.e01);
  t.q20 = Dot(t.e20, t.e20);
  t.m = hn::Neg(Dot(t.e01, t.e20));
  const V det = hn::Sub(hn::Mul(t.q01, t.q20), hn::Mul(t.m, t.m));
  t.by01 = hn::Div(one, t.q01);
  t.by12 = hn::Div(one, Dot(t.e12, t.e12));
  t.by20 = hn::Div(one, t.q20);
  t.by_det = hn::Div(one, det);
  t.flat = hn::Not(hn::Gt(det, hn::Zero(dd)));
  return t;
}

/// About the nearest point of each triangle from the centre at time t, as seen from there: a point of the triangle but for 16 u of the coordinates.
HWY_INLINE P NearestAt(const Triangles& w, const P& d, V t, V& square) {
  const DD dd;
  const V back = hn::Neg(t);
  const P p0 = Along(w.a0, back, d), p1 = Along(w.a1, back, d), p2 = Along(w.a2, back, d);
  const V d01 = Dot(p0, w.e01), d12 = Dot(p1, w.e12), d20 = Dot(p2, w.e20);
  P x = Along(p0, Clamp01(hn::Mul(hn::Neg(d01), w.by01)), w.e01);
  V best = Dot(x, x);
  const auto propose = [&](const P& y, M allowed) {
    const V sq = Dot(y, y);
    const M better = hn::And(allowed, hn::Lt(sq, best));
    x = Choose(better, y, x);
    best = hn::IfThenElse(better, sq, best);
  };
  const M all = hn::Ge(w.q01, hn::Zero(dd));
  propose(Along(p1, Clamp01(hn::Mul(hn::Neg(d12), w.by12)), w.e12), all);
  propose(Along(p2, Clamp01(hn::Mul(hn::Neg(d20), w.by20)), w.e20), all);
  const V g0 = hn::Neg(d01), g1 = Dot(p0, w.e20);
  const V s = hn::Mul(hn::Sub(hn::Mul(g0, w.q20), hn::Mul(g1, w.m)), w.by_det), r = hn::Mul(hn::Sub(hn::Mul(g1, w.q01), hn::Mul(g0, w.m)), w.by_det);
  const M inside = hn::AndNot(w.flat, hn::And(hn::And(hn::Gt(s, hn::Zero(dd)), hn::Gt(r, hn::Zero(dd))), hn::Lt(hn::Add(s, r), hn::Set(dd, 1.0))));
  propose(Along(Along(p0, hn::IfThenElseZero(inside, s), w.e01), hn::Neg(hn::IfThenElseZero(inside, r)), w.e20), inside);
  square = best;
  return x;
}

struct BlockTimes {
  std::uint32_t possible, deep;
  alignas(32) double lo[kBlock], hi[kBlock];
};

/// What the plane across y says: contact not before `bound` (infinite: never); `parted`: none from time t on.
HWY_INLINE void Separate(const Triangles& w, const P& d, const P& y, V length, V t, const BallWalk& r, V& bound, M& parted) {
  const DD dd;
  const V one = Taxicab(y), zero = hn::Zero(dd);
  const V gap = hn::Sub(hn::Sub(Min3(Dot(w.a0, y), Dot(w.a1, y), Dot(w.a2, y)), hn::Mul(one, hn::Set(dd, 16 * u * r.size))), hn::Mul(length, hn::Set(dd, r.radius_hi * (1 + 16 * u))));
  const V rate = Dot(d, y), rate_hi = hn::Add(rate, hn::Mul(one, hn::Set(dd, 8 * u * r.size)));
  const M apart = hn::Gt(gap, zero), closing = hn::Gt(rate_hi, zero);
  // the quotient only where both are positive
  const V time = hn::Mul(hn::Div(gap, hn::IfThenElse(closing, rate_hi, hn::Set(dd, 1.0))), hn::Set(dd, 1 - 8 * u));
  bound = hn::IfThenElseZero(apart, hn::IfThenElse(closing, time, hn::Set(dd, kInfinity)));
  const V then = hn::Sub(hn::Sub(gap, hn::Mul(t, rate)), hn::Mul(one, hn::Set(dd, 16 * u * r.size)));
  parted = hn::AndNot(closing, hn::Gt(then, zero));
}

/// Enclosures of the times of first contact that may be at most `last`; there is none before `begin`. Directions, whatever they are, prove lower bounds; any point of the triangle within radius_lo proves an upper one.
HWY_INLINE bool Test(const TriangleBlock& b, const BallWalk& r, std::uint32_t count, double begin, double last, BlockTimes& out) {
  const DD dd;
  out.possible = out.deep = 0;
  const P d = Set(r.motion);
  const V zero = hn::Zero(dd), end = hn::Set(dd, last), one = hn::Set(dd, 1.0);
  const V speed = Dot(d, d);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
    const Triangles w = Look(b, r.center, k);
    // First from about the nearest approach of the way up to the end: most triangles are left out by that alone.
    const P middle = {hn::Add(hn::Add(w.a0.x, w.a1.x), w.a2.x), hn::Add(hn::Add(w.a0.y, w.a1.y), w.a2.y), hn::Add(hn::Add(w.a0.z, w.a1.z), w.a2.z)};
    const V by = hn::Div(Dot(middle, d), hn::Mul(speed, hn::Set(dd, 3.0)));
    const V nearest = hn::IfThenElse(hn::Gt(by, zero), hn::IfThenElse(hn::Lt(by, end), by, end), zero);  // NaN gives 0
    V square, bound;
    M parted;
    P y = NearestAt(w, d, nearest, square);
    Separate(w, d, y, hn::Sqrt(square), zero, r, bound, parted);
    M alive = hn::AndNot(hn::Gt(bound, end), hn::Ge(one, zero));
    if (hn::AllFalse(dd, alive)) continue;
    V t = hn::Max(bound, hn::Set(dd, begin));
    M deep = hn::Lt(one, zero);
    V length = hn::Sqrt(square), rate = zero;
    const V near = hn::Set(dd, r.radius_hi * (1 + 0x1p-24)), in = hn::Set(dd, r.radius_lo), off = hn::Set(dd, 64 * u * r.size), wide = hn::Set(dd, 1 + 8 * u);
    for (int step = 0; step < 8; ++step) {
      y = NearestAt(w, d, t, square);
      length = hn::Sqrt(square);
      deep = hn::Or(deep, hn::And(hn::And(alive, hn::Eq(t, zero)), hn::Le(hn::Add(hn::Mul(length, wide), off), in)));
      Separate(w, d, y, length, t, r, bound, parted);
      alive = hn::AndNot(hn::Or(hn::Gt(bound, end), parted), alive);
      rate = Dot(d, y);
      const M on = hn::And(hn::AndNot(deep, alive), hn::And(hn::Gt(length, near), hn::Gt(bound, t)));
      t = hn::Max(t, bound);
      if (hn::AllFalse(dd, on)) break;
    }
    if (hn::AllFalse(dd, alive)) continue;
    // A little later by the last distance and its rate: within the radius?
    const V over = hn::Add(hn::Sub(length, in), hn::Set(dd, (r.radius_hi - r.radius_lo) * 4 + 0x1p-40 * r.size));
    const V later = hn::Add(t, hn::Div(hn::Mul(hn::Mul(over, length), hn::Set(dd, 1 + 0x1p-10)), rate));
    const M meant = hn::And(hn::Gt(rate, zero), hn::And(hn::Gt(later, zero), hn::Lt(later, hn::Set(dd, kInfinity))));
    const V at = hn::Min(hn::IfThenElse(meant, later, t), end);
    NearestAt(w, d, at, square);
    const M touched = hn::Le(hn::Add(hn::Mul(hn::Sqrt(square), wide), off), in);
    const V hi = hn::IfThenElse(deep, zero, hn::IfThenElse(touched, at, hn::Set(dd, kInfinity)));
    hn::StoreU(t, dd, out.lo + k);
    hn::StoreU(hi, dd, out.hi + k);
    out.possible |= LaneBits(alive, k);
    out.deep |= LaneBits(hn::And(alive, deep), k);
  }
  const std::uint32_t used = (1u << count) - 1;
  out.possible &= used;
  out.deep &= used;
  return out.possible != 0;
}

// ---- nodes -------------------------------------------------------------------------------------------------------------------------------

/// Children whose boxes the ball may touch up to q.t_hi, and lower bounds of the parameter: by its box first; then by planes across directions from the box to the centre, taken where the centre comes nearest, and where the
/// boxes meet. Signs of differences are exact, so the box lies behind such a plane, which keeps both apart while the level is more than the radius.
HWY_INLINE std::uint32_t Children(const WideNode& node, const QueryRay& q, const BallWalk& r, float* HWY_RESTRICT entry) {
  std::uint32_t bits = walk::Slabs(node, q, entry);
  if (!(r.tube_radius < 0x1p20f) || bits == 0) return bits;
  const walk::D d;
  const float speed = r.tube_way[0] * r.tube_way[0] + r.tube_way[1] * r.tube_way[1] + r.tube_way[2] * r.tube_way[2];
  const auto zero = hn::Zero(d), end = hn::Set(d, q.t_hi), half_inverse = hn::Set(d, 0.5f / speed), pad = hn::Set(d, r.tube_pad), radius = hn::Set(d, r.tube_radius * (1 + 0x1p-20f));
  std::uint32_t apart = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto along = zero;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto twice = hn::Sub(hn::Add(hn::Load(d, node.plane[i] + k), hn::Load(d, node.plane[3 + i] + k)), hn::Set(d, 2 * r.tube_at[i]));
      along = hn::Add(along, hn::Mul(twice, hn::Set(d, r.tube_way[i])));
    }
    auto first = hn::LoadU(d, entry + k);
    auto s = hn::Min(hn::Max(hn::Mul(along, half_inverse), zero), end);
    for (int turn = 0; turn < 2; ++turn) {
      auto begin = zero, rate = zero, square = zero, one = zero;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto lo = hn::Load(d, node.plane[i] + k), hi = hn::Load(d, node.plane[3 + i] + k), way = hn::Set(d, r.tube_way[i]), from = hn::Set(d, r.tube_at[i]);
        const auto at = hn::Add(from, hn::Mul(s, way));
        const auto corner = hn::Min(hn::Max(at, lo), hi), x = hn::Sub(at, corner);
        begin = hn::Add(begin, hn::Mul(x, hn::Sub(from, corner)));
        rate = hn::Add(rate, hn::Mul(x, way));
        square = hn::Add(square, hn::Mul(x, x));
        one = hn::Add(one, hn::Abs(x));
      }
      const auto gap = hn::Sub(hn::Sub(begin, hn::Mul(one, pad)), hn::Mul(hn::Sqrt(square), radius));
      const auto known = hn::And(hn::Gt(gap, zero), hn::Gt(square, hn::Set(d, 0x1p-40f))), closing = hn::Lt(rate, zero);
      const auto bound = hn::IfThenElse(closing, hn::Mul(hn::Div(gap, hn::IfThenElse(closing, hn::Neg(rate), hn::Set(d, 1.0f))), hn::Set(d, 1 - 0x1p-20f)), hn::Set(d, 0x1p60f));
      first = hn::Max(first, hn::IfThenElseZero(known, bound));
      s = hn::Min(first, end);
    }
    apart |= walk::Bits(hn::Gt(first, end), k);
    hn::StoreU(first, d, entry + k);
  }
  return bits & ~apart;
}

/// Children of a node, the nearest on top.
HWY_INLINE void Push(BallWalk& w, const WideNode& node, std::uint32_t bits, const float* HWY_RESTRICT keys) {
  std::int32_t top = w.top;
  const std::int32_t base = top;
  while (bits != 0) {
    const std::uint32_t s = walk::First(bits);
    bits &= bits - 1;
    const std::uint32_t count = node.count[s];
    WalkEntry e{keys[s], node.child[s], count};
    if (count != 0) e.child = node.leaf_number(s);
    const auto* p = count != 0 ? reinterpret_cast<const unsigned char*>(w.blocks + e.child) : reinterpret_cast<const unsigned char*>(w.nodes + e.child);
    for (int line = 0; line < 4; ++line) walk::Ask(p + 64 * line);
    std::int32_t i = top++;
    for (; i > base && w.stack[i - 1].key <= e.key; --i) w.stack[i] = w.stack[i - 1];
    w.stack[i] = e;
  }
  w.top = top;
}

HWY_INLINE void Shrink(const BallWalk& w, QueryRay& q) {
  const double reached = HWY_MIN(w.least * w.time_scale, w.time_out) - w.time_in + w.time_pad;
  if (reached < 0x1p20) q.t_hi = HWY_MIN(q.t_hi, static_cast<float>(reached + 0x1p-22 * (1 + (reached < 0 ? -reached : reached))));
}

HWY_INLINE bool Keep(BallWalk& w, std::uint32_t block, const BlockTimes& times) {
  const TriangleBlock& b = w.blocks[block];
  for (std::uint32_t bits = times.deep; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = walk::First(bits);
    if (b.id[s] >= w.deep) continue;
    w.deep = b.id[s];
    w.deep_place = block * static_cast<std::uint32_t>(kBlock) + s;
    w.least = 0;
  }
  for (std::uint32_t bits = times.possible & ~times.deep; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = walk::First(bits);
    if (times.lo[s] > w.least || b.id[s] > w.deep) continue;
    if (w.found == BallWalk::kCandidates) {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < w.found; ++i)
        if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
      w.found = kept;
      if (kept == BallWalk::kCandidates) return false;
    }
    w.candidate[w.found++] = {times.lo[s], times.hi[s], block * static_cast<std::uint32_t>(kBlock) + s};
    for (std::size_t i = 0; i < 3; ++i) walk::Ask(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][s]));
    if (times.hi[s] < w.least) w.least = times.hi[s];
  }
  return true;
}

SweepEvent Ball(BallWalk& w) {
  ++kernel_counts.ray[walk::kLevel];
  QueryRay q = w.box_ray;
  alignas(64) float entry[kWidth];
  BlockTimes times;
  const double inverse_scale = 1 / w.time_scale;  // of a power of two
  Shrink(w, q);
  while (w.top > 0) {
    const WalkEntry e = w.stack[--w.top];
    if (e.key > q.t_hi) continue;
    if (e.count == 0) {
      const WideNode& node = w.nodes[e.child];
      Push(w, node, Children(node, q, w, entry), entry);
      continue;
    }
    const TriangleBlock& b = w.blocks[e.child];
    if (w.deep != ~0u) {  // only lower ones matter
      bool lower = false;
      for (std::uint32_t s = 0; s < e.count; ++s) lower = lower || b.id[s] < w.deep;
      if (!lower) continue;
    }
    const double begin = (static_cast<double>(e.key) + w.time_in - w.time_pad) * inverse_scale * (1 - 0x1p-50);  // nothing is touched before the leaf's box is
    if (!Test(b, w, e.count, e.key > 0 && begin > 0 ? begin : 0, w.least, times)) continue;
    if (!Keep(w, e.child, times)) {
      w.stack[w.top++] = e;
      return SweepEvent::full;
    }
    Shrink(w, q);
  }
  return SweepEvent::done;
}

}  // namespace

const SweepKernels* SweepTable() {
  static constexpr SweepKernels table{&Ball};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/cpu.hpp"

namespace graze {

HWY_EXPORT(SweepTable);

const SweepKernels& sweep_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(SweepTable)();
}

}  // namespace graze
#endif
