// Separating directions of a shape and 4 triangles, and corners that lie inside it, per CPU level. Only + - * / sqrt min max and comparisons, each rounded by itself: all levels go the same way.
#include "mesh/core_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // the scalar level exists even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/core_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "mesh/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;

/// A corner relative to the core's centre.
HWY_INLINE P Corner(const TriangleBlock& b, const LocalCore& core, std::size_t corner, std::size_t k) { return CornerOf(b, corner, k) - Set(core.center); }

// Along any direction n, sets whose projections are farther apart than |n|_1 error are truly apart; the dot products' own roundings, 4 u of |n|_1 times coordinates, are part of `error`.
HWY_INLINE M Apart(const P* p, const LocalCore& core, const P& n) {
  const DD d;
  const V x0 = Dot(p[0], n), x1 = Dot(p[1], n), x2 = Dot(p[2], n);
  V reach = hn::Mul(Taxicab(n), hn::Set(d, core.error));
  for (std::uint32_t k = 0; k < core.halves; ++k) reach = hn::Add(reach, hn::Abs(Dot(Set(core.half[k]), n)));
  if (core.radius_hi > 0) reach = hn::Add(reach, hn::Mul(hn::Sqrt(Dot(n, n)), hn::Set(d, core.radius_hi)));
  return hn::Or(hn::Gt(hn::Min(hn::Min(x0, x1), x2), reach), hn::Lt(hn::Max(hn::Max(x0, x1), x2), hn::Neg(reach)));
}

/// The offset of p from the nearest point of the axis of a sphere or capsule.
HWY_INLINE P FromAxis(const P& p, const LocalCore& core) {
  const DD d;
  if (core.halves != 1) return p;
  const P h = Set(core.half[0]);
  const V s = hn::Div(Dot(p, h), Dot(h, h)), one = hn::Set(d, 1.0);
  const V t = hn::IfThenElse(hn::Gt(s, hn::Neg(one)), hn::IfThenElse(hn::Lt(s, one), s, one), hn::Neg(one));  // NaN gives -1, a point of the axis too
  return {hn::Sub(p.x, hn::Mul(t, h.x)), hn::Sub(p.y, hn::Mul(t, h.y)), hn::Sub(p.z, hn::Mul(t, h.z))};
}

CoreHits Touch(const TriangleBlock& b, std::uint32_t count, const LocalCore& core) {
  const DD d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0);
  std::uint32_t possible = 0, certain = 0;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const P p[3] = {Corner(b, core, 0, k), Corner(b, core, 1, k), Corner(b, core, 2, k)};
    M apart = hn::Or(hn::Or(Apart(p, core, {one, zero, zero}), Apart(p, core, {zero, one, zero})), Apart(p, core, {zero, zero, one}));
    if (hn::AllTrue(d, apart)) continue;
    apart = hn::Or(apart, Apart(p, core, Cross(p[1] - p[0], p[2] - p[0])));
    for (std::uint32_t i = 0; i < core.halves; ++i) apart = hn::Or(apart, Apart(p, core, Set(core.half[i])));
    if (core.radius_hi > 0 && core.halves < 2) apart = hn::Or(apart, Apart(p, core, FromAxis(p[0], core)));
    if (hn::AllTrue(d, apart)) continue;
    possible |= LaneBits(hn::Not(apart), k);
    if (core.halves < 2 && core.radius_lo > 0) {
      // |offset| <= radius, with 1.75 error a coordinate for the corner and as much again for the axis
      const V in = hn::Set(d, core.radius_lo - 4 * core.error);
      for (const P& corner : p) {
        const P x = FromAxis(corner, core);
        certain |= LaneBits(hn::And(hn::Gt(in, zero), hn::Lt(hn::Mul(Dot(x, x), hn::Set(d, 1 + 0x1p-40)), hn::Mul(in, in))), k);
      }
    } else if (core.halves == 3 && core.square) {
      // s_k = p . h_k / h_k^2 within 1 - 2^-20 - error / |h_k|: halves orthogonal to 2^-30 make each off by less than 2^-27
      for (const P& corner : p) {
        M inside = hn::Ge(one, zero);
        for (std::uint32_t i = 0; i < 3; ++i) {
          const P h = Set(core.half[i]);
          const V hh = Dot(h, h), room = hn::Add(hn::Mul(hh, hn::Set(d, 1 - 0x1p-20)), hn::Neg(hn::Mul(Taxicab(h), hn::Set(d, 4 * core.error))));
          inside = hn::And(inside, hn::Lt(hn::Abs(Dot(corner, h)), room));
        }
        certain |= LaneBits(inside, k);
      }
    }
    if (core.halves == 3) {
      const P e[3] = {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
      for (std::uint32_t i = 0; i < 3 && !hn::AllTrue(d, apart); ++i) {
        for (const P& edge : e) apart = hn::Or(apart, Apart(p, core, Cross(Set(core.half[i]), edge)));
      }
      possible &= ~LaneBits(apart, k);
    }
  }
  const std::uint32_t used = (1u << count) - 1;
  return {possible & used, (certain & used) != 0};
}

}  // namespace

const CoreKernels* CoreTable() {
  static constexpr CoreKernels table{&Touch};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/cpu.hpp"

namespace graze {

HWY_EXPORT(CoreTable);

const CoreKernels& core_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(CoreTable)();
}

}  // namespace graze
#endif
