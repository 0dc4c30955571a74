// Distances of a point from 8 triangles at once, enclosed, per CPU level. Only + - * / sqrt min max and comparisons, each rounded by itself: all levels go the same way.
#include "mesh/nearest_kernels.hpp"

#include <cstring>

#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // the scalar level exists even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/nearest_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bvh/walk-inl.hpp"
#include "mesh/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;

HWY_INLINE P Corner(const TriangleBlock& b, const double* point, std::size_t corner, std::size_t k) { return CornerOf(b, corner, k) - Set(point); }

// Corners are taken relative to the point, M is their largest coordinate, u = 2^-53. From any point x of the triangle (whichever formula finds it, roundings of it below 16 u M):
// the distance is at most |x| (1 + 8 u) + 32 u M, and at least (least of corner . x) / |x| (1 - 8 u) - 40 u M: the triangle lies beyond that plane (as in distance_bounds.hpp).
HWY_INLINE void Enclose(const TriangleBlock& b, const NearestWalk& w, std::size_t k, V& lo, V& hi) {
  const DD d;
  const P p0 = Corner(b, w.point, 0, k), p1 = Corner(b, w.point, 1, k), p2 = Corner(b, w.point, 2, k);
  const P e01 = p1 - p0, e12 = p2 - p1, e20 = p0 - p2;
  // The nearest points of the edges
  const V d01 = Dot(p0, e01), d12 = Dot(p1, e12), d20 = Dot(p2, e20), q01 = Dot(e01, e01), q12 = Dot(e12, e12), q20 = Dot(e20, e20);
  const P x01 = Along(p0, Clamp01(hn::Div(hn::Neg(d01), q01)), e01), x12 = Along(p1, Clamp01(hn::Div(hn::Neg(d12), q12)), e12), x20 = Along(p2, Clamp01(hn::Div(hn::Neg(d20), q20)), e20);
  V best = Dot(x01, x01);
  P x = x01;
  const auto propose = [&](const P& y, auto allowed) {
    const V sq = Dot(y, y);
    const auto better = hn::And(allowed, hn::Lt(sq, best));
    x = Choose(better, y, x);
    best = hn::IfThenElse(better, sq, best);
  };
  const auto all = hn::Ge(q01, hn::Zero(d));
  propose(x12, all);
  propose(x20, all);
  // The foot in the plane, p0 + s e01 - t e20, if it is inside
  const V m = hn::Neg(Dot(e01, e20)), g0 = hn::Neg(d01), g1 = Dot(p0, e20), det = hn::Sub(hn::Mul(q01, q20), hn::Mul(m, m));
  const V s = hn::Div(hn::Sub(hn::Mul(g0, q20), hn::Mul(g1, m)), det), t = hn::Div(hn::Sub(hn::Mul(g1, q01), hn::Mul(g0, m)), det);
  const auto inside = hn::And(hn::And(hn::Gt(s, hn::Zero(d)), hn::Gt(t, hn::Zero(d))), hn::And(hn::Lt(hn::Add(s, t), hn::Set(d, 1.0)), hn::Gt(det, hn::Zero(d))));
  const V ss = hn::IfThenElseZero(inside, s), tt = hn::IfThenElseZero(inside, t);
  propose(Along(Along(p0, ss, e01), hn::Neg(tt), e20), inside);

  constexpr double u = 0x1p-53;
  const V size = hn::Max(hn::Max(Size(p0), Size(p1)), Size(p2)), length = hn::Sqrt(best);
  const V low = hn::Min(hn::Min(Dot(p0, x), Dot(p1, x)), Dot(p2, x));
  hi = hn::Add(hn::Add(hn::Mul(length, hn::Set(d, 1 + 8 * u + w.relative)), hn::Mul(size, hn::Set(d, 32 * u))), hn::Set(d, w.absolute));
  const V level = hn::IfThenElseZero(hn::Gt(length, hn::Set(d, 0x1p-60)), hn::Div(low, length));
  lo = hn::Sub(hn::Sub(hn::Mul(level, hn::Set(d, 1 - 8 * u - w.relative)), hn::Mul(size, hn::Set(d, 40 * u))), hn::Set(d, w.absolute));
}

