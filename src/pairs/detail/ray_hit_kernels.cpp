// plain_hit of ray_triangle.cpp in SIMD lanes, per CPU level. The proofs stand there. The operations and their order are the same, except for products of two
// doubles, whose low parts may come from a fused operation. Within the sizes accepted here both ways are exact, so all levels give the same bits.
#include "pairs/detail/ray_hit_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/detail/ray_hit_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/points-inl.hpp"
#include "math/two_double-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using two::Add, two::Mul, two::Sub, two::TwoProduct, two::TwoSum;

constexpr double u = 0x1p-53;

/// As many lanes as D has.
template <class D, class Lanes>
struct Piece {
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  using P = points::Point<V>;
  static constexpr D d{};

  using Two = two::Two<V>;
  static HWY_INLINE V Set(double x) { return hn::Set(d, x); }
  static HWY_INLINE P Load(const double (*rows)[Lanes::kLanes], std::size_t k) {
    return {hn::LoadU(d, rows[0] + k), hn::LoadU(d, rows[1] + k), hn::LoadU(d, rows[2] + k)};
  }
  static HWY_INLINE void Store(const P& p, double (*rows)[Lanes::kLanes], std::size_t k) {
    hn::StoreU(p.x, d, rows[0] + k);
    hn::StoreU(p.y, d, rows[1] + k);
    hn::StoreU(p.z, d, rows[2] + k);
  }

  /// Whether x is 0, or of a size for which no product here comes near the limits of the doubles' range.
  static HWY_INLINE M Moderate(V x) {
    const V size = hn::Abs(x);
    return hn::And(hn::Or(hn::Gt(size, Set(0x1p-150)), hn::Eq(size, hn::Zero(d))), hn::Lt(size, Set(0x1p150)));
  }
  static HWY_INLINE M Moderate(const P& p) { return hn::And(hn::And(Moderate(p.x), Moderate(p.y)), Moderate(p.z)); }

