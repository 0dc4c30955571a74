// The filters of single pairs in SIMD lanes. Each proof stands beside the function of one pair named here, whose operations, and hence bounds, are the same.
// Only the proposals of nearest points differ: they are computed without branches.
#include "pairs/detail/batch_kernels.hpp"

#include "pairs/detail/obb_generators.hpp"
#include "pairs/sphere_sphere.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/detail/batch_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/two_double-inl.hpp"
#include "pairs/detail/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace lanes;
using two::TwoProduct, two::TwoSum;
using V2 = two::Two<V>;

constexpr double u = 0x1p-53;

/// on_grid of certain.hpp, with the range of `far` checked.
HWY_INLINE M OnGrid(const V* x, int count, V far, int bits) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const V power = hn::BitCast(d, hn::And(hn::BitCast(du, far), hn::Set(du, 0x7FF0000000000000ull)));
  const V unit = hn::Mul(power, Set(bits == 15 ? 0x1p-14 : 0x1p-24)), magic = hn::Mul(unit, Set(0x1.8p52)), most = hn::Mul(unit, Set(0x1p50));
  M exact = And(hn::Gt(far, Set(0x1p-300)), hn::Lt(far, Set(0x1p300)));
  for (int k = 0; k < count; ++k) exact = And(exact, And(hn::Eq(hn::Sub(hn::Add(x[k], magic), magic), x[k]), hn::Lt(hn::Abs(x[k]), most)));
  return exact;
}

// ---- round shapes: sphere_sphere.hpp, certain.hpp, sphere_segment.cpp, capsule_capsule.cpp, sphere_triangle.cpp ----

HWY_INLINE Answer BallsMeet(const P& a, const P& b, V reach) {
  const P x = a - b;
  const V d = Dot(x, x), tt = hn::Mul(reach, reach), excess = hn::Sub(d, tt);
  return {hn::Lt(excess, Zero()), hn::Gt(hn::Abs(excess), hn::Add(hn::Mul(hn::Add(d, tt), Set(16 * u)), Set(0x1p-1060)))};
}

/// close_balls_meet of sphere_sphere.cpp, up to the point where it calls the exact sign.
HWY_INLINE Answer CloseBallsMeet(const P& a, const P& b, V r, V s) {
  const V2 parts[4] = {TwoSum(a.x, hn::Neg(b.x)), TwoSum(a.y, hn::Neg(b.y)), TwoSum(a.z, hn::Neg(b.z)), TwoSum(r, s)};
  V2 square[4];
  V crossed[4], errors = Zero(), small = Zero(), far = Zero();
  M plain = hn::FirstN(D(), kLanes);
  for (int k = 0; k < 4; ++k) {
    const V size = hn::Abs(parts[k].hi), half = hn::Mul(parts[k].hi, parts[k].lo);
    square[k] = TwoProduct(parts[k].hi, parts[k].hi);
    crossed[k] = hn::Add(half, half);
    errors = hn::Add(errors, hn::Add(hn::Abs(square[k].lo), hn::Abs(crossed[k])));
    small = hn::Add(small, hn::Abs(parts[k].lo));
    far = hn::Max(far, size);
    plain = And(plain, Or(hn::Eq(size, Zero()), hn::Gt(size, Set(0x1p-400))));
  }
  const V2 first = TwoSum(square[0].hi, square[1].hi), second = TwoSum(square[2].hi, hn::Neg(square[3].hi)), sum = TwoSum(first.hi, second.hi);
  errors = hn::Add(errors, hn::Add(hn::Add(hn::Abs(first.lo), hn::Abs(second.lo)), hn::Abs(sum.lo)));
  const V squares = hn::Add(hn::Add(square[0].lo, square[1].lo), hn::Sub(square[2].lo, square[3].lo)), sums = hn::Add(hn::Add(first.lo, second.lo), sum.lo);
  const V low = hn::Add(hn::Add(squares, sums), hn::Add(hn::Add(crossed[0], crossed[1]), hn::Sub(crossed[2], crossed[3]))), excess = hn::Add(sum.hi, low);
  const M exact = And(plain, hn::Eq(hn::Add(errors, small), Zero())),
          clear = hn::Gt(hn::Abs(excess), hn::Add(hn::Mul(errors, Set(filter::kCloseBallsSlack * u)), Set(0x1p-900)));
  const M sure = And(hn::Lt(far, Set(0x1p300)), Or(clear, exact));
  return {And(sure, hn::Le(excess, Zero())), sure};
}

