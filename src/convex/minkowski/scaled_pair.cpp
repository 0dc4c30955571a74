// Scaling of a pair of convex sets, cutting of their cones, and vertices of A - B for the double tiers.
#include "convex/minkowski/scaled_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/sets/hull_support.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

double magnitude(const ConvexSet& c) {
  double m = 0;
  if (c.hull) {
    m = hull_size(c);
  } else {
    for (std::uint32_t i = 0; i < c.points; ++i) m = std::max(m, max_norm(c.base(i)));
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) m += std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k])) * max_norm(c.segment[k]);
  return m;
}

/// c with each direction cut at 16 Y / |d|; a pair d, -d becomes one segment. Directions are first scaled to a size of 1 to 2 by a power of two, which changes
/// no cone (what underflows is below 2^-1074 of it).
void cut_cone(const ConvexSet& c, double y, ConvexSet& out) {
  out = c;
  out.directions = 0;
  for (std::uint32_t k = 0; k < c.directions; ++k) {
    Vec3 d = c.direction[k];
    const bool both = k + 1 < c.directions && c.direction[k + 1] == -d;
    const int e = -exponent_of(max_norm(d));
    for (int i = 0; i < 3; ++i) d[i] = scaled(d[i], e);
    const double t = 16 * y;
    out.add_segment(d, both ? -t : 0, t);
    k += both;
  }
}

/// Whether the products of coefficients and segments, and of a direction and a segment, neither overflow nor lose more than the error bounds allow.
bool segments_fit(const ConvexSet& c) {
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double size = max_norm(c.segment[k]);
    if (!(size == 0 || (size > 0x1p-900 && size < 0x1p980)) || !(std::fabs(c.lo[k]) < 0x1p980 && std::fabs(c.hi[k]) < 0x1p980)) return false;
  }
  return true;
}

Vec3 middle(const ConvexSet& c) {
  Vec3 m = c.hull ? (c.pose ? apply_pose(*c.pose, c.hull->middle) : c.hull->middle) : c.base(0);
  if (!c.hull && c.points > 1) {
    const std::uint32_t n = std::min(c.points, 4u);  // more are those of a polygon
    for (std::uint32_t i = 1; i < n; ++i) m += minus(c.base(i), m) * (1.0 / (i + 1));
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) m = point_along(m, c.lo[k] / 2 + c.hi[k] / 2, c.segment[k]);
  return m;
}

}  // namespace

ScaledPair::ScaledPair(const ConvexSet& a, const ConvexSet& b, double extra)
    : kernels_(hull_kernels()), given_a_(&a), given_b_(&b), a_(&a), b_(&b), extra_(extra) {
  if (!a.bounded() && !b.bounded()) return;
  double ma = magnitude(a), mb = magnitude(b);
  const double reach = a.radius + b.radius + extra;
  if (!a.bounded() || !b.bounded()) {
    const ConvexSet& c = a.bounded() ? b : a;
    if (c.segments + c.directions > 5) return;
    cut_cone(c, 4 * (ma + mb + reach), cut_);
    (a.bounded() ? b_ : a_) = &cut_;
    (a.bounded() ? mb : ma) = magnitude(cut_);
  }
  if (!segments_fit(*a_) || !segments_fit(*b_)) return;
  const double size = ma + mb;
  if (!(size < 0x1p800 && reach < 0x1p800)) return;
  if (!(size > 0x1p-700 || (size == 0 && reach > 0x1p-700))) return;
  if (size == 0) {  // all coordinates are 0
    scale_exponent_ = 0;
  } else {
    scale_exponent_ = -(exponent_of(size) + 2);
  }
  scale_ = power_of_two(scale_exponent_);
  reach_ = reach * scale_;
  usable_ = reach == 0 || reach_ > 0x1p-900;
}

V3<double> ScaledPair::between_middles() const {
  const Vec3 p = middle(*a_), q = middle(*b_);
  return {(p.x - q.x) * scale_, (p.y - q.y) * scale_, (p.z - q.z) * scale_};
}