// ---- the same in floats, for the triangles of two leaves side by side ----

using D4 = hn::CappedTag<float, kBlock>;
using walk::D;
using F = hn::Vec<D>;
using PF = points::Point<F>;

/// Lanes from `k` of the same row of two blocks.
template <class DF8>
HWY_INLINE hn::Vec<DF8> TwoRows(DF8 d, const TriangleBlock& a, const TriangleBlock& b, std::size_t row, std::size_t k) {
#if HWY_TARGET != HWY_SCALAR  // which cannot combine
  if constexpr (hn::MaxLanes(DF8()) == 2 * kBlock) return hn::Combine(d, hn::Load(D4(), b.corner[row]), hn::Load(D4(), a.corner[row]));
  else
#endif
    return hn::Load(d, k < kBlock ? a.corner[row] + k : b.corner[row] + (k - kBlock));
}

HWY_INLINE F ClampF(F t) {  // as Clamp01
  const D d;
  const F one = hn::Set(d, 1.0f);
  return hn::IfThenElseZero(hn::Gt(t, hn::Zero(d)), hn::IfThenElse(hn::Lt(t, one), t, one));
}

/// A walk's numbers in floats. Above: rounded up; for 2^-60 < x < 2^60.
struct InFloats {
  float point[3], absolute, wider, narrower;
  static float Above(double x) { return static_cast<float>(x * (1 + 0x1p-22)); }
  explicit InFloats(const NearestWalk& w) {
    double far = 1;
    for (int i = 0; i < 3; ++i) {
      point[i] = static_cast<float>(w.point[i]);
      const double x = w.point[i] < 0 ? -w.point[i] : w.point[i];
      far = x > far ? x : far;
    }
    absolute = Above(w.absolute + 1.75 * 0x1p-24 * far);  // the point's rounding
    wider = Above(1 + w.relative + 0x1p-20);
    narrower = static_cast<float>(1 - w.relative - 0x1p-20);
  }
};

