// The local frame of a pair of operands, their support points, and the distance bound by cutting planes.
#include "convex/minkowski/local_pair.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "platform/expects.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

namespace graze {
namespace {

int exponent_of_norm(const Vec3& v) { return exponent_of(max_norm(v)); }

/// Exponent of the largest coordinate of any part.
int size_exponent(const Operand& o) {
  int e = -100000;
  if (o.curved) {
    const Ends ends = o.curved->ends();
    e = std::max({e, exponent_of_norm(ends.a), exponent_of_norm(ends.b), exponent_of(o.curved->largest_radius())});
    const double t = std::max(std::fabs(o.curved->motion_from), std::fabs(o.curved->motion_to));
    if (t != 0 && max_norm(o.curved->motion) != 0) e = std::max(e, exponent_of(t) + exponent_of_norm(o.curved->motion) + 1);
    return e;
  }
  const ConvexSet& c = *o.convex;
  for (std::uint32_t i = 0; i < c.points; ++i) e = std::max(e, exponent_of_norm(c.base(i)));
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double t = std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k]));
    if (t != 0 && max_norm(c.segment[k]) != 0) e = std::max(e, exponent_of(t) + exponent_of_norm(c.segment[k]) + 1);
  }
  return e;
}

double size_of(const V3<double>& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

template <class N>
CurvedKinds::Local<N> placed(const Curved& c, const MinkowskiFrame& frame) {
  return c.visit([&]<class K>(const K& kind) { return CurvedKinds::Local<N>(typename K::template Local<N>(kind, frame)); });
}
template <class Local, class N>
V3<N> farthest_of(const Local& local, const V3<N>& x) {
  return std::visit([&](const auto& kind) { return kind.farthest(x); }, local);
}

}  // namespace

LocalPair::LocalPair(const Operand& a, const Operand& b, double extra) : side_{Set(a), Set(b)} {
  int e = std::max(size_exponent(a), size_exponent(b));
  e = std::max(e, exponent_of(std::max(a.radius(), b.radius())) - 40);  // cut directions extend beyond the balls
  if (e > 300 || (e < -300 && e > -100000)) pre_ = -e;                  // products of three other sizes stay within the range of doubles
  origin_ = a.curved ? a.curved->ends().a : a.convex->base(0);
  for (int i = 0; i < 3; ++i) origin_[i] = pre_scaled(origin_[i]);
  // Sizes and placed points, before the second scaling.
  double size = 0;
  double extent_of_curved = 0;
  bool unbounded = false;
  for (Set& s : side_) {
    double own = 0, reach_of_set = 0;
    if (const Curved* c = s.operand.curved) {
      const double r = pre_scaled(c->largest_radius());
      const Ends ends = c->ends();
      const V3<double> end_a = local_d(ends.a), end_b = local_d(ends.b);
      reach_of_set = c->visit([&]<class K>(const K&) { return K::coordinate_bound(std::max(size_of(end_a), size_of(end_b)), r); });
      const double length = size_of(end_b - end_a);
      own = std::max(r, length);
      extent_of_curved = std::max(extent_of_curved, own);
      if (c->moves()) {
        add_segment(s, c->motion_from, c->motion_to, c->motion);
        reach_of_set += std::max(size_of(s.low_d[0]), size_of(s.high_d[0]));
      }
    } else {
      const ConvexSet& convex = *s.operand.convex;
      for (std::uint32_t i = 0; i < convex.points; ++i) {
        const V3<double> p = local_d(convex.base(i));
        if (i < 4) s.base_d[i] = p;
        reach_of_set = std::max(reach_of_set, size_of(p));
      }
      for (std::uint32_t k = 0; k < convex.segments; ++k) {
        add_segment(s, convex.lo[k], convex.hi[k], convex.segment[k]);
        reach_of_set += std::max(size_of(s.low_d[k]), size_of(s.high_d[k]));
      }
      unbounded = unbounded || convex.directions > 0;
    }
    size += reach_of_set;
  }
  size = std::max(size, (pre_scaled(a.radius()) + pre_scaled(b.radius())) * 0x1p-40);  // large enough for the limit below not to affect the radii
  extent_ = extent_of_curved > 0 ? extent_of_curved : size;
  const double most = size * 0x1p60;  // a larger reach is equivalent: everything is within it
  double reach[3] = {pre_scaled(a.radius()), pre_scaled(b.radius()), pre_scaled(extra)};
  for (double& r : reach) r = std::min(r, most);
  if (unbounded) {
    const double y = 4 * (size + ((reach[0] + reach[1]) + reach[2]));
    cut_ = true;
    cut_length_ = power_of_two(std::clamp(exponent_of(16 * y) + 1, -1000, 900));
    for (Set& s : side_)
      if (s.operand.convex) add_directions(s, *s.operand.convex, size);
  }
  post_ = size > 0 ? std::clamp(-(exponent_of(size) + 2), -1000, 1000) : 0;
  factor_ = power_of_two(post_);
  extent_ *= factor_;
  for (Set& s : side_) {
    if (s.operand.curved) s.d.emplace(placed<double>(*s.operand.curved, *this));
    for (std::uint32_t i = 0; s.operand.convex && i < std::min(s.operand.convex->points, 4u); ++i) s.base_d[i] = times(s.base_d[i], factor_);
    for (int k = 0; k < s.segments; ++k) {
      s.low_d[k] = times(s.low_d[k], factor_);
      s.high_d[k] = times(s.high_d[k], factor_);
      s.low[k] = times(s.low[k], factor_);
      s.high[k] = times(s.high[k], factor_);
    }
  }
  side_[0].ball = reach[0] * factor_;
  side_[1].ball = reach[1] * factor_;
  reach_ = (side_[0].ball + side_[1].ball) + TwoDouble(reach[2] * factor_);
}

