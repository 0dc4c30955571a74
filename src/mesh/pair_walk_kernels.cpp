// The descent of mesh against mesh, per CPU level. Boxes and filters only ever discard what provably cannot touch, so levels may differ in what they discard, but not in any answer.
#include <cmath>

#include "mesh/pair_walk.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // the scalar level exists even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/pair_walk_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bvh/box_kernels.hpp"
#include "bvh/walk-inl.hpp"
#include "mesh/block-inl.hpp"

#ifndef COUNTERS_ONCE
#define COUNTERS_ONCE
#ifdef MM_COUNT
extern unsigned long mm_nodes, mm_ll, mm_box, mm_face, mm_pass;
#define CNT(x) ++x
#define CNTN(x, n) x += n
#else
#define CNT(x)
#define CNTN(x, n)
#endif
#endif
HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = walk::D;
using VF = hn::Vec<D>;

struct Bounds {
  VF lo[3], hi[3];
};

HWY_INLINE Bounds Load(const WideNode& node, std::size_t k) {
  const D d;
  Bounds b;
  for (int i = 0; i < 3; ++i) {
    b.lo[i] = hn::Load(d, node.plane[i] + k);
    b.hi[i] = hn::Load(d, node.plane[3 + i] + k);
  }
  return b;
}

HWY_INLINE Bounds Bring(const Bounds& b, const BoxPlacement& p) {
  const D d;
  VF c[3], s[3];
  for (int i = 0; i < 3; ++i) {
    c[i] = hn::Add(b.lo[i], b.hi[i]);
    s[i] = hn::Sub(b.hi[i], b.lo[i]);
  }
  Bounds r;
  for (int i = 0; i < 3; ++i) {
    VF center = hn::Set(d, p.offset[i]), half = hn::Set(d, p.pad);
    for (int j = 0; j < 3; ++j) {
      center = hn::MulAdd(c[j], hn::Set(d, p.axis[j][i]), center);
      half = hn::MulAdd(s[j], hn::Set(d, p.size[j][i]), half);
    }
    r.lo[i] = hn::Sub(center, half);
    r.hi[i] = hn::Add(center, half);
  }
  return r;
}

/// Bits 8 i + j: child i of a and child j of b overlap in both frames.
HWY_INLINE std::uint64_t Overlaps(const PairSearch& w, const WideNode& a, std::uint32_t a_slots, const WideNode& b) {
  const D d;
  alignas(64) float turned[6][kWidth];
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Bounds r = Bring(Load(a, k), w.a_in_b);
    for (int i = 0; i < 3; ++i) {
      hn::Store(r.lo[i], d, turned[i] + k);
      hn::Store(r.hi[i], d, turned[3 + i] + k);
    }
  }
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    const Bounds own = Load(b, k), in_a = Bring(own, w.b_in_a);
    for (std::uint32_t rest = a_slots; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = walk::First(rest);
      auto m = hn::Le(in_a.lo[0], hn::Set(d, a.plane[3][i]));
      auto n = hn::Le(own.lo[0], hn::Set(d, turned[3][i]));
      m = hn::And(m, hn::Ge(in_a.hi[0], hn::Set(d, a.plane[0][i])));
      n = hn::And(n, hn::Ge(own.hi[0], hn::Set(d, turned[0][i])));
      for (int c = 1; c < 3; ++c) {
        m = hn::And(m, hn::Le(in_a.lo[c], hn::Set(d, a.plane[3 + c][i])));
        n = hn::And(n, hn::Le(own.lo[c], hn::Set(d, turned[3 + c][i])));
        m = hn::And(m, hn::Ge(in_a.hi[c], hn::Set(d, a.plane[c][i])));
        n = hn::And(n, hn::Ge(own.hi[c], hn::Set(d, turned[c][i])));
      }
      all |= static_cast<std::uint64_t>(walk::Bits(hn::And(m, n), k)) << (8 * i);
    }
  }
  return all;
}

constexpr std::uint64_t kColumn = 0x0101010101010101u;

/// Rows of the bits set.
HWY_INLINE std::uint64_t Rows(std::uint32_t bits) {
  const std::uint64_t spread = ((bits & 0x7Fu) * 0x0002040810204081u & kColumn) | static_cast<std::uint64_t>(bits >> 7) << 56;
  return spread * 0xFF;
}

