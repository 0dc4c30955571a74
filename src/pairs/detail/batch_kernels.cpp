// The filters of single pairs in SIMD lanes. Each proof is next to the named function for one pair, whose operations, and hence bounds, are the same.
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
using V2 = Two<V>;

constexpr double u = 0x1p-53;

/// on_grid of certain.hpp, with the range of `far` checked.
HWY_INLINE M on_grid(const V* x, int count, V far, int bits) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const V power = hn::BitCast(d, hn::And(hn::BitCast(du, far), hn::Set(du, 0x7FF0000000000000ull)));
  const V unit = power * broadcast(bits == 15 ? 0x1p-14 : 0x1p-24), magic = unit * broadcast(0x1.8p52), most = unit * broadcast(0x1p50);
  M exact = both(far > broadcast(0x1p-300), far < broadcast(0x1p300));
  for (int k = 0; k < count; ++k) exact = both(exact, both(x[k] + magic - magic == x[k], hn::Abs(x[k]) < most));
  return exact;
}

// ---- round shapes: sphere_sphere.hpp, certain.hpp, sphere_segment.cpp, capsule_capsule.cpp, sphere_triangle.cpp ----

HWY_INLINE Answer balls_meet(const P& a, const P& b, V reach) {
  const P x = a - b;
  const V d = dot(x, x), tt = reach * reach, excess = d - tt;
  return {(excess < zeros()), hn::Abs(excess) > (d + tt) * broadcast(16 * u) + broadcast(0x1p-1060)};
}

/// close_balls_meet of sphere_sphere.cpp, up to the point where it calls the exact sign.
HWY_INLINE Answer close_balls_meet(const P& a, const P& b, V r, V s) {
  const V2 parts[4] = {two_sum(a.x, hn::Neg(b.x)), two_sum(a.y, hn::Neg(b.y)), two_sum(a.z, hn::Neg(b.z)), two_sum(r, s)};
  V2 square[4];
  V crossed[4], errors = zeros(), small = zeros(), far = zeros();
  M plain = hn::FirstN(D(), kLanes);
  for (int k = 0; k < 4; ++k) {
    const V size = hn::Abs(parts[k].hi), half = parts[k].hi * parts[k].lo;
    square[k] = two_product(parts[k].hi, parts[k].hi);
    crossed[k] = half + half;
    errors = errors + (hn::Abs(square[k].lo) + hn::Abs(crossed[k]));
    small = small + hn::Abs(parts[k].lo);
    far = hn::Max(far, size);
    plain = both(plain, either(size == zeros(), size > broadcast(0x1p-400)));
  }
  const V2 first = two_sum(square[0].hi, square[1].hi), second = two_sum(square[2].hi, hn::Neg(square[3].hi)), sum = two_sum(first.hi, second.hi);
  errors = errors + (hn::Abs(first.lo) + hn::Abs(second.lo) + hn::Abs(sum.lo));
  const V squares = square[0].lo + square[1].lo + (square[2].lo - square[3].lo), sums = first.lo + second.lo + sum.lo;
  const V low = squares + sums + (crossed[0] + crossed[1] + (crossed[2] - crossed[3])), excess = sum.hi + low;
  const M exact = both(plain, errors + small == zeros()), clear = hn::Abs(excess) > errors * broadcast(filter::kCloseBallsSlack * u) + broadcast(0x1p-900);
  const M sure = both(far < broadcast(0x1p300), either(clear, exact));
  return {both(sure, excess <= zeros()), sure};
}

HWY_INLINE M proves_within(V xx, V reach, V slack) {
  const V in = reach - slack;
  return both(both(in > broadcast(0x1p-450), in < broadcast(0x1p500)), xx * broadcast(1 + 32 * u) < in * in);
}
HWY_INLINE M proves_apart(V level, V xx, V reach) {
  const V r = hn::Max(reach, broadcast(0x1p-400));
  return both(both(both(level > broadcast(0x1p-450), level < broadcast(0x1p500)), xx > broadcast(0x1p-900)),
              level * level > r * r * xx * broadcast(1 + 32 * u));
}
HWY_INLINE Answer proven(const P& x, V level, V reach, V slack, V size) {
  const V xx = dot(x, x);
  const M inside = proves_within(xx, reach, slack * size);
  return {inside, either(inside, proves_apart(level, xx, reach))};
}

