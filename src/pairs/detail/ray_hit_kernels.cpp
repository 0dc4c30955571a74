// hit_in_doubles of ray_triangle.cpp in SIMD lanes, per CPU level. The proofs are there. The operations and their order are the same, except for products of
// two doubles, whose low parts may come from a fused operation. For the sizes accepted here both are exact, so all levels give the same bits.
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
using lanes::two_product, lanes::two_sum;

constexpr double u = 0x1p-53;

/// As many lanes as D has.
template <class D, class Lanes>
struct Piece {
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  using P = lanes::Point3<V>;
  static constexpr D d{};

  using Two = lanes::Two<V>;
  static HWY_INLINE V broadcast(double x) { return hn::Set(d, x); }
  static HWY_INLINE P load(const double (*rows)[Lanes::kLanes], std::size_t k) {
    return {hn::LoadU(d, rows[0] + k), hn::LoadU(d, rows[1] + k), hn::LoadU(d, rows[2] + k)};
  }
  static HWY_INLINE void store(const P& p, double (*rows)[Lanes::kLanes], std::size_t k) {
    hn::StoreU(p.x, d, rows[0] + k);
    hn::StoreU(p.y, d, rows[1] + k);
    hn::StoreU(p.z, d, rows[2] + k);
  }

  /// Whether x is 0, or of a size for which no product here comes near the limits of the doubles' range.
  static HWY_INLINE M moderate(V x) {
    const V size = hn::Abs(x);
    return hn::And(hn::Or(size > broadcast(0x1p-150), size == hn::Zero(d)), size < broadcast(0x1p150));
  }
  static HWY_INLINE M moderate(const P& p) { return hn::And(hn::And(moderate(p.x), moderate(p.y)), moderate(p.z)); }

