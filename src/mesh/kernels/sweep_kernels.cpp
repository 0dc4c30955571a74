// Traverses a tree with a moving ball, capsule or box and tests 4 triangles at once, compiled once per CPU level. Uses only + - * / sqrt min max and
// comparisons, each rounded separately, so all levels take the same steps.
#include "mesh/kernels/sweep_kernels.hpp"

#include <cstdint>

#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/sweep_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bvh/traversal-inl.hpp"
#include "math/limits.hpp"
#include "mesh/kernels/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;

constexpr double u = 0x1p-53;
constexpr double kUnderflow = 0x1p-1060;  // of a sum of a few products, each off by at most 2^-1075

// ---- triangles ---------------------------------------------------------------------------------------------------------------------------

/// 4 triangles relative to the mover's centre at the start, and the values that finding their nearest points needs at all times.
struct Triangles {
  P a0, a1, a2, e01, e12, e20;
  V q01, q20, m, by01, by12, by20, by_det;  // squares of edges; inverses of squares and of the determinant, infinite where those are 0
  M flat;
};
HWY_INLINE Triangles load_triangles(const TriangleBlock& b, const double* center, std::size_t k) {
  Triangles t;
  const P c = broadcast(center);
  t.a0 = corner_of(b, 0, k) - c;
  t.a1 = corner_of(b, 1, k) - c;
  t.a2 = corner_of(b, 2, k) - c;
  t.e01 = t.a1 - t.a0;
  t.e12 = t.a2 - t.a1;
  t.e20 = t.a0 - t.a2;
  const DD dd;
  const V one = hn::Set(dd, 1.0);
  t.q01 = dot(t.e01, t.e01);
  t.q20 = dot(t.e20, t.e20);
  t.m = hn::Neg(dot(t.e01, t.e20));
  const V det = t.q01 * t.q20 - t.m * t.m;
  t.by01 = one / t.q01;
  t.by12 = one / dot(t.e12, t.e12);
  t.by20 = one / t.q20;
  t.by_det = one / det;
  t.flat = hn::Not(det > hn::Zero(dd));
  return t;
}

/// The shortest difference so far.
struct Nearest {
  P y;
  V square;
  HWY_INLINE void propose(const P& z, M allowed) {
    const V sq = dot(z, z);
    const M better = hn::And(allowed, sq < square);
    y = select(better, z, y);
    square = hn::IfThenElse(better, sq, square);
  }
};

/// Proposes the foot of the perpendicular from the origin onto the triangle's plane, if it is inside; p0 is the first corner relative to that origin.
HWY_INLINE void propose_foot(const Triangles& w, const P& p0, V d01, Nearest& best) {
  const DD dd;
  const V g0 = hn::Neg(d01), g1 = dot(p0, w.e20), zero = hn::Zero(dd);
  const V s = (g0 * w.q20 - g1 * w.m) * w.by_det, r = (g1 * w.q01 - g0 * w.m) * w.by_det;
  const M inside = hn::AndNot(w.flat, hn::And(hn::And(s > zero, r > zero), s + r < hn::Set(dd, 1.0)));
  best.propose(point_along(point_along(p0, hn::IfThenElseZero(inside, s), w.e01), hn::Neg(hn::IfThenElseZero(inside, r)), w.e20), inside);
}

/// nearest_at: the approximately shortest difference from the mover's axis to each triangle at time t. Its ends are points of both, up to 16 u of the
/// coordinates.
struct Ball {
  static constexpr bool kRound = true, kLong = false;
  Ball(const Triangles&, const SweepTraversal&) {}
  HWY_INLINE Nearest nearest_at(const Triangles& w, const P& d, V t) const {
    const V back = hn::Neg(t);
    const P p0 = point_along(w.a0, back, d), p1 = point_along(w.a1, back, d), p2 = point_along(w.a2, back, d);
    const V d01 = dot(p0, w.e01), d12 = dot(p1, w.e12), d20 = dot(p2, w.e20);
    const P x = point_along(p0, clamp01(hn::Neg(d01) * w.by01), w.e01);
    Nearest best{x, dot(x, x)};
    const M all = w.q01 >= hn::Zero(DD());
    best.propose(point_along(p1, clamp01(hn::Neg(d12) * w.by12), w.e12), all);
    best.propose(point_along(p2, clamp01(hn::Neg(d20) * w.by20), w.e20), all);
    propose_foot(w, p0, d01, best);
    return best;
  }
  HWY_INLINE V reach_of(const P&) const { return hn::Zero(DD()); }
};

