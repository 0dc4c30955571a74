// The frame and the support functions of two bounded convex sets in doubles.
#include "convex/minkowski/double_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/sets/hull_support.hpp"
#include "math/vec3.hpp"
#include "platform/expects.hpp"
#include "shapes/pose.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

std::uint32_t first_point(const ConvexSet& c) { return c.hull ? c.hull->corners[0] : 0; }

/// The sum of mid_k * segment_k in doubles, and the sizes of its terms.
Double3 middles(const ConvexSet& c, double& terms) {
  Double3 sum{0, 0, 0};
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double mid = 0.5 * (c.lo[k] + c.hi[k]);
    sum = sum + mid * v3(c.segment[k]);
    terms += std::fabs(mid) * max_norm(c.segment[k]);
  }
  return sum;
}

}  // namespace

/// Sets up one side without scaling; returns a bound on the sum of the sizes of all terms of a vertex.
double DoublePair::set_up(Side& s, const Operand& o) const {
  const ConvexSet& c = *o.convex;
  GRAZE_EXPECTS(!c.hull || c.points > 1);  // the point of a set with one is in `shift`
  s.set = &c;
  double size = 0, terms = 0;
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    if (c.lo[k] == c.hi[k]) continue;
    const Double3 g = 0.5 * (c.hi[k] - c.lo[k]) * v3(c.segment[k]);
    s.segment[s.generators] = static_cast<std::uint8_t>(k);
    s.generator[s.generators++] = g;
    size += max_norm(g);
  }
  const bool one = c.points == 1;
  const Double3 middle = middles(c, terms);
  s.shift = middle;
  s.terms = terms;
  if (one) {
    const Vec3 p = c.base(0);
    s.shift = Double3{p.x - origin_.x, p.y - origin_.y, p.z - origin_.z} + middle;
  }
  if (terms <= 16 * size) {
    size += terms;
  } else {  // far from the origin of its own frame: the terms may cancel
    V3<TwoDouble> sum{0, 0, 0};
    if (one) sum = exact_difference(c.base(0), origin_);
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      const TwoDouble twice = two_sum(c.lo[k], c.hi[k]);
      sum = sum + TwoDouble(0.5 * twice.hi, 0.5 * twice.lo) * v3_two(c.segment[k]);
    }
    s.shift = {sum.x.hi, sum.y.hi, sum.z.hi};
    size += terms * 0x1p-40;  // the sum is off by 2^-98 of the terms
  }
  size += max_norm(s.shift);
  s.ball = c.radius;
  if (one) return size;
  const auto from_origin = [&](const Vec3& p) { return std::max({std::fabs(p.x - origin_.x), std::fabs(p.y - origin_.y), std::fabs(p.z - origin_.z)}); };
  if (c.hull) {
    // A rotation's rows have a sum of sizes of at most sqrt(3), and an extent is rounded. A direction in the hull's frame is off by 16 u, its product with a
    // corner by 6 u of the hull's size, and a placed corner by 12 u of that and 2 u of the translation.
    const double moved = c.pose ? max_norm(c.pose->translation) : 0;
    s.placing = 34 * kUnitRoundoff * c.hull->size + 2 * kUnitRoundoff * moved;
    return size + from_origin(c.base(first_point(c))) + 1.75 * c.hull->extent + s.placing;
  }
  double most = 0;
  for (std::uint32_t i = 0; i < c.points; ++i) {
    const Vec3 p = c.base(i);
    if (i < 4) s.base[i] = {p.x - origin_.x, p.y - origin_.y, p.z - origin_.z};
    most = std::max(most, from_origin(p));
  }
  return size + most;
}

DoublePair::DoublePair(const Operand& a, const Operand& b) {
  if (!a.convex->bounded() || !b.convex->bounded()) return;
  double terms = 0;
  const Double3 middle = middles(*a.convex, terms);
  origin_ = a.convex->base(first_point(*a.convex));
  if (a.convex->points == 1) origin_ = Vec3(origin_.x + middle.x, origin_.y + middle.y, origin_.z + middle.z);
  const double size = set_up(side_[0], a) + set_up(side_[1], b);
  if (!(size > 0x1p-200 && size < 0x1p200)) return;
  const int e = exponent_of(size) + 2;
  scale_ = power_of_two(-e);
  inverse_ = power_of_two(e);
  for (Side& s : side_) {
    s.shift = times(s.shift, scale_);
    s.ball *= scale_;
    for (int k = 0; k < s.generators; ++k) s.generator[k] = times(s.generator[k], scale_);
    for (std::uint32_t i = 0; !s.set->hull && s.set->points > 1 && i < std::min(s.set->points, 4u); ++i) s.base[i] = times(s.base[i], scale_);
  }
  usable_ = reach() < 0x1p20;
}