HWY_INLINE M ProvesWithin(V xx, V reach, V slack) {
  const V in = hn::Sub(reach, slack);
  return And(And(hn::Gt(in, Set(0x1p-450)), hn::Lt(in, Set(0x1p500))), hn::Lt(hn::Mul(xx, Set(1 + 32 * u)), hn::Mul(in, in)));
}
HWY_INLINE M ProvesApart(V level, V xx, V reach) {
  const V r = hn::Max(reach, Set(0x1p-400));
  return And(And(And(hn::Gt(level, Set(0x1p-450)), hn::Lt(level, Set(0x1p500))), hn::Gt(xx, Set(0x1p-900))),
             hn::Gt(hn::Mul(level, level), hn::Mul(hn::Mul(hn::Mul(r, r), xx), Set(1 + 32 * u))));
}
HWY_INLINE Answer Proven(const P& x, V level, V reach, V slack, V size) {
  const V xx = Dot(x, x);
  const M inside = ProvesWithin(xx, reach, hn::Mul(slack, size));
  return {inside, Or(inside, ProvesApart(level, xx, reach))};
}

HWY_INLINE Answer SphereMeetsSegment(const P& a, const P& b, const P& c, V reach) {
  const P d = b - a, e = c - a, f = c - b;
  const V t = Clamp01(hn::Div(Dot(d, e), Dot(d, d)));
  const P x = Back(e, t, d);
  const V m = hn::Max(hn::Max(Size(d), Size(e)), Size(f));
  const V level = hn::Sub(hn::Min(Dot(x, e), Dot(x, f)), hn::Mul(Set(8 * u), hn::Mul(Taxicab(x), m)));
  return Proven(x, level, reach, Set(16 * u), m);
}

HWY_INLINE Answer ThickSegmentsMeet(const P& p, const P& q, const P& v, const P& w, V reach) {
  const P d = q - p, e = w - v, g = p - v;
  const V dd = Dot(d, d), ee = Dot(e, e), de = Dot(d, e), dg = Dot(d, g), eg = Dot(e, g);
  const V on_pq = Clamp01(hn::Div(hn::Sub(hn::Mul(de, eg), hn::Mul(dg, ee)), hn::Sub(hn::Mul(dd, ee), hn::Mul(de, de))));
  const V j = Clamp01(hn::Div(hn::Add(hn::Mul(de, on_pq), eg), ee));
  const V i = Clamp01(hn::Div(hn::Sub(hn::Mul(de, j), dg), dd));
  const P gi{hn::Add(g.x, hn::Mul(i, d.x)), hn::Add(g.y, hn::Mul(i, d.y)), hn::Add(g.z, hn::Mul(i, d.z))};
  const P x = Back(gi, j, e);
  const V m = hn::Max(hn::Max(Size(d), Size(e)), Size(g));
  const V at_p = Dot(x, g), low = hn::Min(at_p, hn::Add(at_p, Dot(x, d)));
  return Proven(x, hn::Sub(hn::Min(low, hn::Sub(low, Dot(x, e))), hn::Mul(Set(32 * u), hn::Mul(Taxicab(x), m))), reach, Set(32 * u), m);
}