struct Capsule {
  static constexpr bool kRound = true, kLong = true;
  P h;
  V hh, by_h, eh[3], by[3], by_e[3];
  HWY_INLINE Capsule(const Triangles& w, const SweepTraversal& r) : h(broadcast(r.convex.half[0])) {
    const V one = hn::Set(DD(), 1.0);
    hh = dot(h, h);
    by_h = one / hh;
    const P* const e[3] = {&w.e01, &w.e12, &w.e20};
    by_e[0] = w.by01;
    by_e[1] = w.by12;
    by_e[2] = w.by20;
    for (int i = 0; i < 3; ++i) {
      eh[i] = dot(*e[i], h);
      by[i] = one / (dot(*e[i], *e[i]) * hh - eh[i] * eh[i]);
    }
  }
  HWY_INLINE Nearest nearest_at(const Triangles& w, const P& d, V t) const {
    const V back = hn::Neg(t), two = hn::Set(DD(), 2.0), one = hn::Set(DD(), 1.0), half = hn::Set(DD(), 0.5);
    const P p[3] = {point_along(w.a0, back, d), point_along(w.a1, back, d), point_along(w.a2, back, d)};
    const P* const e[3] = {&w.e01, &w.e12, &w.e20};
    Nearest best{p[0], dot(p[0], p[0])};
    const M all = best.square >= hn::Zero(DD());
    for (int i = 0; i < 3; ++i) {
      const V er = dot(*e[i], p[i]), hr = dot(h, p[i]);
      const V first = clamp01((eh[i] * hr - er * hh) * by[i]);
      const V s = clamp01(((first * eh[i] + hr) * by_h + one) * half) * two - one;  // in [-1, 1]
      const V again = clamp01((s * eh[i] - er) * by_e[i]);
      best.propose(point_along(point_along(p[i], again, *e[i]), hn::Neg(s), h), all);
    }
    for (const P& q : {p[0] - h, point_along(p[0], one, h)}) propose_foot(w, q, dot(q, w.e01), best);
    return best;
  }
  HWY_INLINE V reach_of(const P& y) const { return hn::Abs(dot(y, h)); }
};

struct BlockTimes {
  std::uint32_t possible, deep;
  alignas(32) double lo[kBlock], hi[kBlock];
};

/// Evaluates the plane perpendicular to y. There is no contact before `bound` (infinite: never); `parted`: none from time t on.
/// Where |y|^2 underflows, `length` is too small, but the bound remains valid: a component of y is a sum of terms, and is 0 or at least 2^-56 of the corner's
/// at the start. So the level of a corner is at most 2^58 |y|^2, which for |y| < 2^-106 is below 32 u |y|, and the gap is negative. Quotients of a rate that
/// underflows are infinite, later than any end.
HWY_INLINE void separate(const Triangles& w, const P& d, const P& y, V reach, V length, V t, const SweepTraversal& r, V& bound, M& parted) {
  const DD dd;
  const V one = taxicab(y), zero = hn::Zero(dd);
  const V gap =
      min3(dot(w.a0, y), dot(w.a1, y), dot(w.a2, y)) - (reach + one * hn::Set(dd, 32 * u * r.size)) - length * hn::Set(dd, r.radius_hi * (1 + 16 * u));
  const V rate = dot(d, y), rate_hi = rate + one * hn::Set(dd, 8 * u * r.size);
  const M apart = gap > zero, closing = rate_hi > zero;
  const V time = gap / hn::IfThenElse(closing, rate_hi, hn::Set(dd, 1.0)) * hn::Set(dd, 1 - 8 * u);
  bound = hn::IfThenElseZero(apart, hn::IfThenElse(closing, time, hn::Set(dd, kInfinity)));
  const V then = gap - t * rate - one * hn::Set(dd, 16 * u * r.size);
  parted = hn::AndNot(closing, then > zero);
}

/// Returns approximately the time in [0, end] at which the centre is nearest to each triangle's centroid.
HWY_INLINE V passing_time(const Triangles& w, const P& d, V end) {
  const DD dd;
  const P middle = {w.a0.x + w.a1.x + w.a2.x, w.a0.y + w.a1.y + w.a2.y, w.a0.z + w.a1.z + w.a2.z};
  const V by = dot(middle, d) / (dot(d, d) * hn::Set(dd, 3.0));
  return hn::IfThenElse(by > hn::Zero(dd), hn::IfThenElse(by < end, by, end), hn::Zero(dd));  // NaN gives 0
}

