// Decision and distance of cylinders, cones and ellipsoids. Doubles decide clear cases, integers decide the cases that have an exact answer, and pairs of
// doubles decide the rest within the bound.
#include "convex/curved.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "convex/minkowski_local.hpp"

namespace graze {
namespace {

/// Error of distances and witnesses, relative to the curved extents E (docs/derivations/curved.md).
constexpr double kPromised = 0x1p-40;

Vec3 placed_point(const Vec3& p, const Pose* pose) { return pose ? pose->apply(p) : p; }
Vec3 placed_direction(const Vec3& d, const Pose* pose) { return pose ? pose->rotate(d) : d; }

Curved ended(Curved::Kind kind, const Vec3& a, const Vec3& b, double radius, const Pose* pose) {
  Curved c;
  c.a = placed_point(a, pose);
  c.b = placed_point(b, pose);
  if (radius == 0) {
    c.convex.add_point(c.a).add_point(c.b);
    return c;
  }
  c.kind = kind;
  c.radius = radius;
  c.direction = placed_direction(b - a, pose);
  return c;
}

bool is_turn(const Vec3* axis) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (axis[i][k] != 0 && axis[i][k] != 1 && axis[i][k] != -1) return false;
  return true;
}

/// An order of curved operands by their doubles, so that exchanging the operands changes nothing.
bool before(const Curved& x, const Curved& y) {
  if (x.kind != y.kind) return x.kind < y.kind;
  const auto compare = [](const Vec3& p, const Vec3& q) {
    for (int i = 0; i < 3; ++i)
      if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    return 0;
  };
  if (const int c = compare(x.a, y.a)) return c < 0;
  if (const int c = compare(x.b, y.b)) return c < 0;
  if (x.radius != y.radius) return x.radius < y.radius;
  for (int i = 0; i < 3; ++i) {
    if (x.radii[i] != y.radii[i]) return x.radii[i] < y.radii[i];
    if (const int c = compare(x.axis[i], y.axis[i])) return c < 0;
  }
  if (const int c = compare(x.direction, y.direction)) return c < 0;
  if (const int c = compare(x.motion, y.motion)) return c < 0;
  return x.motion_from != y.motion_from ? x.motion_from < y.motion_from : x.motion_to < y.motion_to;
}

bool within_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex, double extra, Nearby<double>& quick, bool& by_doubles) {
  const Certain found = search_nearest(pair, true, 0, quick);
  by_doubles = found != Certain::unknown;
  if (by_doubles) {
    ++decision_counts().filter;
    return found == Certain::yes;
  }
  if (convex) {
    const int exact = within_exactly(a, *convex, extra);
    if (exact >= 0) {
      ++decision_counts().big;
      return exact == 1;
    }
  }
  ++decision_counts().fixed;
  Nearby<TwoDouble> s;
  s.x = {quick.low_direction.x, quick.low_direction.y, quick.low_direction.z};
  const Certain closer = search_nearest(pair, true, pair.tolerance(), s);
  if (closer != Certain::unknown || s.converged) return closer != Certain::no;
  return !(rounded(bound_by_cuts(pair, s, pair.reach(), pair.tolerance(), nullptr) - pair.reach()) > 2 * kLocalError<TwoDouble>);
}

bool within_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex, double extra) {
  Nearby<double> quick;
  bool by_doubles = false;
  return within_local(pair, a, convex, extra, quick, by_doubles);
}

/// Vertices that the cutting planes found, presented to the search as a pair.
struct Pool {
  std::vector<LocalVertex<TwoDouble>> vertices;
  TwoDouble reach() const { return 0; }
  LocalVertex<TwoDouble> least(const V3<TwoDouble>& x) const {
    const LocalVertex<TwoDouble>* best = nullptr;
    TwoDouble value = 0;
    for (const LocalVertex<TwoDouble>& v : vertices) {
      const TwoDouble d = dot(x, v.w);
      if (best && !(rounded(d - value) < 0)) continue;
      best = &v;
      value = d;
    }
    return *best;
  }
};