HWY_INLINE Answer SphereMeetsTriangle(const P& a, const P& b, const P& c, const P& p, V reach) {
  const P ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const V zero = Zero(), one = Set(1.0);
  const V d1 = Dot(ab, ap), d2 = Dot(ac, ap), d3 = Dot(ab, bp), d4 = Dot(ac, bp), d5 = Dot(ab, cp), d6 = Dot(ac, cp);
  const V vc = hn::Sub(hn::Mul(d1, d4), hn::Mul(d3, d2)), vb = hn::Sub(hn::Mul(d5, d2), hn::Mul(d1, d6)), va = hn::Sub(hn::Mul(d3, d6), hn::Mul(d5, d4));
  const V sum = hn::Add(hn::Add(va, vb), vc), d43 = hn::Sub(d4, d3), d56 = hn::Sub(d5, d6);
  // The face, then edges and corners selected over it; the first region of the list is selected last.
  V s = Clamp01(hn::Div(vb, sum)), t = hn::Min(Clamp01(hn::Div(vc, sum)), hn::Sub(one, s));
  const auto region = [&](M m, V on_b, V on_c) {
    s = hn::IfThenElse(m, on_b, s);
    t = hn::IfThenElse(m, on_c, t);
  };
  const V on_bc = Clamp01(hn::Div(d43, hn::Add(d43, d56)));
  region(And(And(hn::Le(va, zero), hn::Ge(d4, d3)), hn::Ge(d5, d6)), hn::Sub(one, on_bc), on_bc);
  region(And(And(hn::Le(vb, zero), hn::Ge(d2, zero)), hn::Le(d6, zero)), zero, Clamp01(hn::Div(d2, hn::Sub(d2, d6))));
  region(And(hn::Ge(d6, zero), hn::Le(d5, d6)), zero, one);
  region(And(And(hn::Le(vc, zero), hn::Ge(d1, zero)), hn::Le(d3, zero)), Clamp01(hn::Div(d1, hn::Sub(d1, d3))), zero);
  region(And(hn::Ge(d3, zero), hn::Le(d4, d3)), one, zero);
  region(And(hn::Le(d1, zero), hn::Le(d2, zero)), zero, zero);
  const P x = Back(Back(ap, s, ab), t, ac);
  const V m = hn::Max(hn::Max(hn::Max(Size(ab), Size(ac)), Size(ap)), hn::Max(Size(bp), Size(cp)));
  const V level = hn::Sub(hn::Min(hn::Min(Dot(x, ap), Dot(x, bp)), Dot(x, cp)), hn::Mul(Set(8 * u), hn::Mul(Taxicab(x), m)));
  return Proven(x, level, reach, Set(48 * u), m);
}

std::size_t SphereSphere(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<4, 4>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    const P p{a[0], a[1], a[2]}, q{b[0], b[1], b[2]};
    const V reach = hn::Add(a[3], b[3]);
    Answer answer = BallsMeet(p, q, reach);
    if (!All(answer.sure)) {
      const Answer close = CloseBallsMeet(p, q, a[3], b[3]);
      answer.yes = Or(And(answer.yes, answer.sure), And(close.yes, hn::Not(answer.sure)));
      answer.sure = Or(answer.sure, close.sure);
    }
    return answer;
  });
}
std::size_t SphereCapsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<4, 7>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    return SphereMeetsSegment({b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {a[0], a[1], a[2]}, hn::Add(a[3], b[6]));
  });
}
std::size_t CapsuleCapsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<7, 7>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    return ThickSegmentsMeet({a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {b[0], b[1], b[2]}, {b[3], b[4], b[5]}, hn::Add(a[6], b[6]));
  });
}
std::size_t SphereTriangle(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<4, 9>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    return SphereMeetsTriangle({b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}, {a[0], a[1], a[2]}, a[3]);
  });
}

// ---- boxes: box_box.hpp, line_box.cpp, obb_obb.cpp ----

std::size_t SphereBox(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<4, 6>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    const P c{a[0], a[1], a[2]};
    const auto nearest = [](V x, V low, V high) HWY_ATTR { return hn::IfThenElse(hn::Lt(x, low), low, hn::IfThenElse(hn::Lt(high, x), high, x)); };
    return BallsMeet(c, {nearest(c.x, b[0], b[3]), nearest(c.y, b[1], b[4]), nearest(c.z, b[2], b[5])}, a[3]);
  });
}
std::size_t BoxBox(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<6, 6>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    M meet = And(hn::Le(a[0], b[3]), hn::Le(b[0], a[3]));
    for (int k = 1; k < 3; ++k) meet = And(meet, And(hn::Le(a[k], b[3 + k]), hn::Le(b[k], a[3 + k])));
    return Answer{meet, hn::FirstN(D(), kLanes)};
  });
}

