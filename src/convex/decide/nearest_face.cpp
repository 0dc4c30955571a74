// The nearest points of a face of A - B, and the proof in doubles that it is the nearest.
#include "convex/decide/nearest_face.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "convex/sets/hint_kind.hpp"
#include "convex/sets/hull_support.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "shapes/hull_data.hpp"

namespace graze {
namespace {

// A face is clear (docs/derivations/decision.md, "Hints"), of the extent of A - B and of |x|:
constexpr double kClear = 0x1p-20;   ///< how far, at least, all corners outside of the face lie from its plane
constexpr double kInside = 0x1p-24;  ///< how far inside the face its nearest point lies

/// More than the distance of any two points of the set.
double extent(const ConvexSet& c) {
  double e = 0;
  if (c.hull) {
    e = 4 * c.hull->extent;
  } else if (c.points > 1) {
    const Vec3 first = c.base(0);
    for (std::uint32_t i = 1; i < c.points; ++i) e = std::max(e, 4 * max_norm(minus(c.base(i), first)));
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) e += 2 * (c.hi[k] - c.lo[k]) * max_norm(c.segment[k]);
  return e;
}

V3<Dyadic> exact_corner(const ConvexSet& c, const ConvexCorner& k) {
  V3<Dyadic> p = exact(c.base(k.base));
  for (std::uint32_t i = 0; i < c.segments; ++i) p = p + Dyadic(k.bits >> i & 1 ? c.hi[i] : c.lo[i]) * exact(c.segment[i]);
  return p;
}
/// The difference of two corners.
V3<Dyadic> step_between(const ConvexSet& c, const ConvexCorner& from, const ConvexCorner& to) {
  V3<Dyadic> d;
  if (from.base != to.base) d = exact(c.base(to.base)) - exact(c.base(from.base));
  for (std::uint32_t i = 0; i < c.segments; ++i) {
    if (!((from.bits ^ to.bits) >> i & 1)) continue;
    const Dyadic length = Dyadic(c.hi[i]) - Dyadic(c.lo[i]);
    d = d + (to.bits >> i & 1 ? length : -length) * exact(c.segment[i]);
  }
  return d;
}

/// The points and segments of one set that lie within `slack` of the farthest along `up`; false where they are those of no face of two dimensions.
bool farthest_of(const ConvexSet& c, const V3<double>& up, double slack, OperandFace& out) {
  if (c.hull) {
    const HullDirection along(c, up);
    const double top = along.along(c.hull->corner_points[along.farthest_corner()]);
    const auto take = [&](std::uint32_t corner) {
      out.base[out.bases++] = c.hull->corners[corner];
      return out.bases < 4;
    };
    if (!along.for_corners_from(top - slack - hull_error(c) * taxicab(up), take)) return false;
  } else {
    const Vec3 first = c.base(0);
    const auto height = [&](std::uint32_t i) { return dot(up, v3(minus(c.base(i), first))); };
    double top = 0;
    for (std::uint32_t i = 1; i < c.points; ++i) top = std::max(top, height(i));
    for (std::uint32_t i = 0; i < c.points; ++i) {
      if (height(i) < top - slack) continue;
      const auto same = [&](std::uint32_t k) { return c.base(k) == c.base(i); };
      if (std::any_of(out.base, out.base + out.bases, same)) continue;
      if (out.bases == 3) return false;
      out.base[out.bases++] = i;
    }
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double d = dot(up, v3(c.segment[k])), length = c.hi[k] - c.lo[k];
    if (length > 0 && std::fabs(d) * length <= slack)
      out.varying |= 1u << k;
    else if (d > 0)
      out.bits |= 1u << k;
  }
  return out.bases > 0 && out.dimensions() <= 2;  // of sets that are none, there may be no point
}

bool read_hint(const ConvexSet& c, const std::array<std::uint32_t, 3>& corner, const std::array<std::uint8_t, 3>& ends, OperandFace& out) {
  out.bits = ends[0], out.varying = ends[1], out.bases = ends[2];
  if (c.directions > 0 || out.bases < 1 || out.bases > 3 || (out.bits | out.varying) >> c.segments != 0 || (out.bits & out.varying) != 0) return false;
  for (int k = 0; k < out.bases; ++k) {
    out.base[k] = corner[static_cast<std::size_t>(k)];
    if (out.base[k] >= c.points) return false;
  }
  return true;
}

}  // namespace

OperandFace::OperandFace(const Simplex<Generator>& s, ConvexCorner Generator::*of) {
  const std::uint32_t first = bits = (s.g[0].*of).bits;
  for (int k = 0; k < s.n; ++k) {
    const ConvexCorner& c = s.g[k].*of;
    int i = 0;
    while (i < bases && base[i] != c.base) ++i;
    if (i == bases) base[bases++] = c.base;
    varying |= first ^ c.bits;
  }
  bits &= ~varying;
}

PairHint hint_of(const FaceName& face) {
  PairHint h;
  h.kind = kNearestHint;
  for (int side = 0; side < 2; ++side) {
    const OperandFace& f = face.side[side];
    auto& corner = side == 0 ? h.corner_a : h.corner_b;
    for (int k = 0; k < f.bases; ++k) corner[static_cast<std::size_t>(k)] = f.base[k];
    (side == 0 ? h.ends_a : h.ends_b) = {static_cast<std::uint8_t>(f.bits), static_cast<std::uint8_t>(f.varying), static_cast<std::uint8_t>(f.bases)};
  }
  return h;
}

std::optional<FaceName> face_named(const PairHint& hint, const ConvexSet& a, const ConvexSet& b) {
  FaceName face;
  if (hint.kind != kNearestHint) return std::nullopt;
  if (!read_hint(a, hint.corner_a, hint.ends_a, face.side[0]) || !read_hint(b, hint.corner_b, hint.ends_b, face.side[1])) return std::nullopt;
  if (face.dimensions() > 2) return std::nullopt;
  return face;
}

std::optional<FaceName> face_near(const ConvexSet& a, const ConvexSet& b, const V3<double>& x) {
  if (!a.bounded() || !b.bounded()) return std::nullopt;
  const double slack = 0.5 * kClear * (extent(a) + extent(b)) * std::sqrt(dot(x, x));
  FaceName face;
  if (!farthest_of(a, -x, slack, face.side[0]) || !farthest_of(b, x, slack, face.side[1]) || face.dimensions() > 2) return std::nullopt;
  return face;
}

NearestFace::NearestFace(const ConvexSet& a, const ConvexSet& b, const FaceName& face) : set_{&a, &b}, face_(face), n_(face.dimensions()) {
  const auto precedes = [](const Vec3& p, const Vec3& q) { return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z < q.z; };
  for (int side = 0; side < 2; ++side) {
    const OperandFace& f = face.side[side];
    Vec3* const corner = corner_[side];
    corner[0] = set_[side]->base(f.base[0]);
    for (int i = 1; i < f.bases; ++i) {
      const Vec3 p = set_[side]->base(f.base[i]);
      int k = i;
      for (; k > 0 && precedes(p, corner[k - 1]); --k) corner[k] = corner[k - 1];
      corner[k] = p;
    }
  }
}

bool NearestFace::closest(ConvexClosest& out, bool clear) {
  if (n_ > 2) return false;
  x_ = filter::two_difference(filter::vector(corner_[0][0]), filter::vector(corner_[1][0]));
  size_ = filter::max_norm(filter::high(x_));
  for (int side = 0; side < 2; ++side) {
    point_[side] = filter::two_point(filter::vector(corner_[side][0]));
    place(side);
  }
  if (!weigh()) return false;
  set_direction();
  double loss = 0, unit = 1;
  bound_loss(loss, unit);
  if (loss > filter::kLoss * filter::dot(direction_, direction_) * unit) {
    if (!correct()) return false;
    set_direction();
    bound_loss(loss, unit);
  }
  const filter::Length<double> length = filter::length(x_);
  slack_ = std::sqrt(loss / unit) * (1 + 0x1p-40);
  if (clear) {
    if (!well_inside(length.r)) return false;
    clear_ = kClear * (extent(*set_[0]) + extent(*set_[1])) * length.r;
  }
  if (!supports(0) || !supports(1)) return false;
  // A sum of up to 13 terms is off by at most 2^12 u^2 of their sizes: 16 times what gap-inl.hpp allows for.
  const double ra = set_[0]->radius, rb = set_[1]->radius;
  const PairGap gap = ra + rb > 0 ? filter::gap_of_balls(point_[0], point_[1], x_, length, ra, rb, loss, unit, 16 * size_)
                                  : filter::gap_of_points(point_[0], point_[1], length, loss, unit, 16 * size_);
  out = {gap.distance, Vec3(gap.on_a.x, gap.on_a.y, gap.on_a.z), Vec3(gap.on_b.x, gap.on_b.y, gap.on_b.z)};
  return gap.sure;
}

bool NearestFace::height(const ScaledPair& pair, const StateInPairs& s, double& scaled_height) {
  if (s.n != 3 || n_ != 2) return false;
  const V3<TwoDouble> normal = cross(s.w[1] - s.w[0], s.w[2] - s.w[0]);
  const double length = rounded(square_root(dot(normal, normal)));
  for (int k = 0; k < 3; ++k)  // off by 2^-97 / length^2
    if (!(length > 0x1p-30 && s.weight[k].hi > 0x1p-30)) return false;
  const auto edge = [&](int k) { return step_between(*set_[0], s.g[0].a, s.g[k].a) - step_between(*set_[1], s.g[0].b, s.g[k].b); };
  const Dyadic exact_height = dot(exact_corner(*set_[0], s.g[0].a) - exact_corner(*set_[1], s.g[0].b), cross(edge(1), edge(2)));
  const double sign = sign_of(exact_height);
  scaled_height = sign * to_double({exact_height.m, exact_height.e + 3 * pair.scale_exponent()}) / length;
  direction_ = {sign * normal.x.hi, sign * normal.y.hi, sign * normal.z.hi};
  slack_ = 0x1p-50 * length;
  return scaled_height > 0x1p-900 && supports(0) && supports(1);
}

void NearestFace::add(int side, double factor, const filter::TwoPoint<double>& step) {
  const auto add_coordinate = [&](TwoDouble& point, TwoDouble& x, const TwoDouble& d) {  // plus_product() to both, with one product
    const TwoDouble p = two_product(factor, d.hi);
    const double low = factor * d.lo, sign = side ? -1 : 1;
    const TwoDouble q = two_sum(point.hi, p.hi), y = two_sum(x.hi, sign * p.hi);
    point = {q.hi, q.lo + ((point.lo + p.lo) + low)};
    x = {y.hi, y.lo + ((x.lo + sign * p.lo) + sign * low)};
  };
  add_coordinate(point_[side].x, x_.x, step.x);
  add_coordinate(point_[side].y, x_.y, step.y);
  add_coordinate(point_[side].z, x_.z, step.z);
  size_ += std::fabs(factor) * filter::max_norm(filter::high(step));
}

/// Adds the fixed ends of segments, and lists the directions of the face.
void NearestFace::place(int side) {
  const ConvexSet& c = *set_[side];
  const OperandFace& f = face_.side[side];
  const auto list = [&](double lo, double hi, const filter::TwoPoint<double>& step) { free_[free_count_++] = {side, lo, hi, step, filter::high(step), 0, 0}; };
  for (int i = 1; i < f.bases; ++i) list(0, 1, filter::two_difference(filter::vector(corner_[side][i]), filter::vector(corner_[side][0])));
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const filter::TwoPoint<double> step = filter::two_point(filter::vector(c.segment[k]));
    if (f.varying >> k & 1)
      list(c.lo[k], c.hi[k], step);
    else
      add(side, f.bits >> k & 1 ? c.hi[k] : c.lo[k], step);
  }
}