// As Enclose, with u = 2^-24: bounds d (1 + 16 u) + 40 u M + absolute and d (1 - 16 u) - 64 u M - absolute, twice what is proved there for the roundings of the bounds themselves.
// Products that underflow spoil only what is of no account: of x any point of the triangle serves, and corner . x is asked for where |x| > 2^-40 only.
HWY_INLINE void EncloseTwo(const TriangleBlock& a, const TriangleBlock& b, const InFloats& w, std::size_t k, F& lo, F& hi) {
  const D d;
  const F px = hn::Set(d, w.point[0]), py = hn::Set(d, w.point[1]), pz = hn::Set(d, w.point[2]);
  const auto corner = [&](std::size_t c) HWY_ATTR { return PF{hn::Sub(TwoRows(d, a, b, 3 * c, k), px), hn::Sub(TwoRows(d, a, b, 3 * c + 1, k), py), hn::Sub(TwoRows(d, a, b, 3 * c + 2, k), pz)}; };
  const PF p0 = corner(0), p1 = corner(1), p2 = corner(2), e01 = p1 - p0, e12 = p2 - p1, e20 = p0 - p2;
  const F d01 = Dot(p0, e01), d12 = Dot(p1, e12), d20 = Dot(p2, e20), q01 = Dot(e01, e01), q12 = Dot(e12, e12), q20 = Dot(e20, e20);
  const PF x01 = Along(p0, ClampF(hn::Div(hn::Neg(d01), q01)), e01), x12 = Along(p1, ClampF(hn::Div(hn::Neg(d12), q12)), e12), x20 = Along(p2, ClampF(hn::Div(hn::Neg(d20), q20)), e20);
  // The foot in the plane, p0 + s e01 - t e20, if it is inside
  const F m = hn::Neg(Dot(e01, e20)), g0 = hn::Neg(d01), g1 = Dot(p0, e20), det = hn::Sub(hn::Mul(q01, q20), hn::Mul(m, m));
  const F inverse = hn::Div(hn::Set(d, 1.0f), det);
  const F s = hn::Mul(hn::Sub(hn::Mul(g0, q20), hn::Mul(g1, m)), inverse), t = hn::Mul(hn::Sub(hn::Mul(g1, q01), hn::Mul(g0, m)), inverse);
  const auto inside = hn::And(hn::And(hn::Gt(s, hn::Zero(d)), hn::Gt(t, hn::Zero(d))), hn::Lt(hn::Add(s, t), hn::Set(d, 1.0f)));
  const F ss = hn::IfThenElseZero(inside, s), tt = hn::IfThenElseZero(inside, t);
  const PF foot = Back(Along(p0, ss, e01), tt, e20);
  const F sq01 = Dot(x01, x01), sq12 = Dot(x12, x12), sq20 = Dot(x20, x20);
  const auto second = hn::Lt(sq12, sq01);
  PF x = Choose(second, x12, x01);
  F best = hn::IfThenElse(second, sq12, sq01);
  const auto third = hn::Lt(sq20, best);
  x = Choose(inside, foot, Choose(third, x20, x));
  best = Dot(x, x);

  constexpr float u = 0x1p-24f;
  const F size = hn::Max(hn::Max(Size(p0), Size(p1)), Size(p2)), length = hn::Sqrt(best), absolute = hn::Set(d, w.absolute);
  const F low = hn::Min(hn::Min(Dot(p0, x), Dot(p1, x)), Dot(p2, x));
  hi = hn::Add(hn::Add(hn::Mul(length, hn::Set(d, w.wider)), hn::Mul(size, hn::Set(d, 40 * u))), absolute);
  const F level = hn::IfThenElseZero(hn::Gt(length, hn::Set(d, 0x1p-40f)), hn::Div(low, length));
  lo = hn::Sub(hn::Sub(hn::Mul(level, hn::Set(d, w.narrower)), hn::Mul(size, hn::Set(d, 64 * u))), absolute);
}

// ---- the walk ----

/// As Distances in box_kernels.cpp.
HWY_INLINE std::uint32_t Distances(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) {
  const D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const auto v = walk::LowerBound(walk::BoxGapSquared(node, q, k));
    hn::Store(v, d, lower + k);
    bits |= walk::Bits(hn::Le(v, hn::Set(d, limit)), k);
  }
  return bits & walk::Used(node);
}

/// Above the square of any distance up to x; as local_limit in bvh/local_query.cpp.
HWY_INLINE float Limit(double x) {
  const double sq = x * x * (1 + 0x1p-20);
  return sq < 0x1p120 ? static_cast<float>(sq < 0x1p-110 ? 0x1p-110 : sq) : 0x1p126f;
}

HWY_INLINE std::uint64_t KeyBits(float key) {
  std::uint32_t bits;
  std::memcpy(&bits, &key, sizeof bits);
  return static_cast<std::uint64_t>(bits) << 32;  // of a number that is not negative: ordered as the number
}
HWY_INLINE float Key(std::uint64_t e) {
  const auto bits = static_cast<std::uint32_t>(e >> 32);
  float key;
  std::memcpy(&key, &bits, sizeof key);
  return key;
}
HWY_INLINE std::uint32_t Number(std::uint64_t e) { return static_cast<std::uint32_t>(e) & ~static_cast<std::uint32_t>(NearestWalk::kLeaf); }

HWY_INLINE void Exchange(std::uint64_t& a, std::uint64_t& b) {
  const std::uint64_t x = a, y = b;
  a = x < y ? x : y;
  b = x < y ? y : x;
}