std::size_t SegmentBox(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<6, 6>(a, b, n, out, open, [](const V* s, const V* box) HWY_ATTR {
    V d[3], sum[3], width[3];
    M apart = hn::FirstN(D(), 0), certain = hn::FirstN(D(), kLanes), beyond = apart;  // beyond: decided by doubles as they are
    V far = Zero();
    for (int k = 0; k < 3; ++k) {
      apart = Or(apart, Or(hn::Lt(hn::Max(s[k], s[3 + k]), box[k]), hn::Gt(hn::Min(s[k], s[3 + k]), box[3 + k])));
      d[k] = hn::Sub(s[3 + k], s[k]);
      const V low = hn::Sub(box[k], s[k]), high = hn::Sub(box[3 + k], s[k]);
      sum[k] = hn::Add(high, low);
      width[k] = hn::Sub(high, low);
      far = hn::Max(hn::Max(far, hn::Abs(d[k])), hn::Max(hn::Abs(low), hn::Abs(high)));
    }
    for (int k = 0; k < 3; ++k) {
      const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
      const V p = hn::Mul(d[i], sum[j]), q = hn::Mul(d[j], sum[i]), reach = hn::Add(hn::Mul(hn::Abs(d[i]), width[j]), hn::Mul(hn::Abs(d[j]), width[i]));
      const V gap = hn::Sub(hn::Abs(hn::Sub(p, q)), reach),
              error = hn::Add(hn::Mul(hn::Add(hn::Add(hn::Abs(p), hn::Abs(q)), reach), Set(16 * u)), Set(0x1p-1070));
      apart = Or(apart, hn::Gt(gap, error));
      certain = And(certain, hn::Gt(hn::Neg(gap), error));
      beyond = Or(beyond, hn::Gt(gap, Zero()));
    }
    if (!All(Or(apart, certain))) {
      const V numbers[12] = {s[0], s[1], s[2], s[3], s[4], s[5], box[0], box[1], box[2], box[3], box[4], box[5]};
      const M exact = OnGrid(numbers, 12, far, 25);
      apart = Or(apart, And(exact, beyond));
      certain = Or(certain, hn::AndNot(apart, exact));
    }
    return Answer{hn::AndNot(apart, certain), Or(apart, certain)};
  });
}

// ---- round shapes against oriented boxes: sphere_obb.cpp, capsule_obb.cpp ----

/// Centre, axes, half sizes.
HWY_INLINE P Generator(const V* f, int k) { return {hn::Mul(f[3 + 3 * k], f[12 + k]), hn::Mul(f[4 + 3 * k], f[12 + k]), hn::Mul(f[5 + 3 * k], f[12 + k])}; }
HWY_INLINE V Clamp(V x, V low, V high) { return hn::Max(hn::Min(x, high), low); }
HWY_INLINE V ClampSymmetric(V x) { return hn::CopySign(Clamp01(hn::Abs(x)), x); }
/// |x . u_0| + |x . u_1| + |x . u_2|, and the sum of the generators' sizes.
HWY_INLINE V Reach(const P& x, const P* u) { return hn::Add(hn::Add(hn::Abs(Dot(x, u[0])), hn::Abs(Dot(x, u[1]))), hn::Abs(Dot(x, u[2]))); }
HWY_INLINE V Sizes(const P* u) { return hn::Add(hn::Add(Size(u[0]), Size(u[1])), Size(u[2])); }

std::size_t SphereOrientedBox(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<4, 15>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    const P t{hn::Sub(a[0], b[0]), hn::Sub(a[1], b[1]), hn::Sub(a[2], b[2])}, u[3] = {Generator(b, 0), Generator(b, 1), Generator(b, 2)};
    P x = t;
    for (int k = 0; k < 3; ++k) x = Back(x, ClampSymmetric(hn::Div(Dot(t, u[k]), hn::Add(Dot(u[k], u[k]), Set(filter::kTinySquare)))), u[k]);
    const V m = hn::Add(Size(t), Sizes(u)), level = hn::Sub(hn::Sub(Dot(x, t), Reach(x, u)), hn::Mul(Set(filter::kSphereBoxSlack), hn::Mul(Taxicab(x), m)));
    return Proven(x, level, a[3], Set(filter::kSphereBoxSlack), m);
  });
}