/// Moves x from the start of the directions to the point nearest to the origin. Returns false where the directions do not span the face. Weights that are
/// outside of their limits by more than roundings fail later.
bool NearestFace::weigh() {
  if (n_ == 0) return true;
  const filter::Triple y = filter::rounded(x_);
  const auto outward = [&](const Step& f) { return f.side ? -f.rounded : f.rounded; };
  const filter::Triple d = outward(free_[0]);
  dd_ = filter::dot(d, d);
  if (n_ == 1) {
    if (!(dd_ > 0)) return false;
    free_[0].weight = -filter::dot(y, d) / dd_;
  } else {
    const filter::Triple e = outward(free_[1]), n = filter::cross(d, e);
    ee_ = filter::dot(e, e), area_sq_ = filter::dot(n, n);
    if (!(area_sq_ > filter::kLeastSine * (dd_ * ee_))) return false;
    free_[0].weight = filter::dot(filter::cross(e, y), n) / area_sq_;
    free_[1].weight = filter::dot(filter::cross(y, d), n) / area_sq_;
  }
  for (int k = 0; k < n_; ++k) {
    Step& f = free_[k];
    if (!(std::fabs(f.weight) <= kLargest)) return false;
    f.weight = std::clamp(f.weight, f.lo, f.hi);
    f.room = std::min(f.weight - f.lo, f.hi - f.weight);
  }
  if (face_.side[0].bases == 3 || face_.side[1].bases == 3) {  // a triangle, with the rest as the third weight
    const double sum = free_[0].weight + free_[1].weight;
    for (Step& f : free_) {
      if (sum > 1) f.weight /= sum;
      f.room = std::min(f.weight, std::max(1 - sum, 0.0));
    }
  }
  for (int k = 0; k < n_; ++k) add(free_[k].side, free_[k].weight, free_[k].step);
  return true;
}