/// Orders up to 8 entries without branches on their values, which are as good as random; writes behind them.
HWY_INLINE void Sort(std::uint64_t* HWY_RESTRICT e, std::uint32_t n) {
  if (n < 2) return;
  if (n == 2) {
    Exchange(e[0], e[1]);
    return;
  }
  constexpr std::uint64_t last = ~std::uint64_t{0};
  if (n <= 4) {
    if (n == 3) e[3] = last;
    Exchange(e[0], e[1]), Exchange(e[2], e[3]), Exchange(e[0], e[2]), Exchange(e[1], e[3]), Exchange(e[1], e[2]);
    return;
  }
  for (std::uint32_t i = n; i < 8; ++i) e[i] = last;
  for (std::uint32_t i = 0; i < 8; i += 4) Exchange(e[i], e[i + 1]), Exchange(e[i + 2], e[i + 3]), Exchange(e[i], e[i + 2]), Exchange(e[i + 1], e[i + 3]), Exchange(e[i + 1], e[i + 2]);
  for (std::uint32_t i = 0; i < 4; ++i) Exchange(e[i], e[i + 4]);
  Exchange(e[2], e[4]), Exchange(e[3], e[5]), Exchange(e[1], e[2]), Exchange(e[3], e[4]), Exchange(e[5], e[6]);
}

HWY_INLINE void Ask(const void* p) {
  for (int line = 0; line < 4; ++line) walk::Ask(static_cast<const unsigned char*>(p) + 64 * line);
}

HWY_INLINE double Most(double a, double b) { return a > b ? a : b; }

struct BlockBounds {
  alignas(64) double lo[kBlock], hi[kBlock];
};

/// Encloses a block in doubles and lowers `least`.
HWY_INLINE void Bounds(NearestWalk& w, const TriangleBlock& b, BlockBounds& x) {
  const DD dd;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
    V l, h;
    Enclose(b, w, k, l, h);
    hn::Store(l, dd, x.lo + k);
    hn::Store(h, dd, x.hi + k);
  }
  for (std::size_t s = 0; s < kBlock; ++s) {
    const double h = Most(x.hi[s], w.floor);
    w.least = h < w.least ? h : w.least;
  }
}

/// Keeps the triangles of a block that may be nearest.
void Refine(NearestWalk& w, std::uint32_t number) {
  const TriangleBlock& b = w.blocks[number];
  BlockBounds x;
  Bounds(w, b, x);
  const double out = nearest_limit(w.least);
  for (std::uint32_t s = 0; s < kBlock; ++s) {
    if (x.lo[s] > out || (s > 0 && b.id[s] == b.id[s - 1])) continue;  // the last triangle fills the lanes that are left
    w.candidate[w.found++] = {x.lo[s], number * static_cast<std::uint32_t>(kBlock) + s};
    for (std::size_t i = 0; i < 3; ++i) walk::Ask(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][s]));
  }
}

/// From blocks to triangles.
HWY_INLINE void Finish(NearestWalk& w) {
  for (std::uint32_t i = 0; i < w.blocks_kept; ++i) {
    if (w.block[i].lo <= nearest_limit(w.least)) Refine(w, w.block[i].block);
  }
  w.blocks_kept = 0;
}

/// Room for two more blocks?
HWY_INLINE bool Room(NearestWalk& w) {
  if (w.blocks_kept + 2 <= NearestWalk::kBlocks) return true;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < w.blocks_kept; ++i) {
    if (w.block[i].lo <= nearest_limit(w.least)) w.block[kept++] = w.block[i];
  }
  w.blocks_kept = kept;
  return kept + 2 <= NearestWalk::kBlocks;
}

HWY_INLINE float Least(const float* v) { return HWY_MIN(HWY_MIN(v[0], v[1]), HWY_MIN(v[2], v[3])); }