HWY_INLINE Answer sphere_meets_segment(const P& a, const P& b, const P& c, V reach) {
  const P d = b - a, e = c - a, f = c - b;
  const V t = clamp01(dot(d, e) / dot(d, d));
  const P x = point_back(e, t, d);
  const V m = hn::Max(hn::Max(max_norm(d), max_norm(e)), max_norm(f));
  const V level = hn::Min(dot(x, e), dot(x, f)) - broadcast(8 * u) * (taxicab(x) * m);
  return proven(x, level, reach, broadcast(16 * u), m);
}

HWY_INLINE Answer thick_segments_meet(const P& p, const P& q, const P& v, const P& w, V reach) {
  const P d = q - p, e = w - v, g = p - v;
  const V dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dg = dot(d, g), eg = dot(e, g);
  const V on_pq = clamp01((de * eg - dg * ee) / (dd * ee - de * de));
  const V j = clamp01((de * on_pq + eg) / ee);
  const V i = clamp01((de * j - dg) / dd);
  const P gi{g.x + i * d.x, g.y + i * d.y, g.z + i * d.z};
  const P x = point_back(gi, j, e);
  const V m = hn::Max(hn::Max(max_norm(d), max_norm(e)), max_norm(g));
  const V at_p = dot(x, g), low = hn::Min(at_p, at_p + dot(x, d));
  return proven(x, hn::Min(low, low - dot(x, e)) - broadcast(32 * u) * (taxicab(x) * m), reach, broadcast(32 * u), m);
}

HWY_INLINE Answer sphere_meets_triangle(const P& a, const P& b, const P& c, const P& p, V reach) {
  const P ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const V zero = zeros(), one = broadcast(1.0);
  const V d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
  const V vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  const V sum = va + vb + vc, d43 = d4 - d3, d56 = d5 - d6;
  // The face, then edges and corners selected over it; the first region of the list is selected last.
  V s = clamp01(vb / sum), t = hn::Min(clamp01(vc / sum), one - s);
  const auto region = [&](M m, V on_b, V on_c) {
    s = hn::IfThenElse(m, on_b, s);
    t = hn::IfThenElse(m, on_c, t);
  };
  const V on_bc = clamp01(d43 / (d43 + d56));
  region(both(both(va <= zero, d4 >= d3), d5 >= d6), one - on_bc, on_bc);
  region(both(both(vb <= zero, d2 >= zero), d6 <= zero), zero, clamp01(d2 / (d2 - d6)));
  region(both(d6 >= zero, d5 <= d6), zero, one);
  region(both(both(vc <= zero, d1 >= zero), d3 <= zero), clamp01(d1 / (d1 - d3)), zero);
  region(both(d3 >= zero, d4 <= d3), one, zero);
  region(both(d1 <= zero, d2 <= zero), zero, zero);
  const P x = point_back(point_back(ap, s, ab), t, ac);
  const V m = hn::Max(hn::Max(hn::Max(max_norm(ab), max_norm(ac)), max_norm(ap)), hn::Max(max_norm(bp), max_norm(cp)));
  const V level = hn::Min(hn::Min(dot(x, ap), dot(x, bp)), dot(x, cp)) - broadcast(8 * u) * (taxicab(x) * m);
  return proven(x, level, reach, broadcast(48 * u), m);
}

std::size_t sphere_sphere(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 4>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P p{a[0], a[1], a[2]}, q{b[0], b[1], b[2]};
    const V reach = a[3] + b[3];
    Answer answer = balls_meet(p, q, reach);
    if (!all_lanes(answer.sure)) {
      const Answer close = close_balls_meet(p, q, a[3], b[3]);
      answer.yes = either(both(answer.yes, answer.sure), both(close.yes, hn::Not(answer.sure)));
      answer.sure = either(answer.sure, close.sure);
    }
    return answer;
  });
}
std::size_t sphere_capsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 7>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return sphere_meets_segment({b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {a[0], a[1], a[2]}, a[3] + b[6]);
  });
}
std::size_t capsule_capsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<7, 7>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return thick_segments_meet({a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {b[0], b[1], b[2]}, {b[3], b[4], b[5]}, a[6] + b[6]);
  });
}
std::size_t sphere_triangle(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 9>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return sphere_meets_triangle({b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}, {a[0], a[1], a[2]}, a[3]);
  });
}