HWY_INLINE bool Push(PairSearch& w, std::uint32_t a, std::uint32_t a_slots, std::uint32_t b, std::uint32_t b_slots) {
  const WideNode &na = w.nodes_a[a], &nb = w.nodes_b[b];
  CNT(mm_nodes);
  const std::uint64_t met = Overlaps(w, na, a_slots & walk::Used(na), nb) & (b_slots & walk::Used(nb)) * kColumn;
  if (met == 0) return false;
  const std::uint64_t leaf_a = Rows(na.leaves), leaf_b = nb.leaves * kColumn;
  PairFrame& f = w.frame[w.top++];
  f.a = a;
  f.b = b;
  f.leaves = met & leaf_a & leaf_b;
  f.inner = met & ~leaf_a & ~leaf_b;
  f.open_b = met & leaf_a & ~leaf_b;
  f.open_a = met & ~leaf_a & leaf_b;
  return true;
}

void Start(PairSearch& w, std::uint32_t a, std::uint32_t a_slots, std::uint32_t b, std::uint32_t b_slots) {
  w.top = 0;
  w.found = 0;
  Push(w, a, a_slots, b, b_slots);
}

// ---- leaves ----

using F = hn::CappedTag<float, 16>;
using V = hn::Vec<F>;
using M = hn::Mask<F>;
using P = points::Point<V>;

/// A leaf of b in a's coordinates relative to `origin`, a point of it, in floats.
struct LocalBlock {
  alignas(64) float corner[9][kBlock];
  float origin[3], size;
};

HWY_INLINE void Place(const TriangleBlock& block, const BlockPlacement& p, LocalBlock& out) {
  const block::DD d;
  const block::DF f;
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = ((static_cast<double>(block.corner[0][0]) * p.axis[0][i] + static_cast<double>(block.corner[1][0]) * p.axis[1][i]) + static_cast<double>(block.corner[2][0]) * p.axis[2][i]) + p.offset[i];
    out.origin[i] = static_cast<float>(x);
  }
  auto size = hn::Zero(f);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    for (std::size_t c = 0; c < 9; c += 3) {
      const block::P at = block::CornerOf(block, c / 3, k);
      for (std::size_t i = 0; i < 3; ++i) {
        const block::V sum = hn::MulAdd(at.z, hn::Set(d, p.axis[2][i]), hn::MulAdd(at.y, hn::Set(d, p.axis[1][i]), hn::MulAdd(at.x, hn::Set(d, p.axis[0][i]), hn::Set(d, p.offset[i] - static_cast<double>(out.origin[i])))));
        const auto x = hn::DemoteTo(f, sum);
        size = hn::Max(size, hn::Abs(x));
        hn::Store(x, f, out.corner[c + i] + k);
      }
    }
  }
  out.size = hn::GetLane(hn::MaxOfLanes(f, size));
}

/// Lanes 4 i + j from `at`: a number of a's triangle i, of b's triangle j.
template <class DF>
HWY_INLINE hn::Vec<DF> OfA(DF d, const float (&row)[kBlock], std::size_t at) {
  constexpr std::size_t lanes = hn::MaxLanes(DF());
  if constexpr (lanes == 16) {
    alignas(64) static constexpr std::int32_t kEach[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    return hn::TableLookupLanes(hn::LoadDup128(d, row), hn::SetTableIndices(d, kEach));
  } else if constexpr (lanes == 8) {
    alignas(64) static constexpr std::int32_t kEach[2][8] = {{0, 0, 0, 0, 1, 1, 1, 1}, {2, 2, 2, 2, 3, 3, 3, 3}};
    return hn::TableLookupLanes(hn::LoadDup128(d, row), hn::SetTableIndices(d, kEach[at / 8]));
  } else {
    return hn::Set(d, row[at / 4]);
  }
}
template <class DF>
HWY_INLINE hn::Vec<DF> OfB(DF d, const float (&row)[kBlock], std::size_t at) {
  constexpr std::size_t lanes = hn::MaxLanes(DF());
  if constexpr (lanes >= 8) return hn::LoadDup128(d, row);
  else if constexpr (lanes == 4) return hn::Load(d, row);
  else return hn::Load(d, row + at % 4);
}

HWY_INLINE V Min3(V a, V b, V c) { return hn::Min(hn::Min(a, b), c); }
HWY_INLINE V Max3(V a, V b, V c) { return hn::Max(hn::Max(a, b), c); }
HWY_INLINE V DotF(const P& a, const P& b) { return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x))); }
HWY_INLINE P CrossF(const P& a, const P& b) { return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)), hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))}; }

