// Tests of a convex set against 4 triangles, compiled once per CPU level: directions that separate them, and corners that lie inside the convex set. Uses only
// + - * / sqrt min max and comparisons, each rounded separately, so all levels take the same steps.
#include "mesh/kernels/convex_kernels.hpp"

#include "bvh/box_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE  // compile the scalar level even where the compiler's baseline is higher
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/kernels/convex_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstdint>

#include "bvh/traversal-inl.hpp"
#include "mesh/kernels/block-inl.hpp"
#include "mesh/kernels/near-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace block;

/// A corner relative to the convex set's centre.
HWY_INLINE P relative_corner(const TriangleBlock& b, const LocalConvexSet& convex, std::size_t corner, std::size_t k) {
  return corner_of(b, corner, k) - broadcast(convex.center);
}

// Along any direction n, sets whose projections are farther apart than |n|_1 error are truly apart; `error` includes the dot products' own roundings, 4 u of
// |n|_1 times coordinates. Overflow: coordinates stay below 2^201, n (a half, an offset, or a cross product of two such) below 2^406, squares below 2^815.
// Underflow: each product is off by at most 2^-1075, a sum of fewer than 20 of them by less than kUnderflow. In a square root, 3 * 2^-1075 would hide any
// length below 2^-536, so kUnderflow is also added under the root: sqrt(Dot + kUnderflow) >= |n| (1 - 4 u) for every n.
constexpr double kUnderflow = 0x1p-1060;
HWY_INLINE M surely_apart(const P* p, const LocalConvexSet& convex, const P& n) {
  const DD d;
  const V x0 = dot(p[0], n), x1 = dot(p[1], n), x2 = dot(p[2], n), little = hn::Set(d, kUnderflow);
  V reach = taxicab(n) * hn::Set(d, convex.error) + little;
  for (std::uint32_t k = 0; k < convex.halves; ++k) reach = reach + hn::Abs(dot(broadcast(convex.half[k]), n));
  if (convex.radius_hi > 0) reach = reach + hn::Sqrt(dot(n, n) + little) * hn::Set(d, convex.radius_hi);
  return hn::Or(hn::Min(hn::Min(x0, x1), x2) > reach, hn::Max(hn::Max(x0, x1), x2) < hn::Neg(reach));
}

/// The offset of p from the nearest point of the axis of a sphere or capsule.
HWY_INLINE P from_axis(const P& p, const LocalConvexSet& convex) {
  const DD d;
  if (convex.halves != 1) return p;
  const P h = broadcast(convex.half[0]);
  const V s = dot(p, h) / dot(h, h), one = hn::Set(d, 1.0);
  const V t = hn::IfThenElse(s > hn::Neg(one), hn::IfThenElse(s < one, s, one), hn::Neg(one));  // NaN gives -1, which is also a point of the axis
  return {p.x - t * h.x, p.y - t * h.y, p.z - t * h.z};
}

ConvexHits touching_pairs(const TriangleBlock& b, std::uint32_t count, const LocalConvexSet& convex) {
  const DD d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0);
  std::uint32_t possible = 0, certain = 0;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const P p[3] = {relative_corner(b, convex, 0, k), relative_corner(b, convex, 1, k), relative_corner(b, convex, 2, k)};
    M apart =
        hn::Or(hn::Or(surely_apart(p, convex, {one, zero, zero}), surely_apart(p, convex, {zero, one, zero})), surely_apart(p, convex, {zero, zero, one}));
    if (hn::AllTrue(d, apart)) continue;
    apart = hn::Or(apart, surely_apart(p, convex, cross(p[1] - p[0], p[2] - p[0])));
    for (std::uint32_t i = 0; i < convex.halves; ++i) apart = hn::Or(apart, surely_apart(p, convex, broadcast(convex.half[i])));
    if (convex.radius_hi > 0 && convex.halves < 2) apart = hn::Or(apart, surely_apart(p, convex, from_axis(p[0], convex)));
    if (hn::AllTrue(d, apart)) continue;
    possible |= lane_bits(hn::Not(apart), k);
    if (convex.halves < 2 && convex.radius_lo > 0) {
      // |offset| <= radius, with 1.75 error a coordinate for the corner and as much again for the axis.
      const V in = hn::Set(d, convex.radius_lo - 4 * convex.error);
      for (const P& corner : p) {
        const P x = from_axis(corner, convex);
        certain |= lane_bits(hn::And(in > zero, dot(x, x) * hn::Set(d, 1 + 0x1p-40) < in * in), k);
      }
    } else if (convex.halves == 3 && convex.square) {
      // s_k = p . h_k / h_k^2 within 1 - 2^-20 - error / |h_k|: halves orthogonal up to 2^-30 make each off by less than 2^-27.
      for (const P& corner : p) {
        M inside = one >= zero;
        for (std::uint32_t i = 0; i < 3; ++i) {
          const P h = broadcast(convex.half[i]);
          const V hh = dot(h, h), room = hh * hn::Set(d, 1 - 0x1p-20) + hn::Neg(taxicab(h) * hn::Set(d, 4 * convex.error));
          inside = hn::And(inside, hn::Abs(dot(corner, h)) < room);
        }
        certain |= lane_bits(inside, k);
      }
    }
    if (convex.halves == 3) {
      const P e[3] = {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
      for (std::uint32_t i = 0; i < 3 && !hn::AllTrue(d, apart); ++i) {
        for (const P& edge : e) apart = hn::Or(apart, surely_apart(p, convex, cross(broadcast(convex.half[i]), edge)));
      }
      possible &= ~lane_bits(apart, k);
    }
  }
  const std::uint32_t used = (1u << count) - 1;
  return {possible & used, (certain & used) != 0};
}

