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

/// A point and what its distances from corners of blocks may be off.
template <class T>
struct From {
  T point[3], wider, narrower, pad;
};

// Corners are taken relative to the point; M bounds their coordinates, u is half the relative rounding of a number. Some point x = p0 + s e01 - t e20 of the triangle is found, near the nearest if all goes well;
// it and the corners are off by less than 16 u M, whatever s and t in the triangle are. The distance is at most |x| (1 + 8 u) + 32 u M, and at least (least of corner . x) / |x| (1 - 8 u) - 40 u M: the triangle
// lies beyond that plane (as in distance_bounds.hpp). `pad`, `wider` and `narrower` have room for twice that. Divisors are kept above `tiny`, so that nothing is NaN; products that underflow spoil s and t only, or
// the plane, which is not asked where |x| is below `least`.
template <class D, class T = hn::TFromD<D>, class W = hn::Vec<D>>
HWY_INLINE void Enclose(D d, const points::Point<W>& p0, const points::Point<W>& p1, const points::Point<W>& p2, const From<T>& w, T tiny, T least, W& lo, W& hi) {
  const W zero = hn::Zero(d), one = hn::Set(d, T{1}), small = hn::Set(d, tiny);
  const auto e01 = p1 - p0, e20 = p0 - p2;
  const W d01 = Dot(p0, e01), g1 = Dot(p0, e20), q01 = Dot(e01, e01), q20 = Dot(e20, e20), m = hn::Neg(Dot(e01, e20));
  // The quadratic |x|^2 - |p0|^2 along the edges, from their first corners
  const auto clamp = [&](W t) HWY_ATTR { return hn::Min(hn::Max(t, zero), one); };
  const auto value = [&](W t, W slope, W q) HWY_ATTR { return hn::Mul(t, hn::Add(hn::Add(slope, slope), hn::Mul(t, q))); };
  const W d20 = hn::Sub(g1, q20), d12 = hn::Neg(hn::Add(hn::Add(d01, g1), hn::Sub(q01, m))), q12 = hn::Sub(hn::Add(q01, q20), hn::Add(m, m));
  const W t01 = clamp(hn::Div(hn::Neg(d01), hn::Max(q01, small))), t12 = clamp(hn::Div(hn::Neg(d12), hn::Max(q12, small))), t20 = clamp(hn::Div(hn::Neg(d20), hn::Max(q20, small)));
  const W v01 = value(t01, d01, q01), v12 = hn::Add(value(t12, d12, q12), hn::Add(hn::Add(d01, d01), q01)), v20 = hn::Add(value(t20, d20, q20), hn::Sub(q20, hn::Add(g1, g1)));
  const auto second = hn::Lt(v12, v01);
  const auto third = hn::Lt(v20, hn::Min(v01, v12));
  W s = hn::IfThenElse(second, hn::Sub(one, t12), t01), t = hn::IfThenElseZero(second, t12);
  s = hn::IfThenElse(third, zero, s);
  t = hn::IfThenElse(third, hn::Sub(one, t20), t);
  // The foot in the plane, if it is inside
  const W inverse = hn::Div(one, hn::Max(hn::Sub(hn::Mul(q01, q20), hn::Mul(m, m)), small));
  const W fs = hn::Mul(hn::Neg(hn::Add(hn::Mul(d01, q20), hn::Mul(g1, m))), inverse), ft = hn::Mul(hn::Add(hn::Mul(g1, q01), hn::Mul(d01, m)), inverse);
  const auto inside = hn::And(hn::Gt(hn::Min(fs, ft), zero), hn::Lt(hn::Add(fs, ft), one));
  s = hn::IfThenElse(inside, fs, s);
  t = hn::IfThenElse(inside, ft, t);
  const auto x = Back(Along(p0, s, e01), t, e20);
  const W length = hn::Sqrt(Dot(x, x)), pad = hn::Set(d, w.pad);
  const W low = hn::Min(hn::Min(Dot(p0, x), Dot(p1, x)), Dot(p2, x));
  hi = hn::Add(hn::Mul(length, hn::Set(d, w.wider)), pad);
  lo = hn::Sub(hn::Mul(hn::IfThenElseZero(hn::Gt(length, hn::Set(d, least)), hn::Div(low, length)), hn::Set(d, w.narrower)), pad);
}