struct Lanes {
  P a1, a2, b0, b1, b2;  // relative to a's corner 0
  V slack;
};
HWY_INLINE M Apart(const Lanes& t, const P& n) {
  const F d;
  const V a1 = DotF(t.a1, n), a2 = DotF(t.a2, n), b0 = DotF(t.b0, n), b1 = DotF(t.b1, n), b2 = DotF(t.b2, n);
  const V room = hn::MulAdd(t.slack, points::Taxicab(n), hn::Set(d, 0x1p-120f));
  const V low_a = Min3(a1, a2, hn::Zero(d)), high_a = Max3(a1, a2, hn::Zero(d));
  return hn::Gt(hn::Max(hn::Sub(Min3(b0, b1, b2), high_a), hn::Sub(low_a, Max3(b0, b1, b2))), room);
}

HWY_INLINE std::uint32_t Touch(const TriangleBlock& a, const LocalBlock& b, float slack_) {
  const F d;
  std::uint32_t bits = 0;
  const V slack = hn::Set(d, slack_);
  for (std::size_t k = 0; k < 16; k += hn::Lanes(d)) {
    const V ox = hn::Set(d, b.origin[0]), oy = hn::Set(d, b.origin[1]), oz = hn::Set(d, b.origin[2]);
    const P a0{hn::Sub(OfA(d, a.corner[0], k), ox), hn::Sub(OfA(d, a.corner[1], k), oy), hn::Sub(OfA(d, a.corner[2], k), oz)};
    const P a1{hn::Sub(OfA(d, a.corner[3], k), ox), hn::Sub(OfA(d, a.corner[4], k), oy), hn::Sub(OfA(d, a.corner[5], k), oz)};
    const P a2{hn::Sub(OfA(d, a.corner[6], k), ox), hn::Sub(OfA(d, a.corner[7], k), oy), hn::Sub(OfA(d, a.corner[8], k), oz)};
    const P b0{OfB(d, b.corner[0], k), OfB(d, b.corner[1], k), OfB(d, b.corner[2], k)}, b1{OfB(d, b.corner[3], k), OfB(d, b.corner[4], k), OfB(d, b.corner[5], k)}, b2{OfB(d, b.corner[6], k), OfB(d, b.corner[7], k), OfB(d, b.corner[8], k)};
    const auto gap = [&](V x0, V x1, V x2, V y0, V y1, V y2) { return hn::Max(hn::Sub(Min3(y0, y1, y2), Max3(x0, x1, x2)), hn::Sub(Min3(x0, x1, x2), Max3(y0, y1, y2))); };
    const V gaps = Max3(gap(a0.x, a1.x, a2.x, b0.x, b1.x, b2.x), gap(a0.y, a1.y, a2.y, b0.y, b1.y, b2.y), gap(a0.z, a1.z, a2.z, b0.z, b1.z, b2.z));
    M apart = hn::Gt(gaps, slack);
    if (hn::AllTrue(d, apart)) continue;
    CNT(mm_box);
    const Lanes t{a1 - a0, a2 - a0, b0 - a0, b1 - a0, b2 - a0, slack};
    const P e0 = t.a1, e1 = a2 - a1, e2 = t.a2, f0 = b1 - b0, f1 = b2 - b1, f2 = b2 - b0;
    apart = hn::Or(apart, hn::Or(Apart(t, CrossF(e0, e1)), Apart(t, CrossF(f0, f1))));
    if (hn::AllTrue(d, apart)) continue;
    CNT(mm_face);
    apart = hn::Or(apart, hn::Or(hn::Or(Apart(t, CrossF(e0, f0)), Apart(t, CrossF(e0, f1))), Apart(t, CrossF(e0, f2))));
    apart = hn::Or(apart, hn::Or(hn::Or(Apart(t, CrossF(e1, f0)), Apart(t, CrossF(e1, f1))), Apart(t, CrossF(e1, f2))));
    apart = hn::Or(apart, hn::Or(hn::Or(Apart(t, CrossF(e2, f0)), Apart(t, CrossF(e2, f1))), Apart(t, CrossF(e2, f2))));
    std::uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, hn::Not(apart), bytes);
    const std::uint32_t now = (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) & ((1u << hn::Lanes(d)) - 1);
    bits |= now << k;
  }
  return bits;
}