// ---- boxes: box_box.hpp, line_box.cpp, obb_obb.cpp ----

std::size_t sphere_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 6>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P c{a[0], a[1], a[2]};
    const auto nearest = [](V x, V low, V high) HWY_ATTR { return hn::IfThenElse(x < low, low, hn::IfThenElse(high < x, high, x)); };
    return balls_meet(c, {nearest(c.x, b[0], b[3]), nearest(c.y, b[1], b[4]), nearest(c.z, b[2], b[5])}, a[3]);
  });
}
std::size_t box_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<6, 6>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    M meet = both(a[0] <= b[3], b[0] <= a[3]);
    for (int k = 1; k < 3; ++k) meet = both(meet, both(a[k] <= b[3 + k], b[k] <= a[3 + k]));
    return Answer{meet, hn::FirstN(D(), kLanes)};
  });
}

std::size_t segment_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<6, 6>(a, b, n, out, undecided, [](const V* s, const V* box) HWY_ATTR {
    V d[3], sum[3], width[3];
    M apart = hn::FirstN(D(), 0), certain = hn::FirstN(D(), kLanes), beyond = apart;  // beyond: decided by the plain doubles
    V far = zeros();
    for (int k = 0; k < 3; ++k) {
      apart = either(apart, either(hn::Max(s[k], s[3 + k]) < box[k], hn::Min(s[k], s[3 + k]) > box[3 + k]));
      d[k] = s[3 + k] - s[k];
      const V low = box[k] - s[k], high = box[3 + k] - s[k];
      sum[k] = high + low;
      width[k] = high - low;
      far = hn::Max(hn::Max(far, hn::Abs(d[k])), hn::Max(hn::Abs(low), hn::Abs(high)));
    }
    for (int k = 0; k < 3; ++k) {
      const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
      const V p = d[i] * sum[j], q = d[j] * sum[i], reach = hn::Abs(d[i]) * width[j] + hn::Abs(d[j]) * width[i];
      const V gap = hn::Abs(p - q) - reach, error = (hn::Abs(p) + hn::Abs(q) + reach) * broadcast(16 * u) + broadcast(0x1p-1070);
      apart = either(apart, gap > error);
      certain = both(certain, hn::Neg(gap) > error);
      beyond = either(beyond, gap > zeros());
    }
    if (!all_lanes(either(apart, certain))) {
      const V numbers[12] = {s[0], s[1], s[2], s[3], s[4], s[5], box[0], box[1], box[2], box[3], box[4], box[5]};
      const M exact = on_grid(numbers, 12, far, 25);
      apart = either(apart, both(exact, beyond));
      certain = either(certain, hn::AndNot(apart, exact));
    }
    return Answer{hn::AndNot(apart, certain), either(apart, certain)};
  });
}

// ---- round shapes against oriented boxes: sphere_obb.cpp, capsule_obb.cpp ----

/// Centre, axes, half sizes.
HWY_INLINE P generator(const V* f, int k) { return {f[3 + 3 * k] * f[12 + k], f[4 + 3 * k] * f[12 + k], f[5 + 3 * k] * f[12 + k]}; }
HWY_INLINE V clamp(V x, V low, V high) { return hn::Max(hn::Min(x, high), low); }
HWY_INLINE V clamp_symmetric(V x) { return hn::CopySign(clamp01(hn::Abs(x)), x); }
/// |x . u_0| + |x . u_1| + |x . u_2|, and the sum of the generators' sizes.
HWY_INLINE V reach_of(const P& x, const P* u) { return hn::Abs(dot(x, u[0])) + hn::Abs(dot(x, u[1])) + hn::Abs(dot(x, u[2])); }
HWY_INLINE V max_norm_sum(const P* u) { return max_norm(u[0]) + max_norm(u[1]) + max_norm(u[2]); }

