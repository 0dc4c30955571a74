// Decision and distance of curved shapes. Doubles decide clear cases, integers decide the cases that have an exact answer, and pairs of
// doubles decide the rest within the bound.
#include "convex/decide/curved_decide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "convex/minkowski/round_direction.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

/// Error of distances and witnesses, relative to the curved extents E (docs/derivations/curved.md).
constexpr double kPromised = 0x1p-40;
/// The part of it that the gap between both bounds may have in doubles; the gap at which the search ends, for witnesses at the same place, and that from which
/// the surfaces are followed where they are round: choices.
constexpr double kGap = 0x1p-42, kGoal = 0x1p-46, kNearEnough = 0x1p-9;

/// Follows the surfaces to the nearest points where they are round. Returns whether the bounds agree to `tolerance`.
bool follow_round(const LocalPair& pair, double tolerance, Nearby<double>& s) {
  DirectionSearch to((1 / s.norm) * s.x);
  for (bool go_on = true; go_on;) {
    const V3<double> n = to.direction();
    const LocalVertex<double> v = pair.least(n);
    const double norm = std::sqrt(dot(v.w, v.w));
    s.take_bound(n, v);
    if (norm - s.low <= tolerance) {
      s.start(v, v.w);
      s.norm = norm;
      return true;
    }
    go_on = to.next(v.w);
  }
  if (s.n < 2) return false;  // no edge to begin with
  RoundEdge edge(s.w, s.n, s.direction());
  if (!edge.follow(pair, round_place(pair))) return false;
  Nearby<double> found = s;
  found.start(edge.end[0], edge.end[0].w);
  found.add(edge.end[1], edge.end[1].w);
  found.to_nearest();
  found.norm = std::sqrt(dot(found.x, found.x));
  found.take_bound(found.direction(), pair.least(found.direction()));
  if (!(found.norm - found.low <= tolerance)) return false;
  s = found;
  return true;
}

/// The search in doubles, which decides and, with a tolerance, goes on to the distance where the operands are apart.
Certain search_in_doubles(const LocalPair& pair, std::optional<double> tolerance, Nearby<double>& s) {
  if (!tolerance) return search_nearest(pair, true, 0, s);
  LocalDecision<double> stop{{}, true, std::max(*tolerance, pair.extent() * kNearEnough), true};
  start_search(pair, stop, s);
  gjk(pair, stop, s);
  if (stop.within != Certain::no || s.norm - s.low <= *tolerance) return stop.within;
  if (follow_round(pair, *tolerance, s)) return stop.within;
  stop.tolerance = *tolerance;
  gjk(pair, stop, s);
  return stop.within;
}

}  // namespace