HWY_INLINE float Span(const WideNode& n, std::uint32_t s, const float* o) {
  float m = 0;
  for (int i = 0; i < 3; ++i) {
    const float x = o[i] - n.plane[i][s], y = n.plane[3 + i][s] - o[i];
    const float z = x > y ? x : y;
    m = z > m ? z : m;
  }
  return m;
}

HWY_INLINE std::uint32_t First64(std::uint64_t bits) { return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)); }

bool Walk(PairSearch& w) {
  ++kernel_counts.oriented_overlap[walk::kLevel];
  LocalBlock placed;
  const float error = static_cast<float>(w.corners.error * (1 + 0x1p-20));
  while (w.top > 0) {
    PairFrame& f = w.frame[w.top - 1];
    if (f.leaves != 0) {
      const WideNode &na = w.nodes_a[f.a], &nb = w.nodes_b[f.b];
      const std::uint64_t folded = f.leaves | f.leaves >> 32, folded2 = folded | folded >> 16, columns = (folded2 | folded2 >> 8) & 0xFF;
      const std::uint32_t j = First64(columns);
      const std::uint64_t column = f.leaves & kColumn << j;
      f.leaves &= ~column;
      const std::uint32_t leaf_b = nb.leaf_number(j);
      Place(w.blocks_b[leaf_b], w.corners, placed);
      for (std::uint64_t rest = column; rest != 0; rest &= rest - 1) {
        const std::uint32_t i = First64(rest) >> 3, leaf_a = na.leaf_number(i);
        const float slack = error + 24 * 0x1p-24f * (Span(na, i, placed.origin) + placed.size);
        CNT(mm_ll);
        const std::uint32_t bits = Touch(w.blocks_a[leaf_a], placed, slack) & (((1u << nb.count[j]) - 1) * 0x1111u) & ((1u << 4 * na.count[i]) - 1);
        if (bits == 0) continue;
        CNTN(mm_pass, __builtin_popcount(bits));
        w.pair[w.found++] = {leaf_a, leaf_b, bits};
        if (w.found >= w.room) {
          f.leaves |= rest & (rest - 1);
          return false;
        }
      }
      continue;
    }
    if (f.inner != 0) {
      const std::uint32_t at = First64(f.inner);
      f.inner &= f.inner - 1;
      Push(w, w.nodes_a[f.a].child[at >> 3], 0xFF, w.nodes_b[f.b].child[at & 7], 0xFF);
    } else if (f.open_b != 0) {
      const std::uint32_t j = First64(f.open_b) & 7;
      const std::uint64_t column = f.open_b & kColumn << j;
      f.open_b &= ~column;
      const std::uint32_t rows = static_cast<std::uint32_t>((column >> j) * 0x0102040810204080u >> 56);
      Push(w, f.a, rows, w.nodes_b[f.b].child[j], 0xFF);
    } else if (f.open_a != 0) {
      const std::uint32_t i = First64(f.open_a) >> 3;
      const std::uint32_t row = static_cast<std::uint32_t>(f.open_a >> (8 * i)) & 0xFF;
      f.open_a &= ~(std::uint64_t{0xFF} << (8 * i));
      Push(w, w.nodes_a[f.a].child[i], 0xFF, f.b, row);
    } else {
      --w.top;
    }
  }
  return true;
}

}  // namespace

const PairWalkKernels* PairWalkTable() {
  static constexpr PairWalkKernels table{&Start, &Walk};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/cpu.hpp"
#ifdef MM_COUNT
unsigned long mm_nodes, mm_ll, mm_box, mm_face, mm_pass;
#endif

namespace graze {

HWY_EXPORT(PairWalkTable);

const PairWalkKernels& pair_walk_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(PairWalkTable)();
}

}  // namespace graze
#endif
