// The filters of pairs in SIMD lanes: most are the texts that the functions for one pair use, in doubles, too. Triangles have a bound of their own, which costs
// less in lanes than a common one with tables.
#include "pairs/detail/batch_kernels.hpp"

#include "pairs/detail/obb_generators.hpp"

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

namespace lanes {
using filter::kTinySquare, filter::kSphereBoxSlack, filter::kCapsuleBoxSlack;

/// The value of the first region that holds, or else the last.
template <class T>
HWY_INLINE T first_of(const M (&regions)[6], const T (&values)[7]) {
  T r = values[6];
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) r = select(regions[k], values[k], r);
  return r;
}

/// The last place with g <= 0, the first with g > 0, and these g.
template <class V>
class Bracket {
 public:
  HWY_INLINE Bracket() : low_(constant<V>(0)), high_(constant<V>(1)), g_low_(constant<V>(-kMuch)), g_high_(constant<V>(kMuch)) {}
  HWY_INLINE void add(V at, V g) {
    const Mask<V> falls = g <= 0;
    low_ = max(low_, hn::IfThenElseZero(falls, at)), g_low_ = max(g_low_, select(falls, g, constant<V>(-kMuch)));
    high_ = min(high_, select(falls, constant<V>(1), at)), g_high_ = min(g_high_, select(falls, constant<V>(kMuch), g));
  }
  HWY_INLINE V zero() const { return low_ + (high_ - low_) * (g_low_ / (g_low_ - g_high_)); }

 private:
  static constexpr double kMuch = 0x1p1000;
  V low_, high_, g_low_, g_high_;
};

#include "pairs/capsule_capsule-inl.hpp"
#include "pairs/capsule_obb-inl.hpp"
#include "pairs/line_box-inl.hpp"
#include "pairs/obb_obb-inl.hpp"
#include "pairs/sphere_obb-inl.hpp"
#include "pairs/sphere_segment-inl.hpp"
#include "pairs/sphere_sphere-inl.hpp"
#include "pairs/sphere_triangle-inl.hpp"
}  // namespace lanes

namespace {
using namespace lanes;

constexpr double u = 0x1p-53;

// ---- round shapes ----

std::size_t sphere_sphere(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 4>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P p{a[0], a[1], a[2]}, q{b[0], b[1], b[2]};
    const V reach = a[3] + b[3];
    Answer answer = decide_balls(p, q, reach);
    if (!all_lanes(answer.sure)) {
      const Answer close = decide_close_balls(p, q, a[3], b[3]);
      answer.yes = (answer.yes & answer.sure) | (close.yes & !answer.sure);
      answer.sure = answer.sure | close.sure;
    }
    return answer;
  });
}
std::size_t sphere_capsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 7>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return decide_ball_segment<V>({b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {a[0], a[1], a[2]}, a[3] + b[6]);
  });
}
std::size_t capsule_capsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<7, 7>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return decide_thick_segments<V>({a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {b[0], b[1], b[2]}, {b[3], b[4], b[5]}, a[6] + b[6]);
  });
}
std::size_t sphere_triangle(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 9>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return decide_ball_triangle<V>({b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}, {a[0], a[1], a[2]}, a[3]);
  });
}

// ---- boxes ----

std::size_t sphere_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 6>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P c{a[0], a[1], a[2]};
    return decide_balls(c, nearest_in_box<V>(c, {b[0], b[1], b[2]}, {b[3], b[4], b[5]}), a[3]);
  });
}
std::size_t box_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<6, 6>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    M meet = (a[0] <= b[3]) & (b[0] <= a[3]);
    for (int k = 1; k < 3; ++k) meet = meet & (a[k] <= b[3 + k]) & (b[k] <= a[3 + k]);
    return Answer{meet, !no_lanes()};
  });
}

std::size_t segment_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<6, 6>(a, b, n, out, undecided, [](const V* s, const V* box) HWY_ATTR {
    V d[3], low[3], high[3];
    M apart = no_lanes();
    V far = constant<V>(0);
    for (int k = 0; k < 3; ++k) {
      apart = apart | (max(s[k], s[3 + k]) < box[k]) | (min(s[k], s[3 + k]) > box[3 + k]);
      d[k] = s[3 + k] - s[k], low[k] = box[k] - s[k], high[k] = box[3 + k] - s[k];
      far = max(max(far, abs(d[k])), max(abs(low[k]), abs(high[k])));
    }
    const LineBoxGaps<V> gaps(d, low, high);
    apart = apart | gaps.any_separates();
    M sure = apart | gaps.none_separates();
    if (!all_lanes(sure)) {
      const V numbers[12] = {s[0], s[1], s[2], s[3], s[4], s[5], box[0], box[1], box[2], box[3], box[4], box[5]};
      const M exact = on_grid(numbers, far, 25);  // close_segment_meets
      apart = apart | (exact & gaps.any_positive());
      sure = sure | exact;
    }
    return Answer{!apart, sure};
  });
}