ConvexClosest closest_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex) {
  Nearby<double> quick;
  bool by_doubles = false;
  const bool touching = within_local(pair, a, convex, 0, quick, by_doubles);
  ConvexClosest out;
  if (touching && by_doubles && !pair.cut() && kLocalError<double> <= pair.extent() * kPromised) {
    const double r = rounded(pair.radius(0)) + rounded(pair.radius(1)), t = r > 0 ? rounded(pair.radius(0)) / r : 0.5;
    const V3<double> p = quick.point_a() - t * quick.x;
    out.on_a = out.on_b = pair.point_in_world({p.x, p.y, p.z});
    out.distance = 0;
    return out;
  }
  if (!touching) {
    Nearby<double> d;
    d.x = quick.low_direction;
    search_nearest(pair, false, 0x1p-52, d);  // 2^-52 is below what doubles resolve: ends without progress
    // The distance is off by the gap between both bounds and by kLocalError: at most 2^-46 E + 2^-41 E.
    if (d.norm - d.low <= pair.extent() * 0x1p-46 && 2 * kLocalError<double> <= pair.extent() * kPromised) {
      const double ra = rounded(pair.radius(0)), rb = rounded(pair.radius(1));
      const V3<double> pa = d.point_a() - (ra / d.norm) * d.x, pb = d.point_b() + (rb / d.norm) * d.x;
      out.on_a = pair.point_in_world({pa.x, pa.y, pa.z});
      out.on_b = pair.point_in_world({pb.x, pb.y, pb.z});
      out.distance = std::max(pair.length_in_world(d.norm - ra - rb), std::numeric_limits<double>::denorm_min());
      return out;
    }
    quick.low_direction = d.low_direction;
  }
  Nearby<TwoDouble> s;
  s.x = {quick.low_direction.x, quick.low_direction.y, quick.low_direction.z};
  // The goal is 2^-68 E for precise witnesses. What stalls is accepted within the bound of touching, 2^-44 E; the cuts prove a quarter of that.
  const Certain found = search_nearest(pair, false, pair.tolerance() * 0x1p-24, s);
  TwoDouble low = s.low;
  if (found == Certain::unknown && rounded(s.norm - s.low) > pair.tolerance()) {
    Pool pool;
    low = bound_by_cuts(pair, s, 8, pair.tolerance() * 0x1p-2, &pool.vertices);  // 8: no distance reaches it, so there is no early end
    for (int k = 0; k < s.n; ++k) pool.vertices.push_back({s.g[k], s.w[k]});
    Nearby<TwoDouble> again;
    search_nearest(pool, false, 0, again);
    if (rounded(again.norm - s.norm) < 0) s = again;
  }
  const V3<TwoDouble> pa = s.point_a(), pb = s.point_b();
  const TwoDouble ra = pair.radius(0), rb = pair.radius(1), r = ra + rb;
  if (touching) {
    // The common point lies on the segment between the closest points of the hulls, divided in the ratio of the radii.
    TwoDouble t = 0.5;
    if (rounded(r) > 0) t = ra / r;
    if (rounded(s.norm) > 0 && rounded(s.norm) * 0x1p-60 > rounded(r)) t = 0.5;  // the bound of touching counts, not the radii
    out.on_a = out.on_b = pair.point_in_world(pa - t * s.x);
    out.distance = 0;
    return out;
  }
  TwoDouble ta = 0, tb = 0;
  if (rounded(s.norm) > 0) {
    ta = ra / s.norm;
    tb = rb / s.norm;
  }
  out.on_a = pair.point_in_world(pa - ta * s.x);
  out.on_b = pair.point_in_world(pb + tb * s.x);
  out.distance = std::max(pair.length_in_world(s.norm - r), std::numeric_limits<double>::denorm_min());
  return out;
}

ConvexClosest exchanged(const ConvexClosest& c) { return {c.distance, c.on_b, c.on_a}; }

}  // namespace

Curved curved_of(const Cylinder& s, const Pose* pose) { return ended(Curved::Kind::cylinder, s.a, s.b, s.radius, pose); }
Curved curved_of(const Cone& s, const Pose* pose) { return ended(Curved::Kind::cone, s.a, s.b, s.radius, pose); }

Curved curved_of(const Ellipsoid& s, const Pose* pose) {
  Curved c;
  c.a = c.b = placed_point(s.center, pose);
  int positive = 0;
  for (int i = 0; i < 3; ++i) {
    Vec3 e(0, 0, 0);
    e[i] = 1;
    c.axis[i] = pose ? Vec3(pose->rotation[0][i], pose->rotation[1][i], pose->rotation[2][i]) : e;
    c.radii[i] = s.radii[i];
    positive += s.radii[i] > 0;
  }
  if (positive <= 1) {
    c.convex.add_point(c.a);
    for (int i = 0; i < 3; ++i)
      if (s.radii[i] > 0) c.convex.add_segment(c.axis[i], -s.radii[i], s.radii[i]);
    return c;
  }
  if (s.radii.x == s.radii.y && s.radii.y == s.radii.z && is_turn(c.axis)) {
    c.convex.add_point(c.a);
    c.convex.radius = s.radii.x;
    return c;
  }
  c.kind = Curved::Kind::ellipsoid;
  return c;
}

bool within(const Curved& a, const ConvexSet& b, double extra) {
  if (a.kind == Curved::Kind::convex) return within(a.convex, b, extra);
  return within_local(LocalPair(a, b, extra), a, &b, extra);
}

bool within(const Curved& a, const Curved& b, double extra) {
  if (a.kind == Curved::Kind::convex) return within(b, a.convex, extra);
  if (b.kind == Curved::Kind::convex) return within(a, b.convex, extra);
  if (before(b, a)) return within_local(LocalPair(b, a, extra), b, nullptr, extra);
  return within_local(LocalPair(a, b, extra), a, nullptr, extra);
}

ConvexClosest closest(const Curved& a, const ConvexSet& b) {
  if (a.kind == Curved::Kind::convex) return closest(a.convex, b);
  return closest_local(LocalPair(a, b, 0), a, &b);
}

ConvexClosest closest(const ConvexSet& a, const Curved& b) {
  if (b.kind == Curved::Kind::convex) return closest(a, b.convex);
  return exchanged(closest(b, a));
}

ConvexClosest closest(const Curved& a, const Curved& b) {
  if (a.kind == Curved::Kind::convex) return closest(a.convex, b);
  if (b.kind == Curved::Kind::convex) return closest(a, b.convex);
  if (before(b, a)) return exchanged(closest_local(LocalPair(b, a, 0), b, nullptr));
  return closest_local(LocalPair(a, b, 0), a, nullptr);
}

}  // namespace graze