void NearestFace::set_direction() {
  x_ = filter::normal(x_);
  direction_ = filter::high(x_);
}

/// Moves x to the foot of the perpendicular, of which the rounding of weights keeps it away: far, where x is short. Returns false where it might leave the
/// face.
bool NearestFace::correct() {
  const filter::Triple &d = free_[0].rounded, &e = free_[1].rounded;
  const double xd = filter::dot(direction_, d);
  double by[2] = {-xd / dd_, 0};
  if (n_ == 2) {
    const double de = filter::dot(d, e), xe = filter::dot(direction_, e), det = dd_ * ee_ - de * de;
    by[0] = (de * xe - ee_ * xd) / det, by[1] = (de * xd - dd_ * xe) / det;
  }
  for (int k = 0; k < n_; ++k) {
    const Step& f = free_[k];
    if (!(std::fabs(by[k]) < 0.25 * f.room - 0x1p-50)) return false;  // the weight of the first point is off by u and moves with both
    add(f.side, f.side ? -by[k] : by[k], f.step);
  }
  return true;
}

/// K^2 = loss / unit: how far x may be from the nearest point of the face's plane or line.
void NearestFace::bound_loss(double& loss, double& unit) const {
  if (n_ == 0) return;
  const auto slope_sq = [&](const filter::Triple& d) {
    const double slope = std::fabs(filter::dot(direction_, d)) + filter::product_error(direction_, d);
    return slope * slope;
  };
  loss = slope_sq(free_[0].rounded), unit = dd_;
  if (n_ == 2) loss = 2 * (loss * ee_ + slope_sq(free_[1].rounded) * dd_), unit = 0.99 * area_sq_;
}