// ---- round shapes against oriented boxes: centre, axes, half sizes ----

HWY_INLINE P generator(const V* f, int k) { return {f[3 + 3 * k] * f[12 + k], f[4 + 3 * k] * f[12 + k], f[5 + 3 * k] * f[12 + k]}; }

std::size_t sphere_oriented_box(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<4, 15>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return decide_ball_box<V>(P{a[0], a[1], a[2]} - P{b[0], b[1], b[2]}, {generator(b, 0), generator(b, 1), generator(b, 2)}, a[3]);
  });
}

std::size_t oriented_box_capsule(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<15, 7>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    const P p{b[0], b[1], b[2]}, q{b[3], b[4], b[5]};
    return decide_thick_segment_box<V>(p - P{a[0], a[1], a[2]}, q - p, {generator(a, 0), generator(a, 1), generator(a, 2)}, b[6]);
  });
}

HWY_INLINE Generators<V> generators(const V* f) {
  Generators<V> g;
  for (int k = 0; k < 3; ++k) g.u[k] = generator(f, k);
  g.set_size();
  g.set_cofactors();
  return g;
}

HWY_INLINE Answer test_boxes(const Generators<V>& a, const Generators<V>& b, const P& t) {
  const AxisSlacks<V> slack(max_norm(t), a.size, b.size);
  V p[3][3], q[3][3], gap_a[3], gap_b[3], gap[9];
  const V det_a = face_gaps(a, b, t, p, gap_a), det_b = face_gaps(b, a, t, q, gap_b);
  M apart = no_lanes(), inside = (det_a > slack.a) | (det_b > slack.b);
  const auto test_axis = [&](V gap, V slack) HWY_ATTR {
    apart = apart | (gap > slack);
    inside = inside & (gap < -slack);
  };
  for (int k = 0; k < 3; ++k) test_axis(gap_a[k], slack.a), test_axis(gap_b[k], slack.b);
  if (all_lanes(slack.in_range & apart)) return {no_lanes(), slack.in_range};
  edge_gaps(a, b, t, p, q, gap);
  for (const V g : gap) test_axis(g, slack.ab);
  return {slack.in_range & inside, slack.in_range & (apart | inside)};
}

std::size_t oriented_boxes(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided) {
  return for_pairs<15, 15>(a, b, n, out, undecided, [](const V* a, const V* b) HWY_ATTR {
    return test_boxes(generators(a), generators(b), P{b[0], b[1], b[2]} - P{a[0], a[1], a[2]});
  });
}

// ---- triangles: triangle_triangle.cpp ----

/// Signs of determinants as numbers -1, 0, 1, and a mask of the certain ones.
struct Signs {
  V sign;
  M sure;
};
HWY_INLINE Signs sign_of(V det, V permanent, M exact) {
  const V one = constant<V>(1.0), size = abs(det);
  return {hn::IfThenElseZero(size > constant<V>(0), copy_sign(one, det)), exact | (size > permanent * constant<V>(7.0000001 * u) + constant<V>(0x1p-770))};
}

/// A plane through three points: the products of its normal and their sizes, as orient3d needs them.
struct Side {
  P origin, normal, sizes;
  HWY_INLINE Side(const P& a, const P& b, const P& c) : origin(a) {
    const P e = b - a, f = c - a;
    const V p0 = e.y * f.z, q0 = e.z * f.y, p1 = e.z * f.x, q1 = e.x * f.z, p2 = e.x * f.y, q2 = e.y * f.x;
    normal = {p0 - q0, p1 - q1, p2 - q2};
    sizes = {abs(p0) + abs(q0), abs(p1) + abs(q1), abs(p2) + abs(q2)};
  }
  HWY_INLINE Signs of(const P& point, M exact) const {
    const P w = point - origin;
    return sign_of(dot(normal, w), dot(sizes, abs(w)), exact);
  }
};