/// Two leaves, or one twice.
HWY_INLINE void Look(NearestWalk& w, const InFloats& f, std::uint32_t a, std::uint32_t b, float& limit) {
  if (!w.floats) {
    for (const std::uint32_t number : {a, b}) {
      BlockBounds x;
      Bounds(w, w.blocks[number], x);
      const double lo = HWY_MIN(HWY_MIN(x.lo[0], x.lo[1]), HWY_MIN(x.lo[2], x.lo[3]));
      if (lo <= nearest_limit(w.least)) w.block[w.blocks_kept++] = {lo < 0x1p-60 ? 0 : static_cast<float>((lo < 0x1p100 ? lo : 0x1p100) * (1 - 0x1p-22)), number};
      if (a == b) break;
    }
    limit = Limit(nearest_limit(w.least));
    return;
  }
  const D d;
  alignas(64) float lo[2 * kBlock], hi[2 * kBlock];
  std::uint32_t lower = 0, in = 0;
  const double last = w.least < 0x1p60 ? w.least : 0x1p60;
  for (std::size_t k = 0; k < 2 * kBlock; k += hn::Lanes(d)) {
    F l, h;
    EncloseTwo(w.blocks[a], w.blocks[b], f, k, l, h);
    hn::Store(l, d, lo + k);
    hn::Store(h, d, hi + k);
    lower |= walk::Bits(hn::Lt(h, hn::Set(d, static_cast<float>(last))), k);
    in |= walk::Bits(hn::Le(l, hn::Set(d, InFloats::Above(nearest_limit(last)))), k);
  }
  if (lower != 0) {
    const double h = Most(HWY_MIN(Least(hi), Least(hi + kBlock)), w.floor);
    if (h < w.least) {
      w.least = h;
      limit = Limit(nearest_limit(h));
    }
  }
  if (in == 0) return;
  const float out = InFloats::Above(nearest_limit(w.least));
  if (const float l = Least(lo); l <= out) w.block[w.blocks_kept++] = {l, a};
  if (const float l = Least(lo + kBlock); a != b && l <= out) w.block[w.blocks_kept++] = {l, b};
}

void Begin(NearestWalk& w, std::uint32_t block) {
  BlockBounds x;
  Bounds(w, w.blocks[block], x);
}

bool Walk(NearestWalk& w) {
  ++kernel_counts.distance[walk::kLevel];
  const QueryBox q = w.box;
  const InFloats f(w);
  alignas(64) float lower[kWidth];
  std::uint64_t leaf[kWidth];
  float limit = Limit(nearest_limit(w.least));
  while (w.top > 0) {
    std::uint32_t leaves = 0;
    const std::uint64_t e = w.stack[--w.top];
    if (Key(e) > limit) continue;
    if ((e & NearestWalk::kLeaf) != 0) {
      leaf[leaves++] = e;
    } else {
      const WideNode& node = w.nodes[Number(e)];
      const std::uint32_t bits = Distances(node, q, limit, lower);
      for (std::uint32_t on = bits & node.leaves; on != 0; on &= on - 1) {
        const std::uint32_t s = walk::First(on), number = node.leaf_number(s);
        leaf[leaves++] = KeyBits(lower[s]) | NearestWalk::kLeaf | number;
        Ask(w.blocks + number);
      }
      std::uint64_t inner[kWidth];
      std::uint32_t n = 0;
      for (std::uint32_t on = bits & ~node.leaves; on != 0; on &= on - 1) {
        const std::uint32_t s = walk::First(on), child = node.child[s];
        inner[n++] = KeyBits(lower[s]) | child;
        Ask(w.nodes + child);
      }
      Sort(inner, n);
      for (std::uint32_t i = n; i-- > 0;) w.stack[w.top++] = inner[i];
      Sort(leaf, leaves);
    }
    for (std::uint32_t i = 0; i < leaves && Key(leaf[i]) <= limit; i += 2) {
      if (!Room(w)) {
        for (std::uint32_t k = leaves; k-- > i;) w.stack[w.top++] = leaf[k];
        Finish(w);
        return false;
      }
      Look(w, f, Number(leaf[i]), Number(leaf[i + 1 < leaves ? i + 1 : i]), limit);
    }
  }
  Finish(w);
  return true;
}

}  // namespace

const NearestKernels* NearestTable() {
  static constexpr NearestKernels table{&Begin, &Walk};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/cpu.hpp"

namespace graze {

HWY_EXPORT(NearestTable);

const NearestKernels& nearest_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(NearestTable)();
}

}  // namespace graze
#endif