void LocalPair::add_directions(Set& s, const ConvexSet& convex, double& size) const {
  for (std::uint32_t k = 0; k < convex.directions && s.segments < kMaxSegments; ++k) {
    const Vec3& d = convex.direction[k];
    const int ed = exponent_of_norm(d);
    const V3<double> v{scaled(d.x, -ed) * cut_length_, scaled(d.y, -ed) * cut_length_, scaled(d.z, -ed) * cut_length_};
    const bool both = k + 1 < convex.directions && convex.direction[k + 1] == -d;
    s.high_d[s.segments] = v;
    s.low_d[s.segments] = both ? -v : V3<double>{0, 0, 0};
    s.high[s.segments] = {v.x, v.y, v.z};
    s.low[s.segments] = {s.low_d[s.segments].x, s.low_d[s.segments].y, s.low_d[s.segments].z};
    ++s.segments;
    size += 2 * cut_length_;
    k += both;
  }
}

void LocalPair::add_segment(Set& s, double lo, double hi, const Vec3& v) const {
  GRAZE_EXPECTS(s.segments < kMaxSegments);
  const int k = s.segments++;
  s.low[k] = {product(lo, v.x), product(lo, v.y), product(lo, v.z)};
  s.high[k] = {product(hi, v.x), product(hi, v.y), product(hi, v.z)};
  s.low_d[k] = rounded(s.low[k]);
  s.high_d[k] = rounded(s.high[k]);
}

TwoDouble LocalPair::product(double s, double x) const {
  if (s == 0 || x == 0) return 0;
  const int es = exponent_of(s), ex = exponent_of(x);
  if (pre_ == 0 && es < 300 && es > -300 && ex < 300 && ex > -300) return two_product(s, x);
  const TwoDouble p = two_product(scaled(s, -es), scaled(x, -ex));
  return {scaled(p.hi, es + ex + pre_), scaled(p.lo, es + ex + pre_)};
}

V3<double> LocalPair::farthest(int side, const V3<double>& x) const {
  const Set& s = side_[side];
  const ConvexSet* convex = s.operand.convex;
  V3<double> best = convex ? s.base_d[0] : farthest_of(*s.d, x);
  if (convex && convex->points > 1) {
    double value = dot(x, best);
    for (std::uint32_t i = 1; i < convex->points; ++i) {
      const V3<double> p = base_in_doubles(s, i);
      const double d = dot(x, p);
      if (d > value) {
        value = d;
        best = p;
      }
    }
  }
  for (int k = 0; k < s.segments; ++k) best = best + (dot(x, s.high_d[k]) > dot(x, s.low_d[k]) ? s.high_d[k] : s.low_d[k]);
  return best;
}