/// Whether the nearest point lies inside the face by kInside of its distance to the origin.
bool NearestFace::well_inside(double length) const {
  if (n_ == 0) return true;
  const double least = kInside * length;
  if (n_ == 1) return free_[0].room * std::sqrt(dd_) >= least;
  // No height of a parallelogram or triangle with the sides d and e is less than |d x e| / (|d| + |e|).
  return std::min(free_[0].room, free_[1].room) * std::sqrt(area_sq_) >= least * (std::sqrt(dd_) + std::sqrt(ee_));
}

/// Whether a step of `times` d does not approach the origin faster than K allows, and leads far enough.
bool NearestFace::leads_away(const filter::Triple& d, double times) const {
  const double along = filter::dot(direction_, d) - filter::product_error(direction_, d);
  return along >= slack_ * filter::taxicab(d) && along * times >= clear_;
}

bool NearestFace::supports(int side) const {
  const ConvexSet& c = *set_[side];
  const OperandFace& f = face_.side[side];
  const auto outward = [&](const filter::Triple& d) { return side ? -d : d; };
  if (c.hull) {
    const filter::Triple x = outward(direction_);
    const HullDirection along(c, {x.x, x.y, x.z});
    double highest = along.at(f.base[0]);
    for (int i = 1; i < f.bases; ++i) highest = std::max(highest, along.at(f.base[i]));
    const double error = hull_error(c) * filter::taxicab(x);
    if (clear_ > 0 && !(8 * error <= clear_)) return false;
    const double limit = highest + (error + slack_ * 4 * hull_size(c) + clear_);
    if (along.count(limit) != static_cast<std::size_t>(f.bases)) return false;
  } else {
    for (std::uint32_t i = 0; i < c.points; ++i) {
      if (std::find(f.base, f.base + f.bases, i) != f.base + f.bases) continue;
      if (!leads_away(outward(filter::difference(c.base(i), corner_[side][0])), 1)) return false;
    }
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    if ((f.varying >> k & 1) || c.lo[k] == c.hi[k]) continue;
    const filter::Triple d = filter::vector(c.segment[k]);
    if (!leads_away(outward(f.bits >> k & 1 ? -d : d), c.hi[k] - c.lo[k])) return false;
  }
  return true;
}

}  // namespace graze
