// The generic decision. The double tier proposes by the iteration of Gilbert, Johnson and Keerthi and proves by a separating plane or by a point certainly
// within the sum of radii; pairs of doubles go on from there; unlimited integers decide the rest.
#include "convex/decide/decide.hpp"

#include <algorithm>
#include <cmath>

#include "convex/axes/polytopes_meet.hpp"
#include "convex/decide/filter.hpp"
#include "convex/decide/in_pairs.hpp"
#include "convex/gjk/nearest_exactly.hpp"
#include "exact/approx.hpp"
#include "exact/predicates.hpp"

namespace graze {

constinit thread_local DecisionCounts decision_counts_of_thread;

namespace {
constexpr double u = kUnitRoundoff;

/// Ends where |A - B| <= reach is decided. x is always a computed convex combination of computed vertices, so a true point of A - B lies within
/// kCoordinateError + 8 u of it per coordinate. Apart: x . w > reach |x| for the least vertex w. The computed least value is off by at most |x|_1 (16 u + 4 u)
/// (coordinates, then three products and two sums of size <= 1), and the choice of the least vertex, made on unscaled coordinates, costs at most 2 |x|_1 16 u
/// more: together below |x|_1 64 u. Within: |x| + 2 * (16 u + 8 u) < reach.
struct DecisionInDoubles {
  static constexpr double kDeterminantError = 340 * u;
  static_assert(kDeterminantError > determinant_error(kCoordinateError, 1) && kDeterminantError > 21 * kCoordinateError);

  static constexpr double kLeastSquare = 0x1p-600;  // far below the error of x; larger squares do not underflow
  static constexpr double kNear = 0x1p-20;          // a choice: x, off by some 8 u, is then still certain to 2^-30 of its length

  double reach;
  bool stop_at_plane;
  Certain within = Certain::unknown;
  double norm = 0, least_norm = 2e300;  // above every norm: coordinates are below 1
  int step = 0;

  bool end(Certain answer) {
    within = answer;
    return true;
  }
  bool at_point(Proposal& s) {
    constexpr int kMaxSteps = 48;  // a choice; at the cap integers decide
    if (s.n == 4 || step++ == kMaxSteps) return true;
    const double xx = dot(s.x, s.x);
    norm = std::sqrt(xx);
    // 24 u a coordinate are 41.6 u of length; the root of xx adds 4.4 u. reach is off by 4 u, and its product by u.
    if (norm + 48 * u < reach * (1 - 8 * u)) return end(Certain::yes);
    s.by_normal = norm < kNear;
    return !(xx > kLeastSquare);
  }
  /// Whether the plane perpendicular to x through the least vertex w keeps A and B apart. x need not be a point of A - B.
  bool separates(const V3<double>& x, double length, const V3<double>& w) const {
    const double level = dot(x, w), slack = taxicab(x) * (64 * u);
    // 16 u: 4 u of reach, 2.5 u of the length, the two products and the difference
    return level - slack > reach * length * (1 + 16 * u);
  }
  bool apart_by(const Proposal& s, const V3<double>& w) const {
    if (!s.by_normal) return separates(s.x, norm, w);
    const V3<double> x = s.direction();
    const double xx = dot(x, x);
    return xx > kLeastSquare && separates(x, std::sqrt(xx), w);
  }
  bool at_vertex(Proposal& s, const ScaledVertex<double>& v) {
    if (stop_at_plane && apart_by(s, v.w)) return end(Certain::no);
    if (s.contains(v.g) || !(norm < least_norm)) return true;  // no progress: the precision of doubles is exhausted
    least_norm = norm;
    s.add(v.g, v.w);
    return s.n == 4 && certainly_contains_origin(s.w, kDeterminantError, s.weight) && end(Certain::yes);
  }
};

}  // namespace

Certain decide_in_doubles(const ScaledPair& pair, Proposal& proposal, bool stop_at_plane) {
  DecisionInDoubles stop{pair.reach(), stop_at_plane};
  const V3<double> x = pair.between_middles();
  const double xx = dot(x, x);
  const ScaledVertex<double> first = pair.least(x);
  proposal.start(first.g, first.w);
  if (stop_at_plane && xx > stop.kLeastSquare && stop.separates(x, std::sqrt(xx), first.w)) return Certain::no;
  gjk(pair, stop, proposal);
  return stop.within;
}

namespace {

int decide_in_integers(const ConvexSet& a, const ConvexSet& b, double extra, const Simplex<Generator>& proposal, bool stop_early) {
  ++decision_counts().big;
  int sign = 0;
  nearest_exactly(IntegerPair(a, b, extra), proposal, stop_early, sign);
  return sign;
}

}  // namespace

bool within(const ConvexSet& a, const ConvexSet& b, double extra) {
  if (a.is_ball() && b.is_ball()) return compare_squared_distance(a.base(0), b.base(0), a.radius, b.radius, extra) <= 0;
  const ScaledPair pair(a, b, extra);
  Proposal in_doubles;
  if (pair.usable()) {
    const Certain c = decide_in_doubles(pair, in_doubles, true);
    if (c != Certain::unknown) {
      ++decision_counts().filter;
      return c == Certain::yes;
    }
  }
  Certain meet = extra == 0 ? polytopes_meet(a, b) : Certain::unknown;
  Simplex<Generator> proposal;
  if (meet == Certain::unknown && pair.usable()) {
    const SearchInPairs search(pair, in_doubles, false);
    meet = search.within;
    if (pair.same_generators()) proposal = search.s;
  }
  if (meet != Certain::unknown) {
    ++decision_counts().pairs;
    return meet == Certain::yes;
  }
  return decide_in_integers(a, b, extra, proposal, true) <= 0;
}

int compare_distance(const ConvexSet& a, const ConvexSet& b, double extra) {
  if (a.is_ball() && b.is_ball()) return compare_squared_distance(a.base(0), b.base(0), a.radius, b.radius, extra);
  return decide_in_integers(a, b, extra, {}, false);
}

}  // namespace graze