HWY_INLINE double Most(double a, double b) { return a > b ? a : b; }
HWY_INLINE double Farthest(const NearestWalk& w) {
  double far = 1;
  for (const double x : w.point) far = Most(far, x < 0 ? -x : x);
  return far;
}

/// The walk's point in doubles.
HWY_INLINE From<double> InDoubles(const NearestWalk& w) {
  constexpr double u = 0x1p-53;
  const double far = Farthest(w);
  return {{w.point[0], w.point[1], w.point[2]}, 1 + w.relative + 16 * u, 1 - w.relative - 16 * u, w.absolute + 80 * u * (1 + far)};
}

HWY_INLINE void EncloseBlock(const TriangleBlock& b, const From<double>& w, std::size_t k, V& lo, V& hi) {
  const P point = Set(w.point);
  Enclose(DD(), CornerOf(b, 0, k) - point, CornerOf(b, 1, k) - point, CornerOf(b, 2, k) - point, w, 1e-200, 0x1p-60, lo, hi);
}

// ---- in floats, for the triangles of 2 or 4 leaves side by side ----

using D4 = hn::CappedTag<float, kBlock>;
using walk::D;

/// Rounded up, for 2^-60 < x < 2^60.
HWY_INLINE float Above(double x) { return static_cast<float>(x * (1 + 0x1p-22)); }

/// The walk's point in floats: its rounding is an error, too.
HWY_INLINE From<float> InFloats(const NearestWalk& w) {
  constexpr double u = 0x1p-24;
  const double far = Farthest(w);
  return {{static_cast<float>(w.point[0]), static_cast<float>(w.point[1]), static_cast<float>(w.point[2])}, Above(1 + w.relative + 16 * u), static_cast<float>(1 - w.relative - 32 * u),
          Above(w.absolute + 80 * u * (1 + far))};
}

/// Lanes from `k` of the same row of 2 or 4 blocks.
template <class DF8>
HWY_INLINE hn::Vec<DF8> Rows(DF8 d, const TriangleBlock* const* b, std::size_t row, std::size_t k) {
#if HWY_TARGET != HWY_SCALAR  // which cannot combine
  if constexpr (hn::MaxLanes(DF8()) == 2 * kBlock) {
    return hn::Combine(d, hn::Load(D4(), b[k / kBlock + 1]->corner[row]), hn::Load(D4(), b[k / kBlock]->corner[row]));
  } else if constexpr (hn::MaxLanes(DF8()) == 4 * kBlock) {
    const hn::Half<DF8> half;
    return hn::Combine(d, Rows(half, b + 2, row, 0), Rows(half, b, row, 0));
  } else
#endif
    return hn::Load(d, b[k / kBlock]->corner[row] + k % kBlock);
}