Double3 DoublePair::start() const {
  Double3 p[2];
  for (int k = 0; k < 2; ++k) {
    const Side& s = side_[k];
    p[k] = s.shift;
    if (s.set->points > 1) p[k] = p[k] + local(s.set->base(first_point(*s.set)));
  }
  return p[0] - p[1];
}

Double3 DoublePair::farthest(int side, const Double3& x) const {
  const Side& s = side_[side];
  Double3 p = s.shift;
  if (s.set->hull) {
    s.corner = HullDirection(*s.set, x, *kernels_).highest_corner(s.corner);
    const Vec3& corner = s.set->hull->corner_points[s.corner];  // in the cache, where the search ended
    p = p + local(s.set->pose ? apply_pose(*s.set->pose, corner) : corner);
  } else if (s.set->points > 1) {
    Double3 best = s.base[0];
    double most = dot(x, best);
    s.corner = 0;
    for (std::uint32_t i = 1; i < s.set->points; ++i) {
      const Double3 q = i < 4 ? s.base[i] : local(s.set->base(i));
      if (const double value = dot(x, q); value > most) {
        most = value;
        best = q;
        s.corner = i;
      }
    }
    p = p + best;
  }
  unsigned ends = 0;
  for (int k = 0; k < s.generators; ++k) {
    const bool high = dot(x, s.generator[k]) > 0;
    p = high ? p + s.generator[k] : p - s.generator[k];
    ends |= static_cast<unsigned>(high) << s.segment[k];
  }
  s.ends = static_cast<std::uint8_t>(ends);
  return p;
}

template <class F>
void DoublePair::for_highest_of_hull(const Side& s, const Double3& x, bool all, const F& f) const {
  const HullData& h = *s.set->hull;
  const HullDirection direction(*s.set, x, *kernels_);
  const double top = direction.along(h.corner_points[s.corner]);  // of some corner: the last climb ended near the farthest
  // The farthest placed corner is among those within the errors of both values. Placed points that are no corners may lie farther by the rounding of placing.
  (void)direction.for_corners_from(top - 2 * s.placing, [&](std::uint32_t k) {
    f(h.corners[k]);
    return true;
  });
  if (all && h.points.size() > h.corners.size())
    for (std::uint32_t i = 0; i < h.points.size(); ++i)
      if (direction.at(i) >= top - 4 * s.placing) f(i);
}

double DoublePair::highest(int side, const Double3& x) const {
  const Side& s = side_[side];
  if (!s.set->hull) return dot(x, farthest(side, x));
  double most = -kInfinity;
  for_highest_of_hull(s, x, !(2 * s.placing * scale_ <= 4 * kUnitRoundoff), [&](std::uint32_t i) {
    const Double3 p = s.shift + local(s.set->base(i));
    most = std::max(most, dot(x, p));
  });
  double sum = 0;  // hulls have no segments but those of length 0, unless a set is moved
  for (int k = 0; k < s.generators; ++k) sum += std::fabs(dot(x, s.generator[k]));
  return most + sum;
}

bool DoublePair::nearly_farthest(int side, const Double3& x, double slack, FewCorners& out) const {
  const Side& s = side_[side];
  out.count = 0;
  const auto add = [&](std::uint32_t corner, unsigned ends) {
    if (out.count == FewCorners::kMost) return false;
    out.name[out.count++] = {corner, static_cast<std::uint8_t>(ends)};
    return true;
  };
  slack += 2 * kDoubleError;
  if (s.set->points > 1 && s.generators > 0) return false;
  if (s.set->hull) {
    const HullDirection direction(*s.set, x, *kernels_);
    const HullData& h = *s.set->hull;
    const double limit = direction.along(h.corner_points[direction.farthest_corner()]) - (slack * inverse_ + 4 * s.placing);
    if (!direction.for_corners_from(limit, [&](std::uint32_t k) { return add(k, 0); })) return false;
    return h.points.size() == h.corners.size() || HullDirection(*s.set, -x, *kernels_).count(-limit) == static_cast<std::size_t>(out.count);
  }
  if (s.set->points > 1) {
    if (s.set->points > 4) return false;
    double most = -kInfinity;
    for (std::uint32_t i = 0; i < s.set->points; ++i) most = std::max(most, dot(x, s.base[i]));
    for (std::uint32_t i = 0; i < s.set->points; ++i)
      if (dot(x, s.base[i]) >= most - slack && !add(i, 0)) return false;
    return true;
  }
  unsigned ends = 0, open = 0;
  for (int k = 0; k < s.generators; ++k) {
    const double along = dot(x, s.generator[k]);
    ends |= static_cast<unsigned>(along > 0) << s.segment[k];
    open |= static_cast<unsigned>(2 * std::fabs(along) <= slack) << s.segment[k];
  }
  ends &= ~open;
  for (unsigned bits = open;; bits = (bits - 1) & open) {  // all subsets
    if (!add(0, ends | bits)) return false;
    if (bits == 0) return true;
  }
}