std::size_t OrientedBoxCapsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<15, 7>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    const P p{hn::Sub(b[0], a[0]), hn::Sub(b[1], a[1]), hn::Sub(b[2], a[2])}, d{hn::Sub(b[3], b[0]), hn::Sub(b[4], b[1]), hn::Sub(b[5], b[2])};
    const P u[3] = {Generator(a, 0), Generator(a, 1), Generator(a, 2)};
    const V zero = Zero(), one = Set(1.0), much = Set(0x1p1000);
    V y[3], z[3], h[3], by_h[3], slope[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = Dot(p, u[k]), z[k] = Dot(d, u[k]), h[k] = hn::Add(Dot(u[k], u[k]), Set(filter::kTinySquare));
      by_h[k] = hn::Div(one, h[k]), slope[k] = hn::Mul(z[k], by_h[k]);
    }
    V low = zero, high = one, g_low = hn::Neg(much), g_high = much;
    const auto look = [&](V at) HWY_ATTR {
      V g = zero;
      for (int k = 0; k < 3; ++k) {
        const V v = hn::Add(y[k], hn::Mul(at, z[k]));
        g = hn::Add(g, hn::Mul(slope[k], hn::Sub(v, Clamp(v, hn::Neg(h[k]), h[k]))));
      }
      const M falling = hn::Le(g, zero);
      low = hn::Max(low, hn::IfThenElseZero(falling, at)), g_low = hn::Max(g_low, hn::IfThenElse(falling, g, hn::Neg(much)));
      high = hn::Min(high, hn::IfThenElse(falling, one, at)), g_high = hn::Min(g_high, hn::IfThenElse(falling, much, g));
    };
    for (int k = 0; k < 3; ++k) {
      const V by_z = hn::Div(one, z[k]);
      look(Clamp01(hn::Mul(hn::Sub(hn::Neg(h[k]), y[k]), by_z)));
      look(Clamp01(hn::Mul(hn::Sub(h[k], y[k]), by_z)));
    }
    look(zero);
    look(one);
    const V along = Clamp01(hn::Add(low, hn::Mul(hn::Sub(high, low), hn::Div(g_low, hn::Sub(g_low, g_high)))));
    P x = Along(p, along, d);
    for (int k = 0; k < 3; ++k) x = Back(x, ClampSymmetric(hn::Mul(hn::Add(y[k], hn::Mul(along, z[k])), by_h[k])), u[k]);
    const V m = hn::Add(hn::Add(Size(p), Size(d)), Sizes(u)), nearer = hn::Sub(hn::Add(Dot(x, p), hn::Min(zero, Dot(x, d))), Reach(x, u));
    return Proven(x, hn::Sub(nearer, hn::Mul(Set(filter::kCapsuleBoxSlack), hn::Mul(Taxicab(x), m))), b[6], Set(filter::kCapsuleBoxSlack), m);
  });
}

struct Generators {
  P u[3], cofactor[3];
  V size;
  HWY_INLINE explicit Generators(const V* f) {  // centre, axes, half sizes
    for (int k = 0; k < 3; ++k) u[k] = {hn::Mul(f[3 + 3 * k], f[12 + k]), hn::Mul(f[4 + 3 * k], f[12 + k]), hn::Mul(f[5 + 3 * k], f[12 + k])};
    for (int k = 0; k < 3; ++k) cofactor[k] = Cross(u[(k + 1) % 3], u[(k + 2) % 3]);
    size = hn::Max(hn::Max(Size(u[0]), Size(u[1])), Size(u[2]));
  }
};

HWY_INLINE Answer LookAtBoxes(const Generators& a, const Generators& b, const P& t) {
  const V extent = hn::Add(Size(t), hn::Mul(Set(3.0), hn::Add(a.size, b.size))), unit = hn::Mul(Set(96 * u), extent);
  const V slack_a = hn::Mul(unit, hn::Mul(a.size, a.size)), slack_b = hn::Mul(unit, hn::Mul(b.size, b.size)), slack_ab = hn::Mul(unit, hn::Mul(a.size, b.size));
  const M in_range = And(hn::Gt(hn::Min(slack_a, slack_b), Set(0x1p-900)), hn::Lt(extent, Set(0x1p300)));
  const V det_a = hn::Abs(Dot(a.cofactor[0], a.u[0])), det_b = hn::Abs(Dot(b.cofactor[0], b.u[0]));
  M apart = hn::FirstN(D(), 0), inside = Or(hn::Gt(det_a, slack_a), hn::Gt(det_b, slack_b));
  const auto look = [&](V gap, V slack) HWY_ATTR {
    apart = Or(apart, hn::Gt(gap, slack));
    inside = And(inside, hn::Lt(gap, hn::Neg(slack)));
  };
  V p[3][3], q[3][3];
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) p[k][j] = hn::Abs(Dot(a.cofactor[k], b.u[j]));
    look(hn::Sub(hn::Abs(Dot(a.cofactor[k], t)), hn::Add(det_a, hn::Add(hn::Add(p[k][0], p[k][1]), p[k][2]))), slack_a);
  }
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) q[i][k] = hn::Abs(Dot(a.u[i], b.cofactor[k]));
    look(hn::Sub(hn::Abs(Dot(b.cofactor[k], t)), hn::Add(det_b, hn::Add(hn::Add(q[0][k], q[1][k]), q[2][k]))), slack_b);
  }
  if (All(And(in_range, apart))) return {hn::FirstN(D(), 0), in_range};
  for (int j = 0; j < 3; ++j) {
    const P vt = Cross(b.u[j], t);
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      look(hn::Sub(hn::Abs(Dot(a.u[i], vt)), hn::Add(hn::Add(p[i2][j], p[i1][j]), hn::Add(q[i][j2], q[i][j1]))), slack_ab);
    }
  }
  return {And(in_range, inside), And(in_range, Or(apart, inside))};
}