/// Lanes with a corner that is deeper than touching at the start. If triangles are small, most triangles that are deeper have such a corner.
HWY_INLINE M deep_lanes(const TriangleBlock& b, const SweepTraversal& r, std::size_t k) {
  const DD dd;
  const P c = broadcast(r.convex.center);
  const P a0 = corner_of(b, 0, k) - c, a1 = corner_of(b, 1, k) - c, a2 = corner_of(b, 2, k) - c;
  const V length = hn::Sqrt(min3(dot(a0, a0), dot(a1, a1), dot(a2, a2)));
  return length * hn::Set(dd, 1 + 8 * u) + hn::Set(dd, 64 * u * r.size) <= hn::Set(dd, r.radius_lo);
}

/// Encloses the times of first contact that may be at most `last`; no contact occurs before `begin`. Any direction proves a lower bound. Any point of the
/// triangle within radius_lo proves an upper bound.
template <class Shape>
HWY_INLINE bool test_round(const TriangleBlock& b, const SweepTraversal& r, std::uint32_t open_bits, double begin, double last, BlockTimes& out) {
  const DD dd;
  out.possible = out.deep = 0;
  const P d = broadcast(r.motion);
  const V zero = hn::Zero(dd), end = hn::Set(dd, last), one = hn::Set(dd, 1.0);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
    const std::uint8_t bits[8] = {static_cast<std::uint8_t>(open_bits >> k)};  // as many bytes as may be read
    const M undecided = hn::LoadMaskBits(dd, bits);
    if (hn::AllFalse(dd, undecided)) continue;
    const M sunk = begin == 0 ? hn::And(undecided, deep_lanes(b, r, k)) : one < zero;
    if (hn::AllFalse(dd, hn::AndNot(sunk, undecided))) {
      hn::StoreU(zero, dd, out.lo + k);
      hn::StoreU(zero, dd, out.hi + k);
      out.possible |= lane_bits(sunk, k);
      out.deep |= lane_bits(sunk, k);
      continue;
    }
    const Triangles w = load_triangles(b, r.convex.center, k);
    const Shape shape(w, r);
    // First tests near the closest approach of the path up to the end. This alone discards most triangles.
    V bound;
    M parted;
    Nearest n = shape.nearest_at(w, d, passing_time(w, d, end));
    separate(w, d, n.y, shape.reach_of(n.y), hn::Sqrt(n.square), zero, r, bound, parted);
    M alive = hn::Or(sunk, hn::And(undecided, bound <= end));
    if (hn::AllFalse(dd, alive)) continue;
    V t = hn::IfThenElse(sunk, zero, hn::Max(bound, hn::Set(dd, begin)));
    M deep = sunk, active = hn::AndNot(sunk, alive);  // finished lanes do not change, so the steps of a lane do not depend on the other lanes
    V length = zero, rate = zero, seen = zero;        // values of the last step: the nearest difference, and its time
    P y = n.y;
    const V near = hn::Set(dd, r.radius_hi * (1 + 0x1p-14)), in = hn::Set(dd, r.radius_lo), off = hn::Set(dd, 64 * u * r.size), wide = hn::Set(dd, 1 + 8 * u);
    for (int step = 0; step < 8; ++step) {  // a choice: the bounds of every step are valid, and what is still in question is decided by the caller
      n = shape.nearest_at(w, d, t);
      const V to = hn::Sqrt(n.square);
      length = hn::IfThenElse(active, to, length);
      rate = hn::IfThenElse(active, dot(d, n.y), rate);
      seen = hn::IfThenElse(active, t, seen);
      y = select(active, n.y, y);
      deep = hn::Or(deep, hn::And(hn::And(active, t == zero), to * wide + off <= in));
      separate(w, d, n.y, shape.reach_of(n.y), to, t, r, bound, parted);
      alive = hn::AndNot(hn::And(active, hn::Or(bound > end, parted)), alive);
      const M on = hn::And(hn::AndNot(deep, hn::And(active, alive)), hn::And(to > near, bound > t));
      t = hn::IfThenElse(active, hn::Max(t, bound), t);
      active = on;
      if (hn::AllFalse(dd, active)) break;
    }
    if (hn::AllFalse(dd, alive)) continue;
    // Extrapolates slightly from the last distance and its rate, and tests whether the nearest point is within the radius at that time.
    const V over = length - in + hn::Set(dd, (r.radius_hi - r.radius_lo) * 4 + 0x1p-40 * r.size);
    const V later = seen + over * length * hn::Set(dd, 1 + 0x1p-10) / rate;
    const M meant = hn::And(rate > zero, hn::And(later > zero, later < hn::Set(dd, kInfinity)));
    const V at = hn::Min(hn::IfThenElse(meant, later, t), end);
    const P then = point_along(y, seen - at, d);
    const M touched = hn::Sqrt(dot(then, then)) * wide + off <= in;
    const V hi = hn::IfThenElse(deep, zero, hn::IfThenElse(touched, at, hn::Set(dd, kInfinity)));
    hn::StoreU(t, dd, out.lo + k);
    hn::StoreU(hi, dd, out.hi + k);
    out.possible |= lane_bits(alive, k);
    out.deep |= lane_bits(hn::And(alive, deep), k);
  }
  return out.possible != 0;
}