// ---- traversal, in floats ----

using near::enclose_blocks;
using near::From;
using traversal::D;

constexpr double kUnit = 0x1p-24;
/// Added to the separation bounds; exceeds the loss of products by underflow.
constexpr float kLittle = 0x1p-110f;

/// The convex set in floats. `error` includes the roundings of its numbers and of all values computed from them: 64 times half the relative rounding of the
/// largest number.
struct FloatConvexSet {
  float center[3], half[3][3], axis[3][3], reach[3], error, radius_hi, radius_lo, inverse_square;
  From<float> from;
  explicit FloatConvexSet(const LocalConvexSet& c) {
    double far = 1;
    for (int i = 0; i < 3; ++i) {
      center[i] = static_cast<float>(c.center[i]);
      far = HWY_MAX(far, c.center[i] < 0 ? -c.center[i] : c.center[i]);
    }
    for (std::uint32_t k = 0; k < c.halves; ++k) {
      double sq = 0;
      for (int i = 0; i < 3; ++i) {
        half[k][i] = static_cast<float>(c.half[k][i]);
        far += c.half[k][i] < 0 ? -c.half[k][i] : c.half[k][i];
        sq += c.half[k][i] * c.half[k][i];
      }
      if (k == 0) inverse_square = sq > 0x1p-80 ? static_cast<float>(1 / sq) : 0.0f;
      if (c.halves < 3) continue;
      const double length = __builtin_sqrt(sq);
      reach[k] = static_cast<float>(length);
      for (int i = 0; i < 3; ++i) axis[k][i] = static_cast<float>(c.half[k][i] / length);
    }
    error = near::above(c.error + 64 * kUnit * (far + c.radius_hi));
    radius_hi = near::above(c.radius_hi + 0x1p-50);
    radius_lo = static_cast<float>(c.radius_lo * (1 - 0x1p-22));
    from = {{center[0], center[1], center[2]},
            near::above(1 + 16 * kUnit),
            static_cast<float>(1 - 32 * kUnit),
            near::above(1.75 * c.error + 80 * kUnit * (1 + far))};
  }
};

template <class DF>
HWY_INLINE lanes::Point3<hn::Vec<DF>> all_lanes(DF d, const float* p) {
  return {hn::Set(d, p[0]), hn::Set(d, p[1]), hn::Set(d, p[2])};
}

template <class DF>
struct Answer {
  hn::Mask<DF> apart, touching;
};

// ---- triangles ----

/// Like surely_apart() above, for a capsule. Squares of components below 2^-63 lose up to 2^-149 each. kLittle under the root outweighs that, so the root is
/// never below |n|, however short n is.
template <class DF, class W = hn::Vec<DF>>
HWY_INLINE hn::Mask<DF> capsule_apart(DF d, const lanes::Point3<W>* p, const lanes::Point3<W>& half, const FloatConvexSet& c, const lanes::Point3<W>& n) {
  const W x0 = dot(p[0], n), x1 = dot(p[1], n), x2 = dot(p[2], n), little = hn::Set(d, kLittle);
  const W length = hn::Sqrt(dot(n, n) + little);
  const W reach = taxicab(n) * hn::Set(d, c.error) + (hn::Abs(dot(half, n)) + little) + length * hn::Set(d, c.radius_hi);
  return hn::Or(hn::Min(hn::Min(x0, x1), x2) > reach, hn::Max(hn::Max(x0, x1), x2) < hn::Neg(reach));
}