std::size_t OrientedBoxes(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<15, 15>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    return LookAtBoxes(Generators(a), Generators(b), {hn::Sub(b[0], a[0]), hn::Sub(b[1], a[1]), hn::Sub(b[2], a[2])});
  });
}

// ---- triangles: triangle_triangle.cpp ----

/// Signs of determinants as numbers -1, 0, 1, and a mask of the certain ones.
struct Signs {
  V sign;
  M sure;
};
HWY_INLINE Signs SignOf(V det, V permanent, M exact) {
  const V one = Set(1.0), size = hn::Abs(det);
  return {hn::IfThenElseZero(hn::Gt(size, Zero()), hn::CopySign(one, det)),
          Or(exact, hn::Gt(size, hn::Add(hn::Mul(permanent, Set(7.0000001 * u)), Set(0x1p-770))))};
}

/// A plane through three points: the products of its normal and their sizes, as orient3d needs them.
struct Side {
  P origin, normal, sizes;
  HWY_INLINE Side(const P& a, const P& b, const P& c) : origin(a) {
    const P e = b - a, f = c - a;
    const V p0 = hn::Mul(e.y, f.z), q0 = hn::Mul(e.z, f.y), p1 = hn::Mul(e.z, f.x), q1 = hn::Mul(e.x, f.z), p2 = hn::Mul(e.x, f.y), q2 = hn::Mul(e.y, f.x);
    normal = {hn::Sub(p0, q0), hn::Sub(p1, q1), hn::Sub(p2, q2)};
    sizes = {hn::Add(hn::Abs(p0), hn::Abs(q0)), hn::Add(hn::Abs(p1), hn::Abs(q1)), hn::Add(hn::Abs(p2), hn::Abs(q2))};
  }
  HWY_INLINE Signs Of(const P& point, M exact) const {
    const P w = point - origin;
    return SignOf(Dot(normal, w), Dot(sizes, Abs(w)), exact);
  }
};

/// Moves the corner that is alone on its side of the other's plane to the front (triangle_triangle.cpp, kAlone), the other two in cyclic order.
HWY_INLINE void TurnToAlone(P* c, V* s) {
  const V zero = Zero();
  const M two = hn::Gt(hn::Mul(s[0], s[1]), zero), one = hn::AndNot(two, hn::Gt(hn::Mul(s[0], s[2]), zero));
  const M rest = hn::AndNot(hn::Gt(hn::Mul(s[1], s[2]), zero), hn::Eq(s[0], zero)), s1_zero = hn::Eq(s[1], zero);
  const M by1 = Or(one, hn::AndNot(s1_zero, rest)), by2 = Or(two, And(s1_zero, rest));
  const P c0 = c[0], c1 = c[1], c2 = c[2];
  const V s0 = s[0], s1 = s[1], s2 = s[2];
  c[0] = Choose(by1, c1, Choose(by2, c2, c0)), s[0] = hn::IfThenElse(by1, s1, hn::IfThenElse(by2, s2, s0));
  c[1] = Choose(by1, c2, Choose(by2, c0, c1)), s[1] = hn::IfThenElse(by1, s2, hn::IfThenElse(by2, s0, s1));
  c[2] = Choose(by1, c0, Choose(by2, c1, c2));
}