V3<TwoDouble> DoublePair::segment_end(const ConvexSet& c, std::uint32_t k, bool high) const {
  const double t = high ? c.hi[k] : c.lo[k];
  const Vec3& g = c.segment[k];
  return times(V3<TwoDouble>{two_product(t, g.x), two_product(t, g.y), two_product(t, g.z)}, scale_);
}

Double3 DoublePair::placed_in_doubles(int side, const CornerName& name) const {
  const Side& s = side_[side];
  Double3 p = s.shift;
  if (s.set->hull)
    p = p + local(s.set->base(s.set->hull->corners[name.corner]));
  else if (s.set->points > 1)
    p = p + (name.corner < 4 ? s.base[name.corner] : local(s.set->base(name.corner)));
  for (int k = 0; k < s.generators; ++k) p = name.ends >> s.segment[k] & 1 ? p + s.generator[k] : p - s.generator[k];
  return p;
}

double DoublePair::farthest_of(int side, const Double3& x, const FewCorners& near, const FewCorners& known, const Double3* places) const {
  if (!side_[side].set->hull) return dot(x, farthest(side, x));
  double most = -kInfinity;
  for (int k = 0; k < near.count; ++k) {
    const CornerName& name = near.name[k];
    const auto same = std::find(known.name, known.name + known.count, name) - known.name;
    most = std::max(most, dot(x, same < known.count ? places[same] : placed_in_doubles(side, name)));
  }
  return most;
}

void DoublePair::fine_range(int side, const Double3& x, const FewCorners& some, const FewCorners& others, TwoDouble& least, TwoDouble& greatest) const {
  const V3<TwoDouble> direction{x.x, x.y, x.z};
  const auto value = [&](const CornerName& c) { return dot(direction, placed(side, c.corner, c.ends)); };
  least = greatest = value(some.name[0]);
  for (int k = 1; k < some.count; ++k) {
    const TwoDouble v = value(some.name[k]);
    if (rounded(v - least) < 0) least = v;
    if (rounded(v - greatest) > 0) greatest = v;
  }
  for (int k = 0; k < others.count; ++k) {
    if (some.contains(others.name[k])) continue;
    const TwoDouble v = value(others.name[k]);
    if (rounded(v - greatest) > 0) greatest = v;
  }
}

V3<TwoDouble> DoublePair::placed(int side, std::uint32_t corner, std::uint8_t ends) const {
  const ConvexSet& c = *side_[side].set;
  V3<TwoDouble> p = fine_local(c.base(c.hull ? c.hull->corners[corner] : c.points > 1 ? corner : 0));
  for (std::uint32_t k = 0; k < c.segments; ++k) p = p + segment_end(c, k, ends >> k & 1);
  return p;
}

TwoDouble DoublePair::fine_highest(int side, const Double3& x) const {
  const Side& s = side_[side];
  const ConvexSet& c = *s.set;
  const V3<TwoDouble> direction{x.x, x.y, x.z};
  const auto greater = [](const TwoDouble& p, const TwoDouble& q) { return rounded(p - q) > 0 ? p : q; };
  TwoDouble most = -kInfinity;
  bool any = false;
  const auto offer = [&](std::uint32_t i) {
    const TwoDouble value = dot(direction, fine_local(c.base(i)));
    most = any ? greater(value, most) : value;
    any = true;
  };
  if (c.hull) {
    for_highest_of_hull(s, x, true, offer);
  } else {
    for (std::uint32_t i = 0; i < c.points; ++i) offer(i);
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) most = most + greater(dot(direction, segment_end(c, k, true)), dot(direction, segment_end(c, k, false)));
  return most;
}

}  // namespace graze