void LocalPair::range(int side, const V3<double>& x, double& least, double& greatest) const {
  const Set& s = side_[side];
  const ConvexSet& convex = *s.operand.convex;
  least = greatest = dot(x, s.base_d[0]);
  for (std::uint32_t i = 1; i < convex.points; ++i) {
    const double d = dot(x, base_in_doubles(s, i));
    least = std::min(least, d);
    greatest = std::max(greatest, d);
  }
  for (int k = 0; k < s.segments; ++k) {
    const double l = dot(x, s.low_d[k]), h = dot(x, s.high_d[k]);
    least += std::min(l, h);
    greatest += std::max(l, h);
  }
}

V3<TwoDouble> LocalPair::farthest(int side, const V3<TwoDouble>& x) const {
  const Set& s = side_[side];
  V3<TwoDouble> best;
  if (s.operand.curved) {
    if (!s.t) s.t.emplace(placed<TwoDouble>(*s.operand.curved, *this));
    best = farthest_of(*s.t, x);
  } else if (const ConvexSet& convex = *s.operand.convex; convex.points == 1) {
    best = local<TwoDouble>(convex.base(0));
  } else {
    // Doubles are off by less than 16 u |x|_1 per value, so only points within twice that of the best are evaluated in more precision.
    const V3<double> xd = rounded(x);
    const auto value_of = [&](std::uint32_t i) { return dot(xd, base_in_doubles(s, i)); };
    double top = -8;
    for (std::uint32_t i = 0; i < convex.points; ++i) top = std::max(top, value_of(i));
    const double slack = (std::fabs(xd.x) + std::fabs(xd.y) + std::fabs(xd.z)) * 0x1p-48;
    TwoDouble value = -16;
    for (std::uint32_t i = 0; i < convex.points; ++i) {
      if (value_of(i) < top - slack) continue;
      const V3<TwoDouble> p = local<TwoDouble>(convex.base(i));
      const TwoDouble d = dot(x, p);
      if (rounded(d - value) > 0) {
        value = d;
        best = p;
      }
    }
  }
  for (int k = 0; k < s.segments; ++k) best = best + (rounded(dot(x, s.high[k] - s.low[k])) > 0 ? s.high[k] : s.low[k]);
  return best;
}

V3<TwoDouble> LocalPair::farthest_by_offset(int side, const V3<double>& x) const {
  const Curved* c = side_[side].operand.curved;
  if (!c || c->moves()) return farthest(side, V3<TwoDouble>{x.x, x.y, x.z});
  const Vec3 own = c->ends().a;
  const V3<double> p = farthest_of(placed<double>(*c, about(own)), x);
  return local<TwoDouble>(own) + V3<TwoDouble>{p.x, p.y, p.z};
}

LocalVertex<TwoDouble> LocalPair::least_by_offsets(const V3<double>& x) const {
  LocalVertex<TwoDouble> v;
  v.a = farthest_by_offset(0, -x);
  v.b = farthest_by_offset(1, x);
  v.w = v.a - v.b;
  return v;
}

/// kLocalError belongs to coordinates that add up to 1/2; these are smaller.
double LocalPair::own_error() const {
  double size = 0;
  for (const Set& s : side_) {
    const Curved* c = s.operand.curved;
    if (!c || c->moves()) continue;
    const Ends ends = c->ends();
    const double length = size_of(local_d(ends.b) - local_d(ends.a)), r = pre_scaled(c->largest_radius());
    size += factor_ * c->visit([&]<class K>(const K&) { return K::coordinate_bound(length, r); });
  }
  return 2 * kLocalError<double> * size + kLocalError<TwoDouble>;
}

double LocalPair::length_in_world(const TwoDouble& x) const { return std::min(scaled(rounded(x), -(pre_ + post_)), kLargest); }

Vec3 LocalPair::point_in_world(const V3<TwoDouble>& p) const {
  Vec3 r;
  const TwoDouble* c[3] = {&p.x, &p.y, &p.z};
  for (int i = 0; i < 3; ++i) {
    const TwoDouble v = TwoDouble(scaled(c[i]->hi, -post_), scaled(c[i]->lo, -post_)) + TwoDouble(origin_[i]);
    r[i] = std::clamp(scaled(rounded(v), -pre_), -kLargest, kLargest);
  }
  return r;
}