/// A direction that may separate a box and a triangle: the cross product of two vectors, and the sum of the sizes of the products that its components are
/// differences of.
struct Normal {
  P n;
  V products;
};
HWY_INLINE Normal normal_of(const P& a, const P& b) {
  const V p[6] = {a.y * b.z, a.z * b.y, a.z * b.x, a.x * b.z, a.x * b.y, a.y * b.x};
  return {{p[0] - p[1], p[2] - p[3], p[4] - p[5]}, hn::Abs(p[0]) + hn::Abs(p[1]) + hn::Abs(p[2]) + hn::Abs(p[3]) + hn::Abs(p[4]) + hn::Abs(p[5])};
}

/// The times at which the projections of the box and the triangle overlap along all directions: within [from, to] at most, and certainly within
/// [sure_from, sure_to] unless `products` is 0: then no direction is a normal. Where both are flat, a normal of their plane leaves nothing sure.
struct Interval {
  V from, to, sure_from, sure_to, products;
  /// Projects p, d and the halves onto n: the projections overlap while low - reach <= t rate <= high + reach. With `error` in every coordinate and the
  /// roundings of products and sums, 16 u of the sizes (dots and sums of them), the reach is that much longer; likewise the rate is off by 8 u. Quotients are
  /// rounded outward by 8 u. Coordinates are below 2^101, n (a cross product of two halves or edges) below 2^204. The normals of a thin box may be as short as
  /// denormals. Then kUnderflow exceeds what products lose, and such a direction separates nothing.
  /// With `face`, n is a normal of a face of the difference of triangle and box, and sure_from and sure_to leave a margin; see docs/derivations/sweep.md.
  template <bool face>
  HWY_INLINE void cut(const Triangles& w, const P& d, const SweepTraversal& r, const P& n, V terms) {
    const DD dd;
    const V one = taxicab(n), zero = hn::Zero(dd), little = hn::Set(dd, kUnderflow), infinite = hn::Set(dd, kInfinity);
    const V wide = one * hn::Set(dd, r.convex.error + 64 * u * r.size) + little;
    V reach = wide;
    for (std::uint32_t i = 0; i < r.convex.halves; ++i) reach = reach + hn::Abs(dot(broadcast(r.convex.half[i]), n));
    const V x0 = dot(w.a0, n), x1 = dot(w.a1, n), x2 = dot(w.a2, n), rate = dot(d, n), off = one * hn::Set(dd, 8 * u * r.size) + little;
    const M back = rate < zero;
    const V low = min3(x0, x1, x2), high = max3(x0, x1, x2), speed = hn::Abs(rate);
    const V near = hn::IfThenElse(back, hn::Neg(high), low), far = hn::IfThenElse(back, hn::Neg(low), high);  // along the motion
    const V ahead = near - reach, behind = far + reach;
    const V fast = speed + off, slow = speed - off;
    const M apart = ahead > zero, moves = slow > zero, past = behind < zero;
    // Contact still ahead: reached at the greatest speed. Already past: no more contact if the sign of the speed is certain; otherwise the gap behind may still
    // have to be crossed.
    const V gap = hn::IfThenElse(apart, ahead, hn::Neg(behind));
    const V enter = hn::IfThenElseZero(hn::Or(apart, past), gap / fast * hn::Set(dd, 1 - 8 * u));
    const V leave = hn::IfThenElse(moves, hn::Max(behind, zero) / slow * hn::Set(dd, 1 + 8 * u), infinite);
    from = hn::Max(from, hn::IfThenElse(hn::And(past, moves), infinite, enter));
    to = hn::Min(to, leave);
    if constexpr (face) {
      const V inner = reach - (wide + wide + wide + terms * hn::Set(dd, 64 * u * r.size)), begin = near - inner, end = far + inner;
      const V begun = hn::IfThenElse(moves, begin / slow * hn::Set(dd, 1 + 8 * u), infinite);
      const M real = terms > zero;  // a cross product of parallel vectors is no normal
      products = products + terms;
      sure_from = hn::IfThenElse(hn::And(real, begin > zero), hn::Max(sure_from, begun), sure_from);
      sure_to = hn::IfThenElse(real, hn::Min(sure_to, end / fast * hn::Set(dd, 1 - 8 * u)), sure_to);
    }
  }
  HWY_INLINE M none(V end) const { return hn::Or(from > end, from > to); }
};