template <class DF>
HWY_INLINE void EncloseBlocks(DF d, const TriangleBlock* const* b, const From<float>& w, std::size_t k, hn::Vec<DF>& lo, hn::Vec<DF>& hi) {
  const points::Point<hn::Vec<DF>> point{hn::Set(d, w.point[0]), hn::Set(d, w.point[1]), hn::Set(d, w.point[2])};
  const auto corner = [&](std::size_t c) HWY_ATTR { return points::Point<hn::Vec<DF>>{Rows(d, b, 3 * c, k), Rows(d, b, 3 * c + 1, k), Rows(d, b, 3 * c + 2, k)} - point; };
  Enclose(d, corner(0), corner(1), corner(2), w, 1e-30f, 0x1p-40f, lo, hi);
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

struct BlockBounds {
  alignas(64) double lo[kBlock], hi[kBlock];
};

/// Encloses a block in doubles and lowers `least`.
HWY_INLINE void Bounds(NearestWalk& w, const TriangleBlock& b, BlockBounds& x) {
  const DD dd;
  const From<double> from = InDoubles(w);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
    V l, h;
    EncloseBlock(b, from, k, l, h);
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

/// Room for four more blocks?
HWY_INLINE bool Room(NearestWalk& w) {
  if (w.blocks_kept + 4 <= NearestWalk::kBlocks) return true;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < w.blocks_kept; ++i) {
    if (w.block[i].lo <= nearest_limit(w.least)) w.block[kept++] = w.block[i];
  }
  w.blocks_kept = kept;
  return kept + 4 <= NearestWalk::kBlocks;
}

HWY_INLINE float Least(const float* v) { return HWY_MIN(HWY_MIN(v[0], v[1]), HWY_MIN(v[2], v[3])); }

/// Where floats do not serve.
void LookInDoubles(NearestWalk& w, const std::uint64_t* leaf, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) {
    BlockBounds x;
    Bounds(w, w.blocks[Number(leaf[i])], x);
    const double lo = HWY_MIN(HWY_MIN(x.lo[0], x.lo[1]), HWY_MIN(x.lo[2], x.lo[3]));
    if (lo <= nearest_limit(w.least)) w.block[w.blocks_kept++] = {lo < 0x1p-60 ? 0 : static_cast<float>((lo < 0x1p100 ? lo : 0x1p100) * (1 - 0x1p-22)), Number(leaf[i])};
  }
}

/// n leaves, 1 to kLeaves.
template <std::size_t kLeaves>
HWY_INLINE void Look(NearestWalk& w, const From<float>& f, const std::uint64_t* leaf, std::uint32_t n) {
  const hn::CappedTag<float, kLeaves * kBlock> d;
  alignas(64) float lo[kLeaves * kBlock], hi[kLeaves * kBlock];
  const TriangleBlock* b[kLeaves];
  for (std::uint32_t i = 0; i < kLeaves; ++i) b[i] = w.blocks + Number(leaf[i < n ? i : n - 1]);
  for (std::size_t k = 0; k < kLeaves * kBlock; k += hn::Lanes(d)) {
    hn::Vec<decltype(d)> l, h;
    EncloseBlocks(d, b, f, k, l, h);
    hn::Store(l, d, lo + k);
    hn::Store(h, d, hi + k);
  }
  // No branches on what was found: it is as good as random, and known late
  float h = Least(hi);
  for (std::size_t i = 1; i < kLeaves; ++i) h = HWY_MIN(h, Least(hi + i * kBlock));
  const double least = Most(h, w.floor);
  w.least = least < w.least ? least : w.least;
  const float out = Above(nearest_limit(w.least < 0x1p60 ? w.least : 0x1p60));
  std::uint32_t kept = w.blocks_kept;
  for (std::uint32_t i = 0; i < kLeaves; ++i) {
    const float l = Least(lo + i * kBlock);
    w.block[kept] = {l, Number(leaf[i])};
    kept += i < n && l <= out ? 1 : 0;
  }
  w.blocks_kept = kept;
}

void Begin(NearestWalk& w, std::uint32_t block) {
  BlockBounds x;
  Bounds(w, w.blocks[block], x);
}

bool Walk(NearestWalk& w) {
  ++kernel_counts.distance[walk::kLevel];
  const QueryBox q = w.box;
  const From<float> f = InFloats(w);
  alignas(64) float lower[kWidth];
  std::uint64_t leaf[kWidth + 4] = {};
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
    for (std::uint32_t i = 0; i < leaves && Key(leaf[i]) <= limit; i += 4) {
      if (!Room(w)) {
        for (std::uint32_t k = leaves; k-- > i;) w.stack[w.top++] = leaf[k];
        Finish(w);
        return false;
      }
      const std::uint32_t n = HWY_MIN(leaves - i, 4);
      if (!w.floats) LookInDoubles(w, leaf + i, n);
      else if (n > 2) Look<4>(w, f, leaf + i, n);
      else Look<2>(w, f, leaf + i, n);
      limit = Limit(nearest_limit(w.least));
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