std::size_t sphere_oriented_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 15>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P t{a[0] - b[0], a[1] - b[1], a[2] - b[2]}, u[3] = {generator(b, 0), generator(b, 1), generator(b, 2)};
    P x = t;
    for (int k = 0; k < 3; ++k) x = point_back(x, clamp_symmetric(dot(t, u[k]) / (dot(u[k], u[k]) + broadcast(filter::kTinySquare))), u[k]);
    const V m = max_norm(t) + max_norm_sum(u), level = dot(x, t) - reach_of(x, u) - broadcast(filter::kSphereBoxSlack) * (taxicab(x) * m);
    return proven(x, level, a[3], broadcast(filter::kSphereBoxSlack), m);
  });
}

std::size_t oriented_box_capsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<15, 7>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P p{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, d{b[3] - b[0], b[4] - b[1], b[5] - b[2]};
    const P u[3] = {generator(a, 0), generator(a, 1), generator(a, 2)};
    const V zero = zeros(), one = broadcast(1.0), much = broadcast(0x1p1000);
    V y[3], z[3], h[3], by_h[3], slope[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = dot(p, u[k]), z[k] = dot(d, u[k]), h[k] = dot(u[k], u[k]) + broadcast(filter::kTinySquare);
      by_h[k] = one / h[k], slope[k] = z[k] * by_h[k];
    }
    V low = zero, high = one, g_low = hn::Neg(much), g_high = much;
    const auto test_at = [&](V at) HWY_ATTR {
      V g = zero;
      for (int k = 0; k < 3; ++k) {
        const V v = y[k] + at * z[k];
        g = g + slope[k] * (v - clamp(v, hn::Neg(h[k]), h[k]));
      }
      const M falling = g <= zero;
      low = hn::Max(low, hn::IfThenElseZero(falling, at)), g_low = hn::Max(g_low, hn::IfThenElse(falling, g, hn::Neg(much)));
      high = hn::Min(high, hn::IfThenElse(falling, one, at)), g_high = hn::Min(g_high, hn::IfThenElse(falling, much, g));
    };
    for (int k = 0; k < 3; ++k) {
      const V by_z = one / z[k];
      test_at(clamp01((hn::Neg(h[k]) - y[k]) * by_z));
      test_at(clamp01((h[k] - y[k]) * by_z));
    }
    test_at(zero);
    test_at(one);
    const V along = clamp01(low + (high - low) * (g_low / (g_low - g_high)));
    P x = point_along(p, along, d);
    for (int k = 0; k < 3; ++k) x = point_back(x, clamp_symmetric((y[k] + along * z[k]) * by_h[k]), u[k]);
    const V m = max_norm(p) + max_norm(d) + max_norm_sum(u), nearer = dot(x, p) + hn::Min(zero, dot(x, d)) - reach_of(x, u);
    return proven(x, nearer - broadcast(filter::kCapsuleBoxSlack) * (taxicab(x) * m), b[6], broadcast(filter::kCapsuleBoxSlack), m);
  });
}

struct Generators {
  P u[3], cofactor[3];
  V size;
  HWY_INLINE explicit Generators(const V* f) {  // centre, axes, half sizes
    for (int k = 0; k < 3; ++k) u[k] = {f[3 + 3 * k] * f[12 + k], f[4 + 3 * k] * f[12 + k], f[5 + 3 * k] * f[12 + k]};
    for (int k = 0; k < 3; ++k) cofactor[k] = cross(u[(k + 1) % 3], u[(k + 2) % 3]);
    size = hn::Max(hn::Max(max_norm(u[0]), max_norm(u[1])), max_norm(u[2]));
  }
};