/// The offset of p from some point of the axis, about the nearest.
template <class DF, class W = hn::Vec<DF>>
HWY_INLINE lanes::Point3<W> from_axis(DF d, const lanes::Point3<W>& p, const lanes::Point3<W>& half, const FloatConvexSet& c) {
  const W one = hn::Set(d, 1.0f), t = hn::Max(hn::Min(dot(p, half) * hn::Set(d, c.inverse_square), one), hn::Neg(one));
  return point_back(p, t, half);
}

template <class DF, class W = hn::Vec<DF>>
HWY_INLINE Answer<DF> test_capsule(DF d, const lanes::Point3<W>* p, const FloatConvexSet& c) {
  const lanes::Point3<W> half = all_lanes(d, c.half[0]), x0 = from_axis(d, p[0], half, c), x1 = from_axis(d, p[1], half, c), x2 = from_axis(d, p[2], half, c);
  const W s0 = dot(x0, x0), s1 = dot(x1, x1), s2 = dot(x2, x2);
  const auto second = s1 < s0, third = s2 < hn::Min(s0, s1);
  const auto nearest = select(third, x2, select(second, x1, x0));
  const auto apart =
      hn::Or(hn::Or(capsule_apart(d, p, half, c, nearest), capsule_apart(d, p, half, c, half)), capsule_apart(d, p, half, c, cross(p[1] - p[0], p[2] - p[0])));
  // As in touching_pairs(): |offset| <= radius, with 1.75 error a coordinate for the corner and as much again for the axis.
  const float in = c.radius_lo - 4 * c.error;
  const W square = hn::Set(d, in > 0x1p-40f ? in * in * (1 - 0x1p-18f) : 0.0f);
  return {apart, hn::Min(hn::Min(s0, s1), s2) < square};
}

// In the box's own frame its sides are parallel to the axes. The transformation is a linear map F by the rounded unit axes, whose rows are orthonormal up to
// 2^-22. F maps the box into half sizes reach_j (1 + 2^-21) + 2^-21 of the others', and offsets of `error` a coordinate into less than 2 error. Sets whose
// images are apart are apart. A corner whose image is in the box, both shrunk by the error, is in the box.
template <class DF, class W = hn::Vec<DF>>
HWY_INLINE Answer<DF> test_oriented_box(DF d, const lanes::Point3<W>* p, const FloatConvexSet& c) {
  const W error = hn::Set(d, 4 * c.error), little = hn::Set(d, kLittle);
  W q[3][3], reach[3], inner[3];
  auto apart = little < hn::Zero(d);
  for (int j = 0; j < 3; ++j) {
    const lanes::Point3<W> axis = all_lanes(d, c.axis[j]);
    const W length = hn::Set(d, c.reach[j]);
    reach[j] = length + error;
    inner[j] = length - error;
    for (int i = 0; i < 3; ++i) q[i][j] = dot(p[i], axis);
    const W low = hn::Min(hn::Min(q[0][j], q[1][j]), q[2][j]), high = hn::Max(hn::Max(q[0][j], q[1][j]), q[2][j]);
    apart = hn::Or(apart, hn::Or(low > reach[j], high < hn::Neg(reach[j])));
  }
  auto touching = little < hn::Zero(d);
  for (int i = 0; i < 3; ++i)
    touching = hn::Or(touching, hn::And(hn::And(hn::Abs(q[i][0]) < inner[0], hn::Abs(q[i][1]) < inner[1]), hn::Abs(q[i][2]) < inner[2]));
  if (!hn::AllFalse(d, touching) || hn::AllTrue(d, apart)) return {apart, touching};
  W e[3][3];
  for (int j = 0; j < 3; ++j) {
    e[0][j] = q[1][j] - q[0][j];
    e[1][j] = q[2][j] - q[1][j];
    e[2][j] = q[0][j] - q[2][j];
  }
  // The face's normal.
  const lanes::Point3<W> n = cross(lanes::Point3<W>{e[0][0], e[0][1], e[0][2]}, lanes::Point3<W>{e[1][0], e[1][1], e[1][2]});
  const W across = hn::Abs(n.x) * reach[0] + hn::Abs(n.y) * reach[1] + (hn::Abs(n.z) * reach[2] + little);
  W low = dot(lanes::Point3<W>{q[0][0], q[0][1], q[0][2]}, n), high = low;
  for (int i = 1; i < 3; ++i) {
    const W x = dot(lanes::Point3<W>{q[i][0], q[i][1], q[i][2]}, n);
    low = hn::Min(low, x);
    high = hn::Max(high, x);
  }
  apart = hn::Or(apart, hn::Or(low > across, high < hn::Neg(across)));
  // The box's edges with the triangle's: n = axis j x edge has components -edge_m along l and edge_l along m.
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int l = (j + 1) % 3, m = (j + 2) % 3;
      const W x0 = e[i][l] * q[0][m] - e[i][m] * q[0][l], x1 = e[i][l] * q[1][m] - e[i][m] * q[1][l], x2 = e[i][l] * q[2][m] - e[i][m] * q[2][l];
      const W r = hn::Abs(e[i][l]) * reach[m] + hn::Abs(e[i][m]) * reach[l] + little;
      apart = hn::Or(apart, hn::Or(hn::Min(hn::Min(x0, x1), x2) > r, hn::Max(hn::Max(x0, x1), x2) < hn::Neg(r)));
    }
  }
  return {apart, touching};
}