/// Encloses the times of first contact of a box that may be at most `last`; no contact occurs before `begin`.
HWY_INLINE bool test_box(const TriangleBlock& b, const SweepTraversal& r, std::uint32_t count, double begin, double last, BlockTimes& out) {
  const DD dd;
  out.possible = out.deep = 0;
  const P d = broadcast(r.motion);
  const V zero = hn::Zero(dd), one = hn::Set(dd, 1.0), end = hn::Set(dd, last), infinite = hn::Set(dd, kInfinity);
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(dd)) {
    Triangles w;
    const P c = broadcast(r.convex.center);
    w.a0 = corner_of(b, 0, k) - c;
    w.a1 = corner_of(b, 1, k) - c;
    w.a2 = corner_of(b, 2, k) - c;
    Interval during{hn::Set(dd, begin), infinite, zero, one, zero};
    for (std::size_t i = 0; i < 3; ++i) {
      const P n = broadcast(r.normal[i]);
      r.normal_products[i] < 0 ? during.cut<false>(w, d, r, n, zero) : during.cut<true>(w, d, r, n, hn::Set(dd, r.normal_products[i]));
    }
    if (hn::AllTrue(dd, during.none(end))) continue;
    const P e[3] = {w.a1 - w.a0, w.a2 - w.a1, w.a0 - w.a2};
    const Normal plane = normal_of(e[0], e[1]);
    during.cut<true>(w, d, r, plane.n, plane.products);
    if (hn::AllTrue(dd, during.none(end))) continue;
    for (std::uint32_t i = 0; i < r.convex.halves; ++i) {
      for (const P& edge : e) {
        const Normal side = normal_of(broadcast(r.convex.half[i]), edge);
        during.cut<true>(w, d, r, side.n, side.products);
      }
      if (hn::AllTrue(dd, during.none(end))) break;
    }
    for (int i = 0; i < 3; ++i) during.cut<false>(w, d, r, {i == 0 ? one : zero, i == 1 ? one : zero, i == 2 ? one : zero}, zero);
    const M possible = hn::Not(during.none(end)),
            sure = hn::And(during.sure_from <= during.sure_to, during.products > hn::Set(dd, r.certain ? 0.0 : kInfinity));
    hn::StoreU(during.from, dd, out.lo + k);
    hn::StoreU(hn::IfThenElse(sure, during.sure_from, infinite), dd, out.hi + k);
    out.possible |= lane_bits(possible, k);
    out.deep |= lane_bits(hn::And(hn::And(possible, sure), during.sure_from <= zero), k);
  }
  out.possible &= (1u << count) - 1;
  out.deep &= out.possible;
  return out.possible != 0;
}

// ---- nodes -------------------------------------------------------------------------------------------------------------------------------