HWY_INLINE Answer test_boxes(const Generators& a, const Generators& b, const P& t) {
  const V extent = max_norm(t) + broadcast(3.0) * (a.size + b.size), unit = broadcast(96 * u) * extent;
  const V slack_a = unit * (a.size * a.size), slack_b = unit * (b.size * b.size), slack_ab = unit * (a.size * b.size);
  const M in_range = both(hn::Min(slack_a, slack_b) > broadcast(0x1p-900), extent < broadcast(0x1p300));
  const V det_a = hn::Abs(dot(a.cofactor[0], a.u[0])), det_b = hn::Abs(dot(b.cofactor[0], b.u[0]));
  M apart = hn::FirstN(D(), 0), inside = either(det_a > slack_a, det_b > slack_b);
  const auto test_axis = [&](V gap, V slack) HWY_ATTR {
    apart = either(apart, gap > slack);
    inside = both(inside, gap < hn::Neg(slack));
  };
  V p[3][3], q[3][3];
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) p[k][j] = hn::Abs(dot(a.cofactor[k], b.u[j]));
    test_axis(hn::Abs(dot(a.cofactor[k], t)) - (det_a + (p[k][0] + p[k][1] + p[k][2])), slack_a);
  }
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) q[i][k] = hn::Abs(dot(a.u[i], b.cofactor[k]));
    test_axis(hn::Abs(dot(b.cofactor[k], t)) - (det_b + (q[0][k] + q[1][k] + q[2][k])), slack_b);
  }
  if (all_lanes(both(in_range, apart))) return {hn::FirstN(D(), 0), in_range};
  for (int j = 0; j < 3; ++j) {
    const P vt = cross(b.u[j], t);
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      test_axis(hn::Abs(dot(a.u[i], vt)) - (p[i2][j] + p[i1][j] + (q[i][j2] + q[i][j1])), slack_ab);
    }
  }
  return {both(in_range, inside), both(in_range, either(apart, inside))};
}

std::size_t oriented_boxes(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<15, 15>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return test_boxes(Generators(a), Generators(b), {b[0] - a[0], b[1] - a[1], b[2] - a[2]});
  });
}

// ---- triangles: triangle_triangle.cpp ----

/// Signs of determinants as numbers -1, 0, 1, and a mask of the certain ones.
struct Signs {
  V sign;
  M sure;
};
HWY_INLINE Signs sign_of(V det, V permanent, M exact) {
  const V one = broadcast(1.0), size = hn::Abs(det);
  return {hn::IfThenElseZero(size > zeros(), hn::CopySign(one, det)), either(exact, size > permanent * broadcast(7.0000001 * u) + broadcast(0x1p-770))};
}

/// A plane through three points: the products of its normal and their sizes, as orient3d needs them.
struct Side {
  P origin, normal, sizes;
  HWY_INLINE Side(const P& a, const P& b, const P& c) : origin(a) {
    const P e = b - a, f = c - a;
    const V p0 = e.y * f.z, q0 = e.z * f.y, p1 = e.z * f.x, q1 = e.x * f.z, p2 = e.x * f.y, q2 = e.y * f.x;
    normal = {p0 - q0, p1 - q1, p2 - q2};
    sizes = {hn::Abs(p0) + hn::Abs(q0), hn::Abs(p1) + hn::Abs(q1), hn::Abs(p2) + hn::Abs(q2)};
  }
  HWY_INLINE Signs of(const P& point, M exact) const {
    const P w = point - origin;
    return sign_of(dot(normal, w), dot(sizes, abs(w)), exact);
  }
};

/// Moves the corner that is alone on its side of the other's plane to the front (triangle_triangle.cpp, kAlone), the other two in cyclic order.
HWY_INLINE void rotate_to_alone(P* c, V* s) {
  const V zero = zeros();
  const M two = s[0] * s[1] > zero, one = hn::AndNot(two, s[0] * s[2] > zero);
  const M rest = hn::AndNot(s[1] * s[2] > zero, s[0] == zero), s1_zero = s[1] == zero;
  const M by1 = either(one, hn::AndNot(s1_zero, rest)), by2 = either(two, both(s1_zero, rest));
  const P c0 = c[0], c1 = c[1], c2 = c[2];
  const V s0 = s[0], s1 = s[1], s2 = s[2];
  c[0] = select(by1, c1, select(by2, c2, c0)), s[0] = hn::IfThenElse(by1, s1, hn::IfThenElse(by2, s2, s0));
  c[1] = select(by1, c2, select(by2, c0, c1)), s[1] = hn::IfThenElse(by1, s2, hn::IfThenElse(by2, s0, s1));
  c[2] = select(by1, c0, select(by2, c1, c2));
}