/// Tests the triangles of n leaves, 1 to kLeaves, against the convex set and stores the undecided ones. Returns true if one triangle certainly touches.
template <std::uint32_t kHalves, std::size_t kLeaves>
HWY_INLINE bool test_leaves(ConvexTraversal& w, const FloatConvexSet& c, const std::uint64_t* leaf, std::uint32_t n) {
  using Tag = hn::CappedTag<float, kLeaves * kBlock>;
  using W = hn::Vec<Tag>;
  const Tag d;
  const TriangleBlock* b[kLeaves];
  for (std::uint32_t i = 0; i < kLeaves; ++i) b[i] = w.blocks + near::number_of(leaf[i < n ? i : n - 1]);
  alignas(64) float undecided[kLeaves * kBlock];
  bool any = false;
  for (std::size_t k = 0; k < kLeaves * kBlock; k += hn::Lanes(d)) {
    hn::Mask<Tag> maybe;
    if constexpr (kHalves == 0) {
      W lo, hi;
      enclose_blocks(d, b, c.from, k, lo, hi);
      if (!hn::AllFalse(d, hi < hn::Set(d, c.radius_lo))) return true;
      maybe = lo <= hn::Set(d, c.radius_hi);
    } else {
      const auto center = all_lanes(d, c.center);
      lanes::Point3<W> p[3];
      for (std::size_t i = 0; i < 3; ++i)
        p[i] = lanes::Point3<W>{near::rows_lanes(d, b, 3 * i, k), near::rows_lanes(d, b, 3 * i + 1, k), near::rows_lanes(d, b, 3 * i + 2, k)} - center;
      Answer<Tag> answer;
      if constexpr (kHalves == 1)
        answer = test_capsule(d, p, c);
      else
        answer = test_oriented_box(d, p, c);
      if (!hn::AllFalse(d, answer.touching)) return true;
      maybe = hn::Not(answer.apart);
    }
    any = any || !hn::AllFalse(d, maybe);
    hn::Store(hn::IfThenElseZero(maybe, hn::Set(d, 1.0f)), d, undecided + k);
  }
  if (!any) return false;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < kBlock; ++s) bits |= undecided[i * kBlock + s] != 0 ? 1u << s : 0u;
    GRAZE_EXPECTS(bits == 0 || w.undecided_count < ConvexTraversal::kUndecided);
    if (bits != 0) w.undecided[w.undecided_count++] = {near::number_of(leaf[i]), bits};
  }
  return false;
}

// ---- nodes ----