bool within_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex, double extra, LocalSearch& search, std::optional<double> tolerance) {
  const Certain found = search_in_doubles(pair, tolerance, search.near);
  search.by_doubles = found != Certain::unknown;
  if (search.by_doubles) {
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
  const V3<double>& x = search.near.low_direction;
  s.x = {x.x, x.y, x.z};
  const Certain closer = search_nearest(pair, true, pair.tolerance(), s);
  if (closer != Certain::unknown || s.converged) return closer != Certain::no;
  return !(rounded(bound_by_cuts(pair, s, pair.reach(), pair.tolerance(), nullptr) - pair.reach()) > 2 * kLocalError<TwoDouble>);
}

namespace {

bool within_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex, double extra) {
  LocalSearch search;
  return within_local(pair, a, convex, extra, search);
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

/// A point less a convex set B.
struct PointLessSet {
  const LocalPair& pair;
  V3<TwoDouble> point;
  TwoDouble reach() const { return 0; }
  LocalVertex<TwoDouble> least(const V3<TwoDouble>& x) const {
    LocalVertex<TwoDouble> v;
    v.a = point;
    v.b = pair.farthest(1, x);
    v.w = v.a - v.b;
    return v;
  }
};

/// The result for points of the hulls and their difference x.
ConvexClosest apart_at(const LocalPair& pair, const V3<TwoDouble>& pa, const V3<TwoDouble>& pb, const V3<TwoDouble>& x, const TwoDouble& norm) {
  const TwoDouble ra = pair.radius(0), rb = pair.radius(1);
  TwoDouble ta = 0, tb = 0;
  if (rounded(norm) > 0) {
    ta = ra / norm;
    tb = rb / norm;
  }
  ConvexClosest out;
  out.on_a = pair.point_in_world(pa - ta * x);
  out.on_b = pair.point_in_world(pb + tb * x);
  out.distance = std::max(pair.length_in_world(norm - (ra + rb)), std::numeric_limits<double>::denorm_min());
  return out;
}

ConvexClosest closest_local(const LocalPair& pair, const Curved& a, const ConvexSet* convex) {
  LocalSearch search;
  const bool touching = within_local(pair, a, convex, 0, search, pair.extent() * kGoal);
  const Nearby<double>& quick = search.near;
  ConvexClosest out;
  if (touching && search.by_doubles && !pair.cut() && kLocalError<double> <= pair.extent() * kPromised) {
    const double r = rounded(pair.radius(0)) + rounded(pair.radius(1)), t = r > 0 ? rounded(pair.radius(0)) / r : 0.5;
    const V3<double> p = quick.point_a() - t * quick.x;
    out.on_a = out.on_b = pair.point_in_world({p.x, p.y, p.z});
    out.distance = 0;
    return out;
  }
  // The distance is off by the gap between both bounds and by the error of either.
  const auto accepts = [&](double gap, double error) { return gap <= pair.extent() * kGap && 2 * error <= pair.extent() * (kPromised - kGap); };
  if (!touching && accepts(quick.norm - quick.low, kLocalError<double>)) {
    const double ra = rounded(pair.radius(0)), rb = rounded(pair.radius(1));
    const V3<double> pa = quick.point_a() - (ra / quick.norm) * quick.x, pb = quick.point_b() + (rb / quick.norm) * quick.x;
    out.on_a = pair.point_in_world({pa.x, pa.y, pa.z});
    out.on_b = pair.point_in_world({pb.x, pb.y, pb.z});
    out.distance = std::max(pair.length_in_world(quick.norm - ra - rb), std::numeric_limits<double>::denorm_min());
    return out;
  }
  if (!touching) {
    const LocalVertex<TwoDouble> v = pair.least_by_offsets(quick.low_direction);
    const V3<TwoDouble> n{quick.low_direction.x, quick.low_direction.y, quick.low_direction.z};
    const TwoDouble norm = square_root(dot(v.w, v.w)), low = dot(n, v.w) / square_root(dot(n, n));
    if (accepts(rounded(norm - low), pair.own_error())) return apart_at(pair, v.a, v.b, v.w, norm);
    if (convex) {  // the nearest point of B to that of A, which need not be a corner
      Nearby<TwoDouble> to_set;
      to_set.x = n;
      search_nearest(PointLessSet{pair, v.a}, false, 0, to_set);
      const TwoDouble far = to_set.norm, level = dot(to_set.x, pair.least_by_offsets(graze::rounded(to_set.x)).w);
      if (rounded(far) > 0 && accepts(rounded(far - level / far), pair.own_error())) return apart_at(pair, v.a, to_set.point_b(), to_set.x, far);
    }
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
  return apart_at(pair, pa, pb, s.x, s.norm);
}

/// Of a ball whose centre is outside; nothing where doubles do not prove it.
std::optional<ConvexClosest> closest_to_ball(const Curved& a, const ConvexSet& ball) {
  const Vec3 p = ball.base(0);
  const std::optional<NearestPlace> near = nearest_place(a, p);
  if (!near) return std::nullopt;
  const Ends ends = a.ends();
  const double extent = std::max(a.largest_radius(), max_norm(minus(ends.b, ends.a)));
  const double norm = std::sqrt(dot(near->x, near->x)), low = near->level / norm, error = 32 * kUnitRoundoff * near->size, r = ball.radius;
  if (!(near->size > 0x1p-200 && near->size < 0x1p200 && norm > 0x1p-60 * near->size && (norm - low) + 2 * error < kPromised * 0.5 * extent))
    return std::nullopt;
  const Vec3 on_a(ends.a.x + near->at.x, ends.a.y + near->at.y, ends.a.z + near->at.z);
  if (norm + error < r * (1 - 4 * kUnitRoundoff)) return ConvexClosest{0, on_a, on_a};
  if (!(low - error > r * (1 + 4 * kUnitRoundoff))) return std::nullopt;
  const double t = r / norm;
  return ConvexClosest{norm - r, on_a, Vec3(p.x - t * near->x.x, p.y - t * near->x.y, p.z - t * near->x.z)};
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
  if (b.is_ball()) {
    if (const auto found = closest_to_ball(a, b)) {
      ++decision_counts().filter;
      return *found;
    }
  }
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