HWY_INLINE Answer triangles_meet(P* a, P* b) {
  const V zero = zeros();
  const V numbers[18] = {a[0].x, a[0].y, a[0].z, a[1].x, a[1].y, a[1].z, a[2].x, a[2].y, a[2].z,
                         b[0].x, b[0].y, b[0].z, b[1].x, b[1].y, b[1].z, b[2].x, b[2].y, b[2].z};
  const V far =
      hn::Max(hn::Max(hn::Max(max_norm(a[1] - a[0]), max_norm(a[2] - a[0])), max_norm(b[0] - a[0])), hn::Max(max_norm(b[1] - a[0]), max_norm(b[2] - a[0])));
  // In this range, underflow loses less than 2^-770 and nothing overflows.
  const M in_range = both(far > broadcast(0x1p-300), far < broadcast(0x1p300));
  M exact = hn::FirstN(D(), 0), sure, a_apart, b_apart;
  V p[3], q[3];
  const Side of_a(a[0], a[1], a[2]), of_b(b[0], b[1], b[2]);
  const auto sides = [&](const Side& plane, const P* c, V* s, M& apart) HWY_ATTR {
    const Signs s0 = plane.of(c[0], exact), s1 = plane.of(c[1], exact), s2 = plane.of(c[2], exact);
    s[0] = s0.sign, s[1] = s1.sign, s[2] = s2.sign;
    const M all = both(both(s0.sure, s1.sure), s2.sure);
    apart = both(all, both(s[0] * s[1] > zero, s[0] * s[2] > zero));
    return all;
  };
  const auto update = [&]() HWY_ATTR { sure = both(sides(of_b, a, p, a_apart), sides(of_a, b, q, b_apart)); };
  update();
  M apart = either(a_apart, b_apart);
  bool asked = false;
  if (!all_lanes(either(sure, apart))) {
    exact = on_grid(numbers, 18, far, 15);  // triangle_triangle.cpp, on_coarse_grid
    asked = true;
    update();
    apart = either(a_apart, b_apart);
  }
  apart = both(apart, in_range);
  if (all_lanes(apart)) return {hn::FirstN(D(), 0), apart};
  // All corners in the other's plane: left to the planar tests.
  const auto flat = [&](const V* s) HWY_ATTR { return hn::Max(hn::Max(hn::Abs(s[0]), hn::Abs(s[1])), hn::Abs(s[2])) == zero; };
  const M crossing = both(both(sure, in_range), hn::Not(either(flat(p), flat(q))));
  rotate_to_alone(a, p);
  rotate_to_alone(b, q);
  const auto behind = [&](const V* s) HWY_ATTR { return either(s[0] < zero, both(s[0] == zero, s[1] > zero)); };
  const M a_behind = behind(p), b_behind = behind(q);
  const P a1 = select(b_behind, a[2], a[1]), a2 = select(b_behind, a[1], a[2]), b1 = select(a_behind, b[2], b[1]), b2 = select(a_behind, b[1], b[2]);
  const Side one(a[0], a1, b[0]), two(a[0], a2, b[0]);
  const auto ends = [&]() HWY_ATTR {
    const Signs near = one.of(b1, exact), far_end = two.of(b2, exact);
    const M near_no = near.sign > zero, far_no = far_end.sign < zero;
    const M no = either(both(near.sure, near_no), both(far_end.sure, far_no)), yes = both(both(near.sure, far_end.sure), hn::Not(either(near_no, far_no)));
    return Answer{yes, either(yes, no)};
  };
  Answer answer = ends();
  if (!asked && !all_lanes(either(apart, answer.sure))) {
    exact = on_grid(numbers, 18, far, 15);
    answer = ends();
  }
  const M not_apart = both(crossing, hn::Not(apart));
  return {both(not_apart, answer.yes), either(apart, both(crossing, answer.sure))};
}

std::size_t triangle_triangle(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<9, 9>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    P s[3] = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}}, t[3] = {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}};
    return triangles_meet(s, t);
  });
}

}  // namespace

const BatchKernels* batch_table() {
  static constexpr BatchKernels table{&sphere_sphere, &sphere_capsule, &capsule_capsule,     &sphere_triangle, &triangle_triangle,   &sphere_box,
                                      &box_box,       &segment_box,    &sphere_oriented_box, &oriented_boxes,  &oriented_box_capsule};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(batch_table);

const BatchKernels& batch_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(batch_table)();
}

}  // namespace graze
#endif