/// Bit i of `bits`: box i may meet the convex set; keys[i] is the square of the distance of its centre from the convex set's. Returns true if a box lies inside
/// the convex set. Not inlined, so that the tests of leaves keep their registers.
template <std::uint32_t kHalves>
HWY_NOINLINE bool boxes(const WideNode& node, const ConvexTraversal& w, const FloatConvexSet& c, std::uint32_t& bits, float* HWY_RESTRICT keys) {
  const D d;
  using W = hn::Vec<D>;
  const W half = hn::Set(d, 0.5f);
  std::uint32_t maybe = 0, inside = 0;
  for (std::size_t k = 0; k < kWidth; k += hn::Lanes(d)) {
    W middle[3], size[3];
    auto meets = hn::Zero(d) <= half;
    for (int i = 0; i < 3; ++i) {
      const W lo = hn::Load(d, node.plane[i] + k), hi = hn::Load(d, node.plane[3 + i] + k);
      meets = hn::And(meets, hn::And(lo <= hn::Set(d, w.box.hi[i]), hi >= hn::Set(d, w.box.lo[i])));
      middle[i] = (lo + hi) * half - hn::Set(d, c.center[i]);
      size[i] = (hi - lo) * half;
    }
    const lanes::Point3<W> m{middle[0], middle[1], middle[2]}, h{size[0], size[1], size[2]};
    auto in = half < hn::Zero(d);
    if constexpr (kHalves == 0) {
      const W error = hn::Set(d, c.error);
      lanes::Point3<W> a = lanes::abs(m);
      const lanes::Point3<W> gap{hn::Max(a.x - h.x - error, hn::Zero(d)), hn::Max(a.y - h.y - error, hn::Zero(d)), hn::Max(a.z - h.z - error, hn::Zero(d))};
      const lanes::Point3<W> far{a.x + h.x + error, a.y + h.y + error, a.z + h.z + error};
      meets = hn::And(meets, dot(gap, gap) <= hn::Set(d, c.radius_hi * c.radius_hi * (1 + 0x1p-18f) + kLittle));
      in = dot(far, far) < hn::Set(d, c.radius_lo > 0x1p-40f ? c.radius_lo * c.radius_lo * (1 - 0x1p-18f) : 0.0f);
    } else if constexpr (kHalves == 1) {
      const lanes::Point3<W> x = from_axis(d, m, all_lanes(d, c.half[0]), c);
      const W sq = dot(x, x), around = hn::Sqrt(dot(h, h)) + hn::Set(d, 4 * c.error), reach = around + hn::Set(d, c.radius_hi),
              inner = hn::Set(d, c.radius_lo) - around;
      meets = hn::And(meets, sq <= reach * reach * hn::Set(d, 1 + 0x1p-18f));
      in = hn::And(inner > hn::Set(d, 0x1p-40f), sq < inner * inner * hn::Set(d, 1 - 0x1p-18f));
    } else {
      in = half >= hn::Zero(d);
      for (int j = 0; j < 3; ++j) {
        const lanes::Point3<W> axis = all_lanes(d, c.axis[j]);
        const W shift = hn::Abs(dot(m, axis)), reach = dot(h, lanes::abs(axis)), length = hn::Set(d, c.reach[j]), error = hn::Set(d, 4 * c.error);
        meets = hn::And(meets, shift - reach - error <= length);
        in = hn::And(in, shift + reach + error < length);
      }
    }
    hn::Store(dot(m, m), d, keys + k);
    maybe |= traversal::mask_bits(meets, k);
    inside |= traversal::mask_bits(in, k);
  }
  bits = maybe & traversal::used_mask(node);
  return (inside & traversal::used_mask(node)) != 0;
}

template <std::uint32_t kHalves>
struct ConvexTests {
  ConvexTraversal& w;
  const FloatConvexSet& c;

  HWY_INLINE bool beyond(float) const { return false; }
  HWY_INLINE bool children(const WideNode& node, std::uint32_t& bits, float* HWY_RESTRICT keys) const { return boxes<kHalves>(node, w, c, bits, keys); }
  HWY_INLINE bool room() const { return w.undecided_count + 4 <= ConvexTraversal::kUndecided; }
  HWY_INLINE bool leaves(const std::uint64_t* leaf, std::uint32_t n) {
    return n > 2 ? test_leaves<kHalves, 4>(w, c, leaf, n) : test_leaves<kHalves, 2>(w, c, leaf, n);
  }
};

template <std::uint32_t kHalves>
ConvexEvent traverse(ConvexTraversal& w) {
  const FloatConvexSet c(w.convex);
  ConvexTests<kHalves> tests{w, c};
  near::LeafTraversal<ConvexTraversal, ConvexTests<kHalves>> t(w, tests);
  if (!traversal::run_traversal(t)) return ConvexEvent::done;
  return t.full ? ConvexEvent::full : ConvexEvent::touches;
}

ConvexEvent traversal_of_convex_set(ConvexTraversal& w) {
  ++kernel_counts.overlap[traversal::kLevel];
  return w.convex.halves == 0 ? traverse<0>(w) : w.convex.halves == 1 ? traverse<1>(w) : traverse<3>(w);
}

}  // namespace

const ConvexKernels* convex_table() {
  static constexpr ConvexKernels table{&touching_pairs, &traversal_of_convex_set};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"
#include "platform/expects.hpp"

namespace graze {

HWY_EXPORT(convex_table);

const ConvexKernels& convex_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(convex_table)();
}

}  // namespace graze
#endif