/// Returns the children whose boxes the ball may touch up to q.t_hi, with lower bounds of the parameter. It tests the mover's box first, then planes
/// perpendicular to directions from the box to the centre, taken where the centre is nearest and where the boxes meet. Signs of differences are exact, so the
/// box lies behind such a plane, which separates both while the centre's level is more than the radius.
HWY_INLINE std::uint32_t test_children(const WideNode& node, const QueryRay& q, const SweepTraversal& r, float* HWY_RESTRICT entry) {
  std::uint32_t bits = traversal::test_slabs(node, q, entry);
  if (!(r.tube_radius < 0x1p20f) || bits == 0) return bits;  // a ball so large touches nearly every box
  const traversal::D d;
  const float speed = r.tube_direction[0] * r.tube_direction[0] + r.tube_direction[1] * r.tube_direction[1] + r.tube_direction[2] * r.tube_direction[2];
  const auto zero = hn::Zero(d), end = hn::Set(d, q.t_hi), half_inverse = hn::Set(d, 0.5f / speed), pad = hn::Set(d, r.tube_pad),
             radius = hn::Set(d, r.tube_radius * (1 + 0x1p-20f));
  std::uint32_t apart = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    auto along = zero;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto twice = hn::Load(d, node.plane[i] + k) + hn::Load(d, node.plane[3 + i] + k) - hn::Set(d, 2 * r.tube_at[i]);
      along = along + twice * hn::Set(d, r.tube_direction[i]);
    }
    auto first = hn::LoadU(d, entry + k);
    auto s = hn::Min(hn::Max(along * half_inverse, zero), end);
    auto undecided = zero <= zero;  // lanes still to be bounded, each independently, so that all levels give the same bounds
    for (int turn = 0; turn < 2; ++turn) {
      auto begin = zero, rate = zero, square = zero, one = zero;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto lo = hn::Load(d, node.plane[i] + k), hi = hn::Load(d, node.plane[3 + i] + k), rise = hn::Set(d, r.tube_direction[i]),
                   from = hn::Set(d, r.tube_at[i]);
        const auto at = from + s * rise;
        const auto corner = hn::Min(hn::Max(at, lo), hi), x = at - corner;
        begin = begin + x * (from - corner);
        rate = rate + x * rise;
        square = square + x * x;
        one = one + hn::Abs(x);
      }
      const auto gap = begin - one * pad - hn::Sqrt(square) * radius;
      const auto known = hn::And(gap > zero, square > hn::Set(d, 0x1p-40f)), closing = rate < zero;
      const auto bound =
          hn::IfThenElse(closing, gap / hn::IfThenElse(closing, hn::Neg(rate), hn::Set(d, 1.0f)) * hn::Set(d, 1 - 0x1p-20f), hn::Set(d, 0x1p60f));
      first = hn::Max(first, hn::IfThenElseZero(hn::And(known, undecided), bound));
      undecided = hn::And(first > zero, first <= end);  // a box that may be touched at the start rarely gets a better bound
      if (hn::AllFalse(d, undecided)) break;
      s = hn::Min(first, end);
    }
    apart |= traversal::mask_bits(first > end, k);
    hn::StoreU(first, d, entry + k);
  }
  return bits & ~apart;
}

HWY_INLINE void shrink(const SweepTraversal& w, QueryRay& q) {
  const double reached = HWY_MIN(w.least * w.time_scale, w.time_out) - w.time_in + w.time_pad;
  if (reached < 0x1p20) q.t_hi = HWY_MIN(q.t_hi, static_cast<float>(reached + 0x1p-22 * (1 + (reached < 0 ? -reached : reached))));
}

HWY_INLINE bool keep_candidates(SweepTraversal& w, std::uint32_t block, const BlockTimes& times) {
  const TriangleBlock& b = w.blocks[block];
  for (std::uint32_t bits = times.deep; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = traversal::lowest_bit(bits);
    if (b.id[s] >= w.deep) continue;
    w.deep = b.id[s];
    w.deep_place = block * static_cast<std::uint32_t>(kBlock) + s;
    w.least = 0;
  }
  for (std::uint32_t bits = times.possible & ~times.deep; bits != 0; bits &= bits - 1) {
    const std::uint32_t s = traversal::lowest_bit(bits);
    if (times.lo[s] > w.least || b.id[s] > w.deep) continue;
    if (w.found == SweepTraversal::kCandidates) {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < w.found; ++i)
        if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
      w.found = kept;
      if (kept == SweepTraversal::kCandidates) return false;
    }
    w.candidate[w.found++] = {times.lo[s], times.hi[s], block * static_cast<std::uint32_t>(kBlock) + s};
    for (std::size_t i = 0; i < 3; ++i) traversal::prefetch(w.vertices + 24 * static_cast<std::size_t>(b.vertex[i][s]));
    if (times.hi[s] < w.least) w.least = times.hi[s];
  }
  return true;
}