  /// The neighbour of x (not 0) that is farther from 0; with step -1, the one that is nearer.
  static HWY_INLINE V neighbor(V x, std::int64_t step) {
    const hn::RebindToSigned<D> di;
    return hn::BitCast(d, hn::BitCast(di, x) + hn::Set(di, step));
  }
  /// Stores t + step rounded down in `out`; the mask has the lanes where the error leaves the rounding certain.
  static HWY_INLINE M rounded_down(V t, V step, V error, V& out) {
    const Two q = two_sum(t, step);
    const V outer = neighbor(q.hi, 1), inner = neighbor(q.hi, -1);
    const M positive = q.hi > hn::Zero(d);
    const V up = hn::IfThenElse(positive, outer, inner), down = hn::IfThenElse(positive, inner, outer), back = hn::Neg(q.lo);
    const M here = hn::And(q.lo > error, q.lo + error < up - q.hi);
    const M below = hn::And(back > error, back + error < q.hi - down);
    out = hn::IfThenElse(here, q.hi, down);
    return hn::Or(here, below);
  }
  static HWY_INLINE V clamp(V v, V most) { return hn::IfThenElse(v < hn::Zero(d), hn::Zero(d), hn::IfThenElse(most < v, most, v)); }
  /// One coordinate of o + t d - a.
  static HWY_INLINE Two residual(V t, V origin, V corner, V direction, V direction_rest) {
    Two p = two_product(t, direction);
    p.lo = p.lo + t * direction_rest;
    const Two s = two_sum(origin, hn::Neg(corner)), q = two_sum(s.hi, p.hi);
    return two_sum(q.hi, q.lo + (s.lo + p.lo));
  }
  static HWY_INLINE std::uint32_t mask_bits(M m, std::size_t k) {
    std::uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, m, bytes);
    return (bytes[0] & ((1u << hn::Lanes(d)) - 1)) << k;
  }

  static HWY_INLINE void decide_lanes(Lanes& l, std::size_t k) {
    const P a = load(l.corner, k), b = load(l.corner + 3, k), c = load(l.corner + 6, k), o = load(l.origin, k), direction = load(l.direction, k),
            direction_rest = load(l.direction_rest, k);
    const P e = b - a, f = c - a;
    const V p0 = e.y * f.z, q0 = e.z * f.y, p1 = e.z * f.x, q1 = e.x * f.z, p2 = e.x * f.y, q2 = e.y * f.x;
    const P n{p0 - q0, p1 - q1, p2 - q2};
    const P m{hn::Abs(p0) + hn::Abs(q0), hn::Abs(p1) + hn::Abs(q1), hn::Abs(p2) + hn::Abs(q2)};
    const V nn = dot(n, n), size = hn::Max(hn::Max(m.x, m.y), m.z);
    const M ordinary = hn::And(hn::And(moderate(e), moderate(f)), hn::And(moderate(direction), hn::And(moderate(o), moderate(a))));
    M good = hn::And(ordinary, nn > size * size * broadcast(0x1p-10));
    const P w = a - o;
    const V reach = max_norm(direction), far = hn::Max(hn::Max(max_norm(o), max_norm(a)), broadcast(0x1p-300));
    const V den = dot(n, direction), size_of_den = hn::Abs(den), den_bound = dot(m, abs(direction)) * broadcast(8 * u);
    good = hn::And(good, size_of_den > den_bound * broadcast(0x1p20));
    const V t = dot(n, w) / den, size_of_t = hn::Abs(t);
    good = hn::And(good, hn::And(size_of_t > broadcast(0x1p-150), size_of_t < broadcast(0x1p150)));
    const Two rx = residual(t, o.x, a.x, direction.x, direction_rest.x), ry = residual(t, o.y, a.y, direction.y, direction_rest.y),
              rz = residual(t, o.z, a.z, direction.z, direction_rest.z);
    const P r{rx.hi, ry.hi, rz.hi};
    const V magnitude = hn::Max(far, size_of_t * reach), sum_m = m.x + m.y + m.z, m_r = dot(m, abs(r));
    V step = hn::Neg(dot(n, r)) / den;
    V error =
        (m_r * broadcast(9.1 * u) + sum_m * (magnitude * broadcast(9.1 * u * u))) / size_of_den * broadcast(1 + 0x1p-15) + hn::Abs(step) * broadcast(0x1p-18);
    V down;
    M decided = rounded_down(t, step, error, down);
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Or(decided, hn::Not(good))))) {
      const Two ex = two_sum(b.x, hn::Neg(a.x)), ey = two_sum(b.y, hn::Neg(a.y)), ez = two_sum(b.z, hn::Neg(a.z)), fx = two_sum(c.x, hn::Neg(a.x)),
                fy = two_sum(c.y, hn::Neg(a.y)), fz = two_sum(c.z, hn::Neg(a.z));
      const Two nr = ((ey * fz - ez * fy) * rx + (ez * fx - ex * fz) * ry) + (ex * fy - ey * fx) * rz;
      const V finer = hn::Neg(nr.hi) / den;
      const V sizes = m_r + sum_m * magnitude * broadcast(0x1p-52);
      V finer_error = sizes * broadcast(64 * u * u) / size_of_den + hn::Abs(finer) * (den_bound / size_of_den + broadcast(4 * u));
      finer_error = finer_error + sum_m * (magnitude * broadcast(16 * u * u)) / size_of_den;
      V finer_down;
      M finer_decided = rounded_down(t, finer, finer_error, finer_down);
      finer_decided = hn::AndNot(decided, hn::And(finer_decided, hn::Abs(step) < size_of_t * broadcast(0x1p-36)));
      step = hn::IfThenElse(decided, step, finer);
      error = hn::IfThenElse(decided, error, finer_error);
      down = hn::IfThenElse(decided, down, finer_down);
      decided = hn::Or(decided, finer_decided);
    }
    const V side = hn::Max(max_norm(e), max_norm(f)), side_sq = side * side;
    const V slack = (error + hn::Abs(step) * broadcast(4 * u)) * reach + magnitude * broadcast(16 * u * u), loss = slack * side;
    good = hn::And(good, hn::And(nn > side_sq * side_sq * broadcast(0x1p-16), nn > loss * loss * broadcast(0x1p84)));
    const P at = point_along(r, step, direction), v = cross(at, f), x = cross(e, at);
    const V wb = clamp(dot(v, n) / nn, broadcast(1.0)), wc = clamp(dot(x, n) / nn, broadcast(1.0) - wb), length = hn::Sqrt(nn);
    store({broadcast(1.0) - wb - wc, wb, wc}, l.weight, k);
    store({n.x / length, n.y / length, n.z / length}, l.normal, k);
    hn::StoreU(down, d, l.t + k);
    l.unaccepted |= mask_bits(hn::Not(hn::And(ordinary, hn::And(size_of_t > broadcast(0x1p-150), size_of_t < broadcast(0x1p150)))), k);
    l.decided |= mask_bits(hn::And(decided, good), k);
    l.front |= mask_bits(den < hn::Zero(d), k);
  }
};

void decide_lanes(HitLanes& l) {
  using D = hn::CappedTag<double, HitLanes::kLanes>;
  l.decided = l.front = l.unaccepted = 0;
  for (std::size_t k = 0; k < HitLanes::kLanes; k += hn::Lanes(D())) Piece<D, HitLanes>::decide_lanes(l, k);
}
void decide_lane(HitLane& l) {
  l.decided = l.front = l.unaccepted = 0;
  Piece<hn::CappedTag<double, 1>, HitLane>::decide_lanes(l, 0);
}

}  // namespace

const HitKernels* hit_table() {
  static constexpr HitKernels table{&decide_lanes, &decide_lane};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(hit_table);

const HitKernels& hit_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(hit_table)();
}

}  // namespace graze
#endif