  /// The neighbour of x (not 0) that is farther from 0; with step -1, the one that is nearer.
  static HWY_INLINE V Beside(V x, std::int64_t step) {
    const hn::RebindToSigned<D> di;
    return hn::BitCast(d, hn::Add(hn::BitCast(di, x), hn::Set(di, step)));
  }
  /// Stores t + step rounded down in `out`; the mask has the lanes where the error leaves the rounding certain.
  static HWY_INLINE M RoundedDown(V t, V step, V error, V& out) {
    const Two q = TwoSum(t, step);
    const V outer = Beside(q.hi, 1), inner = Beside(q.hi, -1);
    const M positive = hn::Gt(q.hi, hn::Zero(d));
    const V up = hn::IfThenElse(positive, outer, inner), down = hn::IfThenElse(positive, inner, outer), back = hn::Neg(q.lo);
    const M here = hn::And(hn::Gt(q.lo, error), hn::Lt(hn::Add(q.lo, error), hn::Sub(up, q.hi)));
    const M below = hn::And(hn::Gt(back, error), hn::Lt(hn::Add(back, error), hn::Sub(q.hi, down)));
    out = hn::IfThenElse(here, q.hi, down);
    return hn::Or(here, below);
  }
  static HWY_INLINE V Clamp(V v, V most) { return hn::IfThenElse(hn::Lt(v, hn::Zero(d)), hn::Zero(d), hn::IfThenElse(hn::Lt(most, v), most, v)); }
  /// One coordinate of o + t d - a.
  static HWY_INLINE Two Rest(V t, V origin, V corner, V way, V way_rest) {
    Two p = TwoProduct(t, way);
    p.lo = hn::Add(p.lo, hn::Mul(t, way_rest));
    const Two s = TwoSum(origin, hn::Neg(corner)), q = TwoSum(s.hi, p.hi);
    return TwoSum(q.hi, hn::Add(q.lo, hn::Add(s.lo, p.lo)));
  }
  static HWY_INLINE std::uint32_t Bits(M m, std::size_t k) {
    std::uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, m, bytes);
    return (bytes[0] & ((1u << hn::Lanes(d)) - 1)) << k;
  }

  static HWY_INLINE void Plain(Lanes& l, std::size_t k) {
    const P a = Load(l.corner, k), b = Load(l.corner + 3, k), c = Load(l.corner + 6, k), o = Load(l.origin, k), way = Load(l.way, k),
            way_rest = Load(l.way_rest, k);
    const P e = b - a, f = c - a;
    const V p0 = hn::Mul(e.y, f.z), q0 = hn::Mul(e.z, f.y), p1 = hn::Mul(e.z, f.x), q1 = hn::Mul(e.x, f.z), p2 = hn::Mul(e.x, f.y), q2 = hn::Mul(e.y, f.x);
    const P n{hn::Sub(p0, q0), hn::Sub(p1, q1), hn::Sub(p2, q2)};
    const P m{hn::Add(hn::Abs(p0), hn::Abs(q0)), hn::Add(hn::Abs(p1), hn::Abs(q1)), hn::Add(hn::Abs(p2), hn::Abs(q2))};
    const V nn = Dot(n, n), size = hn::Max(hn::Max(m.x, m.y), m.z);
    const M ordinary = hn::And(hn::And(Moderate(e), Moderate(f)), hn::And(Moderate(way), hn::And(Moderate(o), Moderate(a))));
    M good = hn::And(ordinary, hn::Gt(nn, hn::Mul(hn::Mul(size, size), Set(0x1p-10))));
    const P w = a - o;
    const V reach = Size(way), far = hn::Max(hn::Max(Size(o), Size(a)), Set(0x1p-300));
    const V den = Dot(n, way), size_of_den = hn::Abs(den), den_bound = hn::Mul(Dot(m, Abs(way)), Set(8 * u));
    good = hn::And(good, hn::Gt(size_of_den, hn::Mul(den_bound, Set(0x1p20))));
    const V t = hn::Div(Dot(n, w), den), size_of_t = hn::Abs(t);
    good = hn::And(good, hn::And(hn::Gt(size_of_t, Set(0x1p-150)), hn::Lt(size_of_t, Set(0x1p150))));
    const Two rx = Rest(t, o.x, a.x, way.x, way_rest.x), ry = Rest(t, o.y, a.y, way.y, way_rest.y), rz = Rest(t, o.z, a.z, way.z, way_rest.z);
    const P r{rx.hi, ry.hi, rz.hi};
    const V magnitude = hn::Max(far, hn::Mul(size_of_t, reach)), sum_m = hn::Add(hn::Add(m.x, m.y), m.z), m_r = Dot(m, Abs(r));
    V step = hn::Div(hn::Neg(Dot(n, r)), den);
    V error =
        hn::Add(hn::Mul(hn::Div(hn::Add(hn::Mul(m_r, Set(9.1 * u)), hn::Mul(sum_m, hn::Mul(magnitude, Set(9.1 * u * u)))), size_of_den), Set(1 + 0x1p-15)),
                hn::Mul(hn::Abs(step), Set(0x1p-18)));
    V down;
    M told = RoundedDown(t, step, error, down);
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Or(told, hn::Not(good))))) {
      const Two ex = TwoSum(b.x, hn::Neg(a.x)), ey = TwoSum(b.y, hn::Neg(a.y)), ez = TwoSum(b.z, hn::Neg(a.z)), fx = TwoSum(c.x, hn::Neg(a.x)),
                fy = TwoSum(c.y, hn::Neg(a.y)), fz = TwoSum(c.z, hn::Neg(a.z));
      const Two nr = Add(Add(Mul(Sub(Mul(ey, fz), Mul(ez, fy)), rx), Mul(Sub(Mul(ez, fx), Mul(ex, fz)), ry)), Mul(Sub(Mul(ex, fy), Mul(ey, fx)), rz));
      const V finer = hn::Div(hn::Neg(nr.hi), den);
      const V sizes = hn::Add(m_r, hn::Mul(hn::Mul(sum_m, magnitude), Set(0x1p-52)));
      V finer_error =
          hn::Add(hn::Div(hn::Mul(sizes, Set(64 * u * u)), size_of_den), hn::Mul(hn::Abs(finer), hn::Add(hn::Div(den_bound, size_of_den), Set(4 * u))));
      finer_error = hn::Add(finer_error, hn::Div(hn::Mul(sum_m, hn::Mul(magnitude, Set(16 * u * u))), size_of_den));
      V finer_down;
      M finer_told = RoundedDown(t, finer, finer_error, finer_down);
      finer_told = hn::AndNot(told, hn::And(finer_told, hn::Lt(hn::Abs(step), hn::Mul(size_of_t, Set(0x1p-36)))));
      step = hn::IfThenElse(told, step, finer);
      error = hn::IfThenElse(told, error, finer_error);
      down = hn::IfThenElse(told, down, finer_down);
      told = hn::Or(told, finer_told);
    }
    const V side = hn::Max(Size(e), Size(f)), side_sq = hn::Mul(side, side);
    const V slack = hn::Add(hn::Mul(hn::Add(error, hn::Mul(hn::Abs(step), Set(4 * u))), reach), hn::Mul(magnitude, Set(16 * u * u))),
            loss = hn::Mul(slack, side);
    good = hn::And(good, hn::And(hn::Gt(nn, hn::Mul(hn::Mul(side_sq, side_sq), Set(0x1p-16))), hn::Gt(nn, hn::Mul(hn::Mul(loss, loss), Set(0x1p84)))));
    const P at = Along(r, step, way), v = Cross(at, f), x = Cross(e, at);
    const V wb = Clamp(hn::Div(Dot(v, n), nn), Set(1.0)), wc = Clamp(hn::Div(Dot(x, n), nn), hn::Sub(Set(1.0), wb)), length = hn::Sqrt(nn);
    Store({hn::Sub(hn::Sub(Set(1.0), wb), wc), wb, wc}, l.weight, k);
    Store({hn::Div(n.x, length), hn::Div(n.y, length), hn::Div(n.z, length)}, l.normal, k);
    hn::StoreU(down, d, l.t + k);
    l.odd |= Bits(hn::Not(hn::And(ordinary, hn::And(hn::Gt(size_of_t, Set(0x1p-150)), hn::Lt(size_of_t, Set(0x1p150))))), k);
    l.told |= Bits(hn::And(told, good), k);
    l.front |= Bits(hn::Lt(den, hn::Zero(d)), k);
  }
};

void Plain(HitLanes& l) {
  using D = hn::CappedTag<double, HitLanes::kLanes>;
  l.told = l.front = l.odd = 0;
  for (std::size_t k = 0; k < HitLanes::kLanes; k += hn::Lanes(D())) Piece<D, HitLanes>::Plain(l, k);
}
void PlainOne(HitLane& l) {
  l.told = l.front = l.odd = 0;
  Piece<hn::CappedTag<double, 1>, HitLane>::Plain(l, 0);
}

}  // namespace

const HitKernels* HitTable() {
  static constexpr HitKernels table{&Plain, &PlainOne};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(HitTable);

const HitKernels& hit_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(HitTable)();
}

}  // namespace graze
#endif
