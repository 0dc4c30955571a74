// Distances of a point from 4 triangles at once, enclosed, per CPU level. Only + - * / sqrt min max and comparisons, each rounded by itself: all levels go the same way.
#include "mesh/nearest_kernels.hpp"

#include <limits>

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

// As Distances in box_kernels.cpp.
HWY_INLINE std::uint32_t Distances(const WideNode& node, const QueryBox& q, float limit, float* HWY_RESTRICT lower) {
  const walk::D d;
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const auto v = walk::LowerBound(walk::BoxGapSquared(node, q, k));
    hn::StoreU(v, d, lower + k);
    bits |= walk::Bits(hn::Le(v, hn::Set(d, limit)), k);
  }
  return bits & walk::Used(node);
}

/// Above the square of any distance up to x; as local_limit in bvh/local_query.cpp.
HWY_INLINE float Limit(double x) {
  const double sq = x * x * (1 + 0x1p-20);
  return sq < 0x1p120 ? static_cast<float>(sq < 0x1p-110 ? 0x1p-110 : sq) : 0x1p126f;
}

bool Walk(NearestWalk& w) {
  ++kernel_counts.distance[walk::kLevel];
  const DD dd;
  const QueryBox q = w.box;
  alignas(64) float lower[kWidth];
  alignas(64) double lo[kBlock], hi[kBlock];
  float limit = Limit(nearest_limit(w.least));
  while (w.top > 0) {
    const WalkEntry e = w.stack[--w.top];
    if (e.key > limit) continue;
    if (e.count == 0) {
      const WideNode& node = w.nodes[e.child];
      std::uint32_t bits = Distances(node, q, limit, lower);
      std::int32_t top = w.top;
      const std::int32_t base = top;
      while (bits != 0) {
        const std::uint32_t s = walk::First(bits);
        bits &= bits - 1;
        const std::uint32_t count = node.count[s];
        WalkEntry c{lower[s], node.child[s], count};
        const unsigned char* p;
        if (count != 0) {
          c.child = node.leaf_number(s);
          p = reinterpret_cast<const unsigned char*>(w.blocks + c.child);
        } else {
          p = reinterpret_cast<const unsigned char*>(w.nodes + c.child);
        }
        for (int line = 0; line < 4; ++line) walk::Ask(p + 64 * line);
        std::int32_t i = top++;
        for (; i > base && w.stack[i - 1].key <= c.key; --i) w.stack[i] = w.stack[i - 1];
        w.stack[i] = c;
      }
      w.top = top;
      continue;
    }
    const TriangleBlock& b = w.blocks[e.child];
    for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
      V l, h;
      Enclose(b, w, k, l, h);
      hn::Store(l, dd, lo + k);
      hn::Store(h, dd, hi + k);
    }
    double least = w.least;
    for (std::uint32_t s = 0; s < e.count; ++s) {
      const double h = hi[s] > w.floor ? hi[s] : w.floor;
      least = h < least ? h : least;
    }
    if (least < w.least) {
      w.least = least;
      limit = Limit(nearest_limit(least));
    }
    const double out = nearest_limit(w.least);
    for (std::uint32_t s = 0; s < e.count; ++s) {
      if (lo[s] > out) continue;
      if (w.found == NearestWalk::kCandidates) {
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < w.found; ++i) {
          if (w.candidate[i].lo <= out) w.candidate[kept++] = w.candidate[i];
        }
        w.found = kept;
        if (kept == NearestWalk::kCandidates) {
          w.stack[w.top++] = e;
          return false;
        }
      }
      w.candidate[w.found++] = {lo[s], e.child * static_cast<std::uint32_t>(kBlock) + s};
      for (std::size_t i = 0; i < 3; ++i) walk::Ask(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][s]));
    }
  }
  return true;
}

}  // namespace

const NearestKernels* NearestTable() {
  static constexpr NearestKernels table{&Walk};
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