namespace {

struct PlanePoint {
  TwoDouble u, v;
};

/// A convex polygon of directions on one face of the cube |n| <= 1.
struct DirectionPolygon {
  std::vector<PlanePoint> corners{{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};

  /// Keeps c + a u + b v >= 0.
  void cut(const TwoDouble& c, const TwoDouble& a, const TwoDouble& b) {
    std::vector<PlanePoint> kept;
    std::vector<TwoDouble> value;
    for (const PlanePoint& p : corners) value.push_back(c + a * p.u + b * p.v);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::size_t j = i + 1 == corners.size() ? 0 : i + 1;
      const int si = sign_of(value[i]), sj = sign_of(value[j]);
      if (si >= 0) kept.push_back(corners[i]);
      if (si * sj < 0) {
        const TwoDouble t = value[i] / (value[i] - value[j]);
        kept.push_back({corners[i].u + t * (corners[j].u - corners[i].u), corners[i].v + t * (corners[j].v - corners[i].v)});
      }
    }
    corners.swap(kept);
  }
  /// Centre of mass; stores twice the area in `area`.
  PlanePoint centre(double& area) const {
    TwoDouble total = 0, u = 0, v = 0;
    const PlanePoint& o = corners[0];
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
      const PlanePoint p{corners[i].u - o.u, corners[i].v - o.v}, q{corners[i + 1].u - o.u, corners[i + 1].v - o.v};
      const TwoDouble w = p.u * q.v - p.v * q.u;
      total = total + w;
      u = u + w * (p.u + q.u);
      v = v + w * (p.v + q.v);
    }
    area = rounded(total);
    if (!(area > 0)) return o;
    const TwoDouble third = TwoDouble(3) * total;
    return {o.u + u / third, o.v + v / third};
  }
};

}  // namespace

TwoDouble bound_by_cuts(const LocalPair& pair, const Nearby<TwoDouble>& start, const TwoDouble& enough, double tolerance,
                        std::vector<LocalVertex<TwoDouble>>* vertices) {
  TwoDouble best = rounded(start.low) > 0 ? start.low : TwoDouble(0);
  const bool bounded = rounded(enough) < 4;
  for (int face = 0; face < 6; ++face) {
    const int k = face >> 1;
    const double sign = face & 1 ? -1 : 1;
    const auto direction = [&](const PlanePoint& p) {
      V3<TwoDouble> n;
      TwoDouble* c[3] = {&n.x, &n.y, &n.z};
      *c[k] = sign;
      *c[(k + 1) % 3] = p.u;
      *c[(k + 2) % 3] = p.v;
      return n;
    };
    DirectionPolygon polygon;
    const auto cut = [&](const V3<TwoDouble>& g) {
      const TwoDouble* c[3] = {&g.x, &g.y, &g.z};
      polygon.cut(TwoDouble(sign) * *c[k], *c[(k + 1) % 3], *c[(k + 2) % 3]);
    };
    for (int i = 0; i < start.kept && !polygon.corners.empty(); ++i) cut(start.met[i].w);
    // The doubled area falls from 8 to tolerance^2 / 8 > 2^-180, to 5/9 at most each time (docs/derivations/curved.md): some 216 steps.
    constexpr int kMaxSteps = 400;
    for (int step = 0; step < kMaxSteps && polygon.corners.size() >= 3; ++step) {
      double area = 0;
      const PlanePoint p = polygon.centre(area);
      if (area < tolerance * tolerance * 0.125) break;
      const V3<TwoDouble> n = direction(p);
      const LocalVertex<TwoDouble> v = pair.least(n);
      if (vertices) vertices->push_back(v);
      const TwoDouble norm = square_root(dot(n, n));
      const TwoDouble low = dot(n, v.w) / norm;
      if (rounded(low - best) > 0) best = low;
      if (bounded && rounded(best - enough) > 2 * kLocalError<TwoDouble>) return best;
      const TwoDouble level = bounded && rounded(enough - best) > 0 ? enough : best;
      const TwoDouble f = level / norm;
      cut(v.w - f * n);  // h(n') - level |n'| <= (w - level n / |n|) . n'
    }
  }
  return best;
}

}  // namespace graze