/// Moves the corner that is alone on its side of the other's plane to the front (triangle_triangle.cpp, kAlone), the other two in cyclic order.
HWY_INLINE void rotate_to_alone(P* c, V* s) {
  const V zero = constant<V>(0);
  const M two = s[0] * s[1] > zero, one = hn::AndNot(two, s[0] * s[2] > zero);
  const M rest = hn::AndNot(s[1] * s[2] > zero, s[0] == zero), s1_zero = s[1] == zero;
  const M by1 = one | hn::AndNot(s1_zero, rest), by2 = two | (s1_zero & rest);
  const P c0 = c[0], c1 = c[1], c2 = c[2];
  const V s0 = s[0], s1 = s[1], s2 = s[2];
  c[0] = select(by1, c1, select(by2, c2, c0)), s[0] = select(by1, s1, select(by2, s2, s0));
  c[1] = select(by1, c2, select(by2, c0, c1)), s[1] = select(by1, s2, select(by2, s0, s1));
  c[2] = select(by1, c0, select(by2, c1, c2));
}

HWY_INLINE Answer triangles_meet(P* a, P* b) {
  const V zero = constant<V>(0);
  const V numbers[18] = {a[0].x, a[0].y, a[0].z, a[1].x, a[1].y, a[1].z, a[2].x, a[2].y, a[2].z,
                         b[0].x, b[0].y, b[0].z, b[1].x, b[1].y, b[1].z, b[2].x, b[2].y, b[2].z};
  const V far = max(max(max(max_norm(a[1] - a[0]), max_norm(a[2] - a[0])), max_norm(b[0] - a[0])), max(max_norm(b[1] - a[0]), max_norm(b[2] - a[0])));
  // In this range, underflow loses less than 2^-770 and nothing overflows.
  const M in_range = (far > constant<V>(0x1p-300)) & (far < constant<V>(0x1p300));
  M exact = no_lanes(), sure, a_apart, b_apart;
  V p[3], q[3];
  const Side of_a(a[0], a[1], a[2]), of_b(b[0], b[1], b[2]);
  const auto sides = [&](const Side& plane, const P* c, V* s, M& apart) HWY_ATTR {
    const Signs s0 = plane.of(c[0], exact), s1 = plane.of(c[1], exact), s2 = plane.of(c[2], exact);
    s[0] = s0.sign, s[1] = s1.sign, s[2] = s2.sign;
    const M all = s0.sure & s1.sure & s2.sure;
    apart = all & (s[0] * s[1] > zero) & (s[0] * s[2] > zero);
    return all;
  };
  const auto update = [&]() HWY_ATTR { sure = sides(of_b, a, p, a_apart) & sides(of_a, b, q, b_apart); };
  update();
  M apart = a_apart | b_apart;
  bool grid_tested = false;
  if (!all_lanes(sure | apart)) {
    exact = on_grid(numbers, far, 15);  // triangle_triangle.cpp, on_coarse_grid
    grid_tested = true;
    update();
    apart = a_apart | b_apart;
  }
  apart = apart & in_range;
  if (all_lanes(apart)) return {no_lanes(), apart};
  // All corners in the other's plane: left to the planar tests.
  const auto flat = [&](const V* s) HWY_ATTR { return max(max(abs(s[0]), abs(s[1])), abs(s[2])) == zero; };
  const M crossing = sure & in_range & !(flat(p) | flat(q));
  rotate_to_alone(a, p);
  rotate_to_alone(b, q);
  const auto behind = [&](const V* s) HWY_ATTR { return (s[0] < zero) | ((s[0] == zero) & (s[1] > zero)); };
  const M a_behind = behind(p), b_behind = behind(q);
  const P a1 = select(b_behind, a[2], a[1]), a2 = select(b_behind, a[1], a[2]), b1 = select(a_behind, b[2], b[1]), b2 = select(a_behind, b[1], b[2]);
  const Side one(a[0], a1, b[0]), two(a[0], a2, b[0]);
  const auto ends = [&]() HWY_ATTR {
    const Signs near = one.of(b1, exact), far_end = two.of(b2, exact);
    const M near_no = near.sign > zero, far_no = far_end.sign < zero;
    const M no = (near.sure & near_no) | (far_end.sure & far_no), yes = near.sure & far_end.sure & !(near_no | far_no);
    return Answer{yes, yes | no};
  };
  Answer answer = ends();
  if (!grid_tested && !all_lanes(apart | answer.sure)) {
    exact = on_grid(numbers, far, 15);
    answer = ends();
  }
  const M not_apart = crossing & !apart;
  return {not_apart & answer.yes, apart | (crossing & answer.sure)};
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