V3<double> ScaledPair::point(const Generator& g) const {
  const Vec3 p = a_->base(g.a.base), q = b_->base(g.b.base);
  V3<double> r{p.x - q.x, p.y - q.y, p.z - q.z};  // first, so that nothing is lost far from the origin
  for (int side = 0; side < 2; ++side) {
    const ConvexSet& c = side ? *b_ : *a_;
    const std::uint32_t bits = side ? g.b.bits : g.a.bits;
    for (std::uint32_t s = 0; s < c.segments; ++s) {
      const double t = bits >> s & 1 ? c.hi[s] : c.lo[s], signed_t = side ? -t : t;
      r.x += signed_t * c.segment[s].x;
      r.y += signed_t * c.segment[s].y;
      r.z += signed_t * c.segment[s].z;
    }
  }
  return scale_ * r;
}

V3<TwoDouble> ScaledPair::corner_two(const ConvexSet& c, const ConvexCorner& k) const { return times(corner_in_pairs(c, k), scale_); }

V3<TwoDouble> ScaledPair::point_two(const Generator& g) const { return corner_two(*a_, g.a) - corner_two(*b_, g.b); }

/// Index of the corner least along x, in the order given by `sign` (+1 least, -1 greatest).
ConvexCorner ScaledPair::least_corner(const ConvexSet& c, const V3<double>& x, double sign) const {
  ConvexCorner best;
  if (c.hull) {
    best.base = HullDirection(c, sign < 0 ? -x : x, kernels_).least();
  } else if (c.points > 1) {
    const Vec3 first = c.base(0);  // relative to it, values far from the origin do not cancel
    double value = 0;
    for (std::uint32_t i = 1; i < c.points; ++i) {
      const Vec3 p = minus(c.base(i), first);
      const double d = sign * (x.x * p.x + x.y * p.y + x.z * p.z);
      if (d < value) {
        value = d;
        best.base = i;
      }
    }
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double d = sign * (x.x * c.segment[k].x + x.y * c.segment[k].y + x.z * c.segment[k].z);
    if (d < 0) best.bits |= 1u << k;
  }
  return best;
}

/// Of the corners that doubles cannot tell apart, the least in pairs of doubles.
ConvexCorner ScaledPair::fine_least(const ConvexSet& c, const V3<TwoDouble>& x, double sign) const {
  const V3<double> d{x.x.hi, x.y.hi, x.z.hi};
  ConvexCorner best = least_corner(c, d, sign);
  const std::uint32_t start = best.base;
  const Vec3 first = c.base(start);
  TwoDouble lowest = 0;
  const auto offer = [&](std::uint32_t i) {
    const TwoDouble along = dot(x, exact_difference(c.base(i), first)), gain = sign < 0 ? -along : along;
    if (sign_of(gain - lowest) < 0) lowest = gain, best.base = i;
  };
  if (c.hull) {
    // x is off by u of itself, its product with a difference of points by 2 u of the hull's size: less than an eighth of the error allowed for.
    const HullDirection direction(c, sign < 0 ? -d : d, kernels_);
    const double limit = direction.at(start) + 1.125 * hull_error(c) * taxicab(d);
    if (direction.count(limit) > 1)
      for (std::uint32_t i = 0; i < c.points; ++i)
        if (direction.at(i) <= limit) offer(i);
  } else {
    for (std::uint32_t i = 0; i < c.points; ++i) offer(i);
  }
  best.bits = 0;
  for (std::uint32_t k = 0; k < c.segments; ++k)
    if (sign * sign_of(dot(x, v3_two(c.segment[k]))) < 0) best.bits |= 1u << k;
  return best;
}

Generator ScaledPair::least_generator(const V3<double>& x) const {
  Generator g;
  g.a = least_corner(*a_, x, 1);
  g.b = least_corner(*b_, x, -1);
  return g;
}

}  // namespace graze