// ---- leaves ------------------------------------------------------------------------------------------------------------------------------

struct Leaf {
  std::uint64_t entry;
  traversal::Place at;
  std::uint32_t undecided;  ///< triangles that are still to be tested
};

/// Removes from two leaves the triangles that a plane separates from the ball or capsule up to `end`. The plane is at right angles to the difference between
/// the triangle's centroid and the centre, where the centre passes the centroid. Computed in floats, as for the children of a node. Nearly as good as the
/// nearest point where triangles are small, and much cheaper.
template <class Shape>
HWY_INLINE void drop_separated(const SweepTraversal& r, float t_hi, Leaf* HWY_RESTRICT leaf) {
  if (!(r.tube_radius < 0x1p20f)) return;
  const hn::CappedTag<float, 2 * kBlock> d;
  const TriangleBlock *const a = r.blocks + leaf[0].at.child, *const b = r.blocks + leaf[1].at.child;
  const auto set = [&](float x) HWY_ATTR { return hn::Set(d, x); };
  const float speed = r.tube_direction[0] * r.tube_direction[0] + r.tube_direction[1] * r.tube_direction[1] + r.tube_direction[2] * r.tube_direction[2];
  const auto zero = hn::Zero(d), end = set(t_hi), three = set(3), third = set(1 / (3 * speed));
  std::uint32_t apart = 0;
  for (std::size_t k = 0; k < 2 * kBlock; k += hn::Lanes(d)) {
    const auto row = [&](std::size_t i) HWY_ATTR {
#if HWY_TARGET == HWY_SCALAR
      return hn::Load(d, (k < kBlock ? a : b)->corner[i] + k % kBlock);
#else
      const hn::Half<decltype(d)> half;
      if constexpr (hn::MaxLanes(d) == 2 * kBlock)
        return hn::Combine(d, hn::Load(half, b->corner[i]), hn::Load(half, a->corner[i]));
      else
        return hn::Load(d, (k < kBlock ? a : b)->corner[i] + k % kBlock);
#endif
    };
    decltype(hn::Zero(d)) from[3][3], middle[3], x[3];  // corners, and three times the centroid, relative to the centre
    auto along = zero;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t c = 0; c < 3; ++c) from[c][i] = row(3 * c + i) - set(r.tube_at[i]);
      middle[i] = from[0][i] + from[1][i] + from[2][i];
      along = along + middle[i] * set(r.tube_direction[i]);
    }
    const auto s = hn::Min(hn::Max(along * third, zero), end) * three;
    auto rate = zero, square = zero, one = zero, reach = zero, low0 = zero, low1 = zero, low2 = zero;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto direction = set(r.tube_direction[i]);
      x[i] = middle[i] - s * direction;
      rate = rate + x[i] * direction;
      square = square + x[i] * x[i];
      one = one + hn::Abs(x[i]);
      low0 = low0 + x[i] * from[0][i];
      low1 = low1 + x[i] * from[1][i];
      low2 = low2 + x[i] * from[2][i];
      if constexpr (Shape::kLong) reach = reach + x[i] * set(r.tube_half[i]);
    }
    const auto low = hn::Min(hn::Min(low0, low1), low2) - hn::Abs(reach);
    const auto gap = low - one * set(r.tube_pad) - hn::Sqrt(square) * set(r.tube_thin * (1 + 0x1p-20f));
    apart |= traversal::mask_bits(hn::And(gap > hn::Max(rate, zero) * end, square > set(0x1p-40f)), k);
  }
  leaf[0].undecided &= ~apart;
  leaf[1].undecided &= ~(apart >> kBlock);
}

