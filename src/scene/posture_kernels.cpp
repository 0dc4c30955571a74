// The filters of many postures: the texts of the filters of pairs, over lanes of postures.
#include "scene/posture_kernels.hpp"

#include "pairs/detail/obb_generators.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scene/posture_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <cstring>

#include "math/two_double-inl.hpp"
#include "pairs/detail/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {

namespace lanes {
using filter::kTinySquare, filter::kSphereBoxSlack;
#include "pairs/sphere_obb-inl.hpp"
#include "pairs/sphere_segment-inl.hpp"
#include "pairs/sphere_sphere-inl.hpp"
}  // namespace lanes

namespace {
using namespace lanes;

constexpr std::size_t kBlock = kPostureBlock, kRow = kPostureRow;

// ---- placing -----------------------------------------------------------------------------------------------------------------------------

/// A pose in lanes: twelve numbers, the rotation by rows and the translation, as in Pose.
struct LanePose {
  V n[12];

  HWY_INLINE P rotated(const P& p) const {
    return {(n[0] * p.x + n[1] * p.y) + n[2] * p.z, (n[3] * p.x + n[4] * p.y) + n[5] * p.z, (n[6] * p.x + n[7] * p.y) + n[8] * p.z};
  }
  HWY_INLINE P apply(const P& p) const {
    const P r = rotated(p);
    return {r.x + n[9], r.y + n[10], r.z + n[11]};
  }
};

HWY_INLINE P all_equal(const Vec3& p) { return {constant<V>(p.x), constant<V>(p.y), constant<V>(p.z)}; }

HWY_INLINE LanePose composed(const LanePose& pose, const Pose& inner) {
  LanePose both;
  for (int j = 0; j < 3; ++j) {
    const P column = pose.rotated(all_equal({inner.rotation[0][j], inner.rotation[1][j], inner.rotation[2][j]}));
    both.n[j] = column.x, both.n[3 + j] = column.y, both.n[6 + j] = column.z;
  }
  const P t = pose.apply(all_equal(inner.translation));
  both.n[9] = t.x, both.n[10] = t.y, both.n[11] = t.z;
  return both;
}

void place(const Pose* poses, std::size_t stride, const MemberPoint* points, std::size_t count, double* places) {
  static_assert(sizeof(Pose) == 12 * sizeof(double));
  const D d;
  const std::size_t step = 12 * stride;
  alignas(64) double rows[12][kBlock];
  for (std::size_t s = 0; s < kBlock; s += kLanes) {
    const double* const p = &poses->rotation[0][0] + s * step;
    for (std::size_t i = 0; i < kLanes; ++i) __builtin_prefetch(p + i * step + 24);  // what the next members read
    for (std::size_t k = 0; k < 12; k += 4) {
      V part[4];
      spread4(d, p + k, step, part);
      for (std::size_t i = 0; i < 4; ++i) hn::Store(part[i], d, rows[k + i] + s);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    double* const to = places + 3 * i * kRow;
    const P point = all_equal(points[i].point);
    for (std::size_t s = 0; s < kBlock; s += kLanes) {
      LanePose pose;
      for (std::size_t k = 0; k < 12; ++k) pose.n[k] = hn::Load(d, rows[k] + s);
      const P at = points[i].composed ? composed(pose, points[i].inner).apply(point) : pose.apply(point);
      hn::StoreU(at.x, d, to + s);
      hn::StoreU(at.y, d, to + kRow + s);
      hn::StoreU(at.z, d, to + 2 * kRow + s);
    }
  }
}

// ---- bounding balls ----------------------------------------------------------------------------------------------------------------------

/// In the frame, a coordinate x as a float is off by 2^-24 |x| and the roundings before, which `reach` covers; the gap to a box, which is rounded outward, by
/// as much again; the square of the distance by 3 2^-24 of itself. 2^-20 covers all. A square below the normal floats counts as near.
void near_boxes(const double* center, double reach, const PostureFrame& frame, const float* boxes, std::size_t count, PostureMask* near) {
  using F = hn::CappedTag<float, 16>;
  const D d;
  const F f;
  const hn::Rebind<float, D> df;
  alignas(64) float x[3][kBlock], square[kBlock];
  const V scale = constant<V>(frame.scale), own = constant<V>(reach);
  for (std::size_t s = 0; s < kBlock; s += kLanes) {
    V sum = constant<V>(0), local = constant<V>(0);
    for (int k = 0; k < 3; ++k) {
      const V at = hn::LoadU(d, center + static_cast<std::size_t>(k) * kRow + s), in_frame = (at - frame.center[k]) * scale;
      sum = sum + abs(at), local = local + abs(in_frame);
      hn::StoreU(hn::DemoteTo(df, in_frame), df, x[k] + s);
    }
    const V r = ((own + sum * kPlacedShare) * scale) * (1 + 0x1p-20) + local * 0x1p-20;
    hn::StoreU(hn::DemoteTo(df, (r * r) * (1 + 0x1p-20) + 0x1p-120), df, square + s);
  }
  const auto zero = hn::Zero(f);
  for (std::size_t i = 0; i < count; ++i) {
    const float* const box = boxes + 6 * i;
    const auto lo0 = hn::Set(f, box[0]), lo1 = hn::Set(f, box[1]), lo2 = hn::Set(f, box[2]);
    const auto hi0 = hn::Set(f, box[3]), hi1 = hn::Set(f, box[4]), hi2 = hn::Set(f, box[5]);
    PostureMask bits = 0;
    for (std::size_t s = 0; s < kBlock; s += hn::Lanes(f)) {
      const auto px = hn::LoadU(f, x[0] + s), py = hn::LoadU(f, x[1] + s), pz = hn::LoadU(f, x[2] + s);
      const auto gx = hn::Max(hn::Max(lo0 - px, px - hi0), zero), gy = hn::Max(hn::Max(lo1 - py, py - hi1), zero),
                 gz = hn::Max(hn::Max(lo2 - pz, pz - hi2), zero);
      const auto apart = (gx * gx + gy * gy) + gz * gz > hn::LoadU(f, square + s);  // false for NaN
      std::uint8_t bytes[8] = {0};
      hn::StoreMaskBits(f, apart, bytes);
      std::uint16_t some;
      std::memcpy(&some, bytes, 2);
      bits |= PostureMask{some & ((1u << hn::Lanes(f)) - 1)} << s;
    }
    near[i] = ~bits;
  }
}

/// The distance of two balls is off by a few u of itself, which the share covers.
PostureMask near_balls(const double* a, const double* b, double reach, PostureMask which) {
  const D d;
  PostureMask bits = 0;
  for (std::size_t s = 0; s < kBlock; s += kLanes) {
    if ((which >> s & ((std::uint64_t{1} << kLanes) - 1)) == 0) continue;
    const P p{hn::LoadU(d, a + s), hn::LoadU(d, a + kRow + s), hn::LoadU(d, a + 2 * kRow + s)};
    const P q{hn::LoadU(d, b + s), hn::LoadU(d, b + kRow + s), hn::LoadU(d, b + 2 * kRow + s)};
    const P x = p - q;
    const V r = (taxicab(p) + taxicab(q)) * kPlacedShare + reach;
    bits |= PostureMask{mask_bits(dot(x, x) > (r * r) * (1 + kPlacedShare) + 0x1p-1000)} << s;
  }
  return which & ~bits;
}

// ---- balls against shapes ----------------------------------------------------------------------------------------------------------------

/// The postures of a mask, in groups of as many as there are lanes: neighbours where most are in the mask, so that they are loaded together, otherwise any, of
/// which the last fills up its group.
class Groups {
 public:
  explicit Groups(PostureMask which) : which_(which) {
    constexpr PostureMask kGroup = (PostureMask{1} << kLanes) - 1;
    std::size_t some = 0;
    for (std::size_t s = 0; s < kBlock; s += kLanes)
      if ((which >> s & kGroup) != 0) at_[kLanes * some++] = static_cast<std::int64_t>(s);
    neighbors_ = some * kLanes <= 2 * static_cast<std::size_t>(__builtin_popcountll(which));  // a choice
    if (neighbors_) {
      count_ = some;
      return;
    }
    std::size_t n = 0;
    for (; which != 0; which &= which - 1) at_[n++] = __builtin_ctzll(which);
    for (count_ = (n + kLanes - 1) / kLanes; n < count_ * kLanes; ++n) at_[n] = at_[n - 1];
  }
  std::size_t count() const { return count_; }
  HWY_INLINE P load(const double* places, std::size_t group) const {
    const D d;
    const std::int64_t* const at = at_ + group * kLanes;
    if (neighbors_) return {hn::LoadU(d, places + *at), hn::LoadU(d, places + kRow + *at), hn::LoadU(d, places + 2 * kRow + *at)};
    const auto index = hn::LoadU(hn::RebindToSigned<D>(), at);
    return {hn::GatherIndex(d, places, index), hn::GatherIndex(d, places + kRow, index), hn::GatherIndex(d, places + 2 * kRow, index)};
  }
  HWY_INLINE PostureMask bits(M m, std::size_t group) const {
    const std::int64_t* const at = at_ + group * kLanes;
    if (neighbors_) return PostureMask{mask_bits(m)} << *at & which_;
    PostureMask r = 0;
    for (unsigned k = mask_bits(m); k != 0; k &= k - 1) r |= PostureMask{1} << at[__builtin_ctz(k)];
    return r;
  }
  /// The lanes that do not matter.
  HWY_INLINE M others(std::size_t group) const {
    if (!neighbors_) return no_lanes();
    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(which_ >> at_[group * kLanes])};
    return !hn::LoadMaskBits(D(), bytes);
  }

 private:
  std::int64_t at_[kBlock + kLanes];
  PostureMask which_;
  std::size_t count_;
  bool neighbors_;
};

/// What the square of a distance must exceed for more than `reach`: it is off by a few u of itself.
HWY_INLINE V far_square(double reach) { return constant<V>((reach * reach) * (1 + kPlacedShare) + 0x1p-1000); }

/// The square of the distance from a box.
HWY_INLINE V square_to_box(const P& c, const P& low, const P& high) {
  const V zero = constant<V>(0), x = max(max(low.x - c.x, c.x - high.x), zero), y = max(max(low.y - c.y, c.y - high.y), zero),
          z = max(max(low.z - c.z, c.z - high.z), zero);
  return (x * x + y * y) + z * z;
}

/// decide(centre, radius) of each ball that is not clearly outside the shape's box.
template <class Decide>
HWY_INLINE PostureVerdict any_ball(const PlacedBalls& balls, const RestingForm& shape, double distance, PostureMask which, const Decide& decide) {
  const Groups groups(which);
  const P low = all_equal({shape.box[0], shape.box[1], shape.box[2]}), high = all_equal({shape.box[3], shape.box[4], shape.box[5]});
  PostureVerdict verdict{0, 0};
  for (std::size_t g = 0; g < groups.count(); ++g) {
    M yes = groups.others(g), unknown = no_lanes();
    for (std::size_t i = 0; i < balls.count; ++i) {
      const P c = groups.load(balls.places + 3 * i * kRow, g);
      if (all_lanes(yes | (square_to_box(c, low, high) > far_square(balls.radii[i] + distance)))) continue;
      const Answer answer = decide(c, constant<V>(balls.radii[i]));
      yes = yes | (answer.yes & answer.sure);
      unknown = unknown | !answer.sure;
    }
    verdict.yes |= groups.bits(yes, g);
    verdict.unknown |= groups.bits(unknown, g);
  }
  return verdict;
}

/// The centre of the box is off by `doubt`.
HWY_INLINE Answer decide_ball_doubtful_box(const P& t, const P (&u)[3], V reach, double doubt) {
  const V more = (max_norm(t) + reach) * kPlacedShare + doubt;
  const Answer wide = decide_ball_box<V>(t, u, reach + more);
  const M no = hn::AndNot(wide.yes, wide.sure);
  if (all_lanes(no)) return {no_lanes(), no};
  const Answer narrow = decide_ball_box<V>(t, u, reach - more);
  const M yes = narrow.yes & narrow.sure;
  return {yes, yes | no};
}

/// A ball against a cylinder from a to b. The nearest point is proposed and proven from both sides, as that of a segment. Answers about cylinders may be off by
/// 1e-12 of the sizes, so nothing closer than 2^-36 of them is decided; that also covers all roundings: each of some thirty is off by at most u m or u |x|.
HWY_INLINE Answer decide_ball_cylinder(const P& a, const P& b, V radius, const P& c, V reach) {
  const P d = b - a, e = c - a, f = c - b;
  const V dd = dot(d, d) + kTinySquare, t = dot(d, e) / dd;
  const P out = point_back(e, t, d);
  const V away = sqrt(dot(out, out)), share = clamp01(radius / away);  // away = 0: on the axis, any share of `out` will do
  const P x = point_back(point_back(e, clamp01(t), d), share, out), along = point_back(x, dot(x, d) / dd, d);
  const V m = (max(max(max_norm(d), max_norm(e)), max_norm(f)) + radius) + reach, slack = m * kPlacedShare;
  const V level = (min(dot(x, e), dot(x, f)) - radius * sqrt(dot(along, along))) - slack * taxicab(x);
  const Answer answer = decide_by_difference(x, level, reach, slack);
  return {answer.yes, answer.sure & (m < 0x1p200) & (dd > 0x1p-200)};
}

PostureVerdict balls_and_shape(const PlacedBalls& balls, const RestingForm& shape, double distance, PostureMask which) {
  const double* const n = shape.numbers;
  const auto point = [&](int k) HWY_ATTR { return P{constant<V>(n[3 * k]), constant<V>(n[3 * k + 1]), constant<V>(n[3 * k + 2])}; };
  const double more = shape.radius + distance;
  const P p = point(0), q = point(1);
  switch (shape.kind) {
    case RestingForm::Kind::ball:
      return any_ball(balls, shape, distance, which, [&](const P& c, V r) HWY_ATTR { return decide_balls(c, p, r + more); });
    case RestingForm::Kind::segment:
      return any_ball(balls, shape, distance, which, [&](const P& c, V r) HWY_ATTR { return decide_ball_segment(p, q, c, r + more); });
    case RestingForm::Kind::box:
      return any_ball(balls, shape, distance, which, [&](const P& c, V r) HWY_ATTR { return decide_balls(c, nearest_in_box(c, p, q), r + more); });
    case RestingForm::Kind::oriented_box: {
      const P u[3] = {point(1), point(2), point(3)};
      if (shape.doubt == 0) return any_ball(balls, shape, distance, which, [&](const P& c, V r) HWY_ATTR { return decide_ball_box(c - p, u, r + more); });
      return any_ball(balls, shape, distance, which, [&](const P& c, V r) HWY_ATTR { return decide_ball_doubtful_box(c - p, u, r + more, shape.doubt); });
    }
    case RestingForm::Kind::cylinder: {
      const V radius = constant<V>(shape.radius);
      return any_ball(balls, shape, distance, which, [&](const P& c, V r) HWY_ATTR { return decide_ball_cylinder(p, q, radius, c, r + distance); });
    }
    case RestingForm::Kind::other:
      break;
  }
  return {0, which};
}

/// Whether two balls, of which one may be a bounding ball, may come within `reach`, in any lane.
HWY_INLINE M may_meet(const P& a, const P& b, V reach) {
  const P x = a - b;
  const V r = reach + (taxicab(a) + taxicab(b)) * kPlacedShare;
  return !(dot(x, x) > (r * r) * (1 + kPlacedShare) + 0x1p-1000);
}

/// Points in lanes in memory.
HWY_INLINE void store(const P& p, double* to) {
  const D d;
  hn::Store(p.x, d, to), hn::Store(p.y, d, to + kLanes), hn::Store(p.z, d, to + 2 * kLanes);
}
HWY_INLINE P stored(const double* from) {
  const D d;
  return {hn::Load(d, from), hn::Load(d, from + kLanes), hn::Load(d, from + 2 * kLanes)};
}

PostureVerdict balls_and_balls(const PlacedBalls& a, const PlacedBalls& b, double distance, PostureMask which) {
  constexpr std::size_t kSome = 32;  // balls of b in a portion; a choice
  const Groups groups(which);
  PostureVerdict verdict{0, 0};
  alignas(64) double near[3 * kSome * kLanes];
  double radii[kSome];
  for (std::size_t g = 0; g < groups.count(); ++g) {
    M yes = groups.others(g), unknown = no_lanes();
    const P bound_a = groups.load(a.bound, g), bound_b = groups.load(b.bound, g);
    for (std::size_t j = 0; j < b.count && !all_lanes(yes);) {
      std::size_t n = 0;
      for (; j < b.count && n < kSome; ++j) {
        const P q = groups.load(b.places + 3 * j * kRow, g);
        if (all_lanes(yes | !may_meet(bound_a, q, constant<V>(a.bound_radius + b.radii[j] + distance)))) continue;
        store(q, near + 3 * n * kLanes);
        radii[n++] = b.radii[j];
      }
      for (std::size_t i = 0; i < a.count && n != 0; ++i) {
        const P p = groups.load(a.places + 3 * i * kRow, g);
        if (all_lanes(yes | !may_meet(p, bound_b, constant<V>(a.radii[i] + b.bound_radius + distance)))) continue;
        for (std::size_t k = 0; k < n; ++k) {
          const P q = stored(near + 3 * k * kLanes), x = p - q;
          const double reach = (a.radii[i] + radii[k]) + distance;
          if (all_lanes(yes | (dot(x, x) > far_square(reach)))) continue;
          const Answer answer = decide_balls(p, q, constant<V>(reach));
          yes = yes | (answer.yes & answer.sure);
          unknown = unknown | !answer.sure;
        }
      }
    }
    verdict.yes |= groups.bits(yes, g);
    verdict.unknown |= groups.bits(unknown, g);
  }
  return verdict;
}

}  // namespace

const PostureKernels* posture_table() {
  static constexpr PostureKernels table{&place, &near_boxes, &near_balls, &balls_and_shape, &balls_and_balls};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(posture_table);

const PostureKernels& posture_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(posture_table)();
}

}  // namespace graze
#endif