HWY_INLINE Answer TrianglesMeet(P* a, P* b) {
  const V zero = Zero();
  const V numbers[18] = {a[0].x, a[0].y, a[0].z, a[1].x, a[1].y, a[1].z, a[2].x, a[2].y, a[2].z,
                         b[0].x, b[0].y, b[0].z, b[1].x, b[1].y, b[1].z, b[2].x, b[2].y, b[2].z};
  const V far = hn::Max(hn::Max(hn::Max(Size(a[1] - a[0]), Size(a[2] - a[0])), Size(b[0] - a[0])), hn::Max(Size(b[1] - a[0]), Size(b[2] - a[0])));
  // In this range, underflow loses less than 2^-770 and nothing overflows.
  const M in_range = And(hn::Gt(far, Set(0x1p-300)), hn::Lt(far, Set(0x1p300)));
  M exact = hn::FirstN(D(), 0), sure, a_apart, b_apart;
  V p[3], q[3];
  const Side of_a(a[0], a[1], a[2]), of_b(b[0], b[1], b[2]);
  const auto sides = [&](const Side& plane, const P* c, V* s, M& apart) HWY_ATTR {
    const Signs s0 = plane.Of(c[0], exact), s1 = plane.Of(c[1], exact), s2 = plane.Of(c[2], exact);
    s[0] = s0.sign, s[1] = s1.sign, s[2] = s2.sign;
    const M all = And(And(s0.sure, s1.sure), s2.sure);
    apart = And(all, And(hn::Gt(hn::Mul(s[0], s[1]), zero), hn::Gt(hn::Mul(s[0], s[2]), zero)));
    return all;
  };
  const auto look = [&]() HWY_ATTR { sure = And(sides(of_b, a, p, a_apart), sides(of_a, b, q, b_apart)); };
  look();
  M apart = Or(a_apart, b_apart);
  bool asked = false;
  if (!All(Or(sure, apart))) {
    exact = OnGrid(numbers, 18, far, 15);  // triangle_triangle.cpp, on_coarse_grid
    asked = true;
    look();
    apart = Or(a_apart, b_apart);
  }
  apart = And(apart, in_range);
  if (All(apart)) return {hn::FirstN(D(), 0), apart};
  // All corners in the other's plane: left to the planar tests.
  const auto flat = [&](const V* s) HWY_ATTR { return hn::Eq(hn::Max(hn::Max(hn::Abs(s[0]), hn::Abs(s[1])), hn::Abs(s[2])), zero); };
  const M crossing = And(And(sure, in_range), hn::Not(Or(flat(p), flat(q))));
  TurnToAlone(a, p);
  TurnToAlone(b, q);
  const auto behind = [&](const V* s) HWY_ATTR { return Or(hn::Lt(s[0], zero), And(hn::Eq(s[0], zero), hn::Gt(s[1], zero))); };
  const M a_behind = behind(p), b_behind = behind(q);
  const P a1 = Choose(b_behind, a[2], a[1]), a2 = Choose(b_behind, a[1], a[2]), b1 = Choose(a_behind, b[2], b[1]), b2 = Choose(a_behind, b[1], b[2]);
  const Side one(a[0], a1, b[0]), two(a[0], a2, b[0]);
  const auto ends = [&]() HWY_ATTR {
    const Signs near = one.Of(b1, exact), far_end = two.Of(b2, exact);
    const M near_no = hn::Gt(near.sign, zero), far_no = hn::Lt(far_end.sign, zero);
    const M no = Or(And(near.sure, near_no), And(far_end.sure, far_no)), yes = And(And(near.sure, far_end.sure), hn::Not(Or(near_no, far_no)));
    return Answer{yes, Or(yes, no)};
  };
  Answer answer = ends();
  if (!asked && !All(Or(apart, answer.sure))) {
    exact = OnGrid(numbers, 18, far, 15);
    answer = ends();
  }
  const M not_apart = And(crossing, hn::Not(apart));
  return {And(not_apart, answer.yes), Or(apart, And(crossing, answer.sure))};
}

std::size_t TriangleTriangle(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open) {
  return ForPairs<9, 9>(a, b, n, out, open, [](const V* a, const V* b) HWY_ATTR {
    P s[3] = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}}, t[3] = {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}};
    return TrianglesMeet(s, t);
  });
}

}  // namespace

const BatchKernels* BatchTable() {
  static constexpr BatchKernels table{&SphereSphere, &SphereCapsule, &CapsuleCapsule,    &SphereTriangle, &TriangleTriangle,  &SphereBox,
                                      &BoxBox,       &SegmentBox,    &SphereOrientedBox, &OrientedBoxes,  &OrientedBoxCapsule};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(BatchTable);

const BatchKernels& batch_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(BatchTable)();
}

}  // namespace graze
#endif