/// Tests the triangles of a leaf. `done` means that the traversal continues.
template <class Shape>
HWY_INLINE SweepEvent test_leaf(SweepTraversal& w, const Leaf& leaf) {
  const std::uint32_t block = leaf.at.child;
  const TriangleBlock& b = w.blocks[block];
  if (w.deep != ~0u) {  // only lower triangles matter
    bool lower = false;
    for (std::uint32_t s = 0; s < leaf.at.count; ++s) lower = lower || b.id[s] < w.deep;
    if (!lower) return SweepEvent::done;
  }
  const float key = traversal::key_of(leaf.entry);
  const double from = (static_cast<double>(key) + w.time_in - w.time_pad) * (1 / w.time_scale) * (1 - 0x1p-50),
               begin = key > 0 && from > 0 ? from : 0;  // no contact with the leaf's box before that; the scale is a power of two
  BlockTimes times;
  bool any;
  if constexpr (Shape::kRound)
    any = test_round<Shape>(b, w, leaf.undecided, begin, w.least, times);
  else
    any = test_box(b, w, leaf.at.count, begin, w.least, times);
  if (!any) return SweepEvent::done;
  if (!keep_candidates(w, block, times)) return SweepEvent::full;
  if (w.found == 0) return SweepEvent::done;
  bool unbounded = w.encloses;
  if constexpr (!Shape::kRound)
    for (std::uint32_t bits = times.possible; bits != 0; bits &= bits - 1) unbounded = unbounded || times.hi[traversal::lowest_bit(bits)] == kInfinity;
  return unbounded ? SweepEvent::candidates : SweepEvent::done;
}

template <class Shape>
struct SweepSearch {
  traversal::Cursor<SweepTraversal> cursor;
  QueryRay q;
  SweepEvent event = SweepEvent::done;

  HWY_INLINE bool next() { return cursor.w.visits-- != 0 ? cursor.next(q.t_hi) : (event = SweepEvent::spent, false); }
  HWY_INLINE bool at_leaf() const { return cursor.at_leaf(); }
  HWY_INLINE bool node() {
    const SweepTraversal& w = cursor.w;
    const WideNode& node = cursor.node();
    if (node.lowest >= w.deep) return false;
    alignas(64) float key[2 * kWidth];
    key[kWidth] = hwy::HighestValue<float>();
    const std::uint32_t bits = test_children(node, q, w, key);
    for (std::uint32_t b = bits; b != 0; b &= b - 1) {
      const traversal::Place at = traversal::child_of(node, traversal::lowest_bit(b));
      traversal::prefetch_four(at.count != 0 ? static_cast<const void*>(w.blocks + at.child) : static_cast<const void*>(w.nodes + at.child));
    }
    cursor.enter(bits, key);
    return false;
  }
  HWY_INLINE bool leaf() {
    SweepTraversal& w = cursor.w;
    Leaf leaf[2];
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t entry, const traversal::Place& place) HWY_ATTR { leaf[n++] = {entry, place, (1u << place.count) - 1}; };
    add(cursor.entry, cursor.at);
    if constexpr (Shape::kRound) {  // tests a second leaf at the same time if one is on top of the stack
      while (n < 2 && w.top > 0) {
        const std::uint64_t next = w.stack[w.top - 1];
        const traversal::Place place = traversal::resolve(w.nodes, static_cast<std::uint32_t>(next));
        if (place.count == 0) break;
        --w.top;
        if (traversal::key_of(next) <= q.t_hi) add(next, place);
      }
      if (n == 1) leaf[1] = leaf[0];
      drop_separated<Shape>(w, q.t_hi, leaf);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      if (leaf[i].undecided == 0 || traversal::key_of(leaf[i].entry) > q.t_hi) continue;
      event = test_leaf<Shape>(w, leaf[i]);
      if (event == SweepEvent::done) {
        shrink(w, q);
        continue;
      }
      GRAZE_EXPECTS(w.top + static_cast<std::int32_t>(n - i) <= kTraversalStack);
      for (std::uint32_t k = n; k-- > i + (event == SweepEvent::candidates ? 1 : 0);) w.stack[w.top++] = leaf[k].entry;
      return true;
    }
    return false;
  }
};

template <class Shape>
HWY_INLINE SweepEvent traverse(SweepTraversal& w) {
  ++kernel_counts.ray[traversal::kLevel];
  SweepSearch<Shape> search{traversal::Cursor<SweepTraversal>(w), w.box_ray};
  shrink(w, search.q);
  traversal::run_traversal(search);
  return search.event;
}

struct Box {
  static constexpr bool kRound = false;
};

SweepEvent traverse_ball(SweepTraversal& w) { return traverse<Ball>(w); }
SweepEvent traverse_capsule(SweepTraversal& w) { return traverse<Capsule>(w); }
SweepEvent traverse_box(SweepTraversal& w) { return traverse<Box>(w); }

}  // namespace

const SweepKernels* sweep_table() {
  static constexpr SweepKernels table{&traverse_ball, &traverse_capsule, &traverse_box};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(sweep_table);

const SweepKernels& sweep_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(sweep_table)();
}

}  // namespace graze
#endif
