// Decision and distance of curved shapes. Doubles decide clear cases, integers decide the cases that have an exact answer, and pairs of
// doubles decide the rest within the bound.
#include "convex/decide/curved_decide.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "convex/minkowski/local_pair.hpp"

namespace graze {
namespace {

/// Error of distances and witnesses, relative to the curved extents E (docs/derivations/curved.md).
constexpr double kPromised = 0x1p-40;

bool within_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex, double extra, Nearby<double>& quick, bool& by_doubles) {
  const Certain found = search_nearest(pair, true, 0, quick);
  by_doubles = found != Certain::unknown;
  if (by_doubles) {
    ++decision_counts().filter;
    return found == Certain::yes;
  }
  if (convex) {
    const Certain exact = within_exactly(a, *convex, extra);
    if (exact != Certain::unknown) {
      ++decision_counts().big;
      return exact == Certain::yes;
    }
  }
  ++decision_counts().pairs;
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
    // With those of the search: where their cuts leave no direction, the nearest point is between them.
    pool.vertices.insert(pool.vertices.end(), s.met, s.met + s.kept);
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

bool within(const Curved& a, const ConvexSet& b, double extra) {
  if (a.convex()) return within(*a.convex(), b, extra);
  return within_local(LocalPair(a, b, extra), a, &b, extra);
}

bool within(const Curved& a, const Curved& b, double extra) {
  if (a.convex()) return within(b, *a.convex(), extra);
  if (b.convex()) return within(a, *b.convex(), extra);
  if (order_of(b, a) < 0) return within_local(LocalPair(b, a, extra), b, nullptr, extra);
  return within_local(LocalPair(a, b, extra), a, nullptr, extra);
}

ConvexClosest closest(const Curved& a, const ConvexSet& b) {
  if (a.convex()) return closest(*a.convex(), b);
  return closest_local(LocalPair(a, b, 0), a, &b);
}

ConvexClosest closest(const ConvexSet& a, const Curved& b) {
  if (b.convex()) return closest(a, *b.convex());
  return exchanged(closest(b, a));
}

ConvexClosest closest(const Curved& a, const Curved& b) {
  if (a.convex()) return closest(*a.convex(), b);
  if (b.convex()) return closest(a, *b.convex());
  if (order_of(b, a) < 0) return exchanged(closest_local(LocalPair(b, a, 0), b, nullptr));
  return closest_local(LocalPair(a, b, 0), a, nullptr);
}

}  // namespace graze
