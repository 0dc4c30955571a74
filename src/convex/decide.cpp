// The generic decision. The double tier proposes by the iteration of Gilbert, Johnson and Keerthi and proves by a separating plane or by a point certainly
// within the sum of radii; unlimited integers decide the rest.
#include "convex/decide.hpp"

#include <algorithm>
#include <cmath>

#include "convex/decide_exact.hpp"
#include "convex/filter.hpp"
#include "exact/approx.hpp"
#include "exact/predicates.hpp"
#include "platform/expects.hpp"

namespace graze {

constinit thread_local DecisionCounts decision_counts_of_thread;

namespace {
constexpr double u = kUnitRoundoff;

/// Whether the tetrahedron of these four vertices certainly contains the origin. Each determinant of three vectors with entries of size at most m, each entry
/// off by at most 16 u, is off by at most 6 * (3 * 16 u m^2 (1 + 16 u)^2) plus its own roundings, 6 products of two roundings and 5 sums, at most 6 * 7 u m^3
/// <= 42 u m^2: below 336 u m^2 (m <= 1).
bool certainly_contains_origin(const V3<double>* w, double* weight) {
  double m = 0;
  for (int k = 0; k < 4; ++k) m = std::max({m, std::fabs(w[k].x), std::fabs(w[k].y), std::fabs(w[k].z)});
  const double bound = 340 * u * (m * m) + 0x1p-900;  // 2^-900: products that underflow
  const double d[4] = {dot(cross(w[1], w[2]), w[3]), -dot(cross(w[0], w[2]), w[3]), dot(cross(w[0], w[1]), w[3]), -dot(cross(w[0], w[1]), w[2])};
  const bool positive = d[0] > 0;
  for (double x : d)
    if (!(positive ? x > bound : -x > bound)) return false;
  for (int k = 0; k < 4; ++k) weight[k] = d[k] / ((d[0] + d[1]) + (d[2] + d[3]));
  return true;
}

}  // namespace

/// x is always a computed convex combination of computed vertices, so a true point of A - B lies within kCoordinateError + 8 u of it per coordinate. Apart: x .
/// w > reach |x| for the least vertex w. The computed least value is off by at most |x|_1 (16 u + 4 u) (coordinates, then three products and two sums of size
/// <= 1), and the choice of the least vertex, made on unscaled coordinates, costs at most 2 |x|_1 16 u more: together below |x|_1 64 u. Within: |x| + 2 * (16 u
/// + 8 u) < reach.
Verdict decide_in_doubles(const ScaledPair& pair, Proposal& proposal, bool stop_at_plane) {
  Simplex& s = proposal.simplex;
  V3<double> w[5];
  static constexpr bool points_only[4] = {false, false, false, false};
  const double reach = pair.reach();
  s.g[0] = Generator{};
  s.n = 1;
  w[0] = pair.point(s.g[0]);
  V3<double> x = w[0];
  double least_norm = 2e300;     // above every norm: coordinates are below 1
  constexpr int kMaxSteps = 48;  // a choice; at the cap the verdict is unknown, and integers decide
  for (int step = 0; step < kMaxSteps; ++step) {
    const double xx = dot(x, x);
    const double norm = std::sqrt(xx);
    // 24 u a coordinate are 41.6 u of length; the root of xx adds 4.4 u. reach is off by 4 u, and its product by u.
    if (norm + 48 * u < reach * (1 - 8 * u)) return Verdict::within;
    if (!(xx > 0x1p-600)) return Verdict::unknown;  // far below the error of x; larger squares do not underflow
    const Generator g = pair.least(x);
    const V3<double> v = pair.point(g);
    const double level = dot(x, v);
    const double slack = (std::fabs(x.x) + std::fabs(x.y) + std::fabs(x.z)) * (64 * u);
    // 16 u: 4 u of reach, 2.5 u of norm, the two products and the difference
    if (stop_at_plane && level - slack > reach * norm * (1 + 16 * u)) return Verdict::apart;
    if (s.contains(g) || !(norm < least_norm)) return Verdict::unknown;  // no progress: the precision of doubles is exhausted
    least_norm = norm;
    GRAZE_EXPECTS(s.n < 4);
    s.g[s.n] = g;
    w[s.n] = v;
    ++s.n;
    if (s.n == 4 && certainly_contains_origin(w, proposal.weight)) return Verdict::within;
    Nearest<double> nearest;
    if (!nearest_of_simplex<false>(w, points_only, s.n, nearest)) return Verdict::unknown;
    Simplex face;
    V3<double> kept[4];
    x = {0, 0, 0};
    for (int k = 0; k < nearest.count; ++k) {
      const int i = nearest.index[k];
      face.g[k] = s.g[i];
      kept[k] = w[i];
      proposal.weight[k] = nearest.weight[k] / nearest.total;
      x = x + proposal.weight[k] * kept[k];
    }
    face.n = nearest.count;
    if (face.n == 4) return Verdict::unknown;
    s = face;
    for (int k = 0; k < s.n; ++k) w[k] = kept[k];
  }
  return Verdict::unknown;
}

namespace {

int decide_in_integers(const ConvexSet& a, const ConvexSet& b, double extra, const Simplex& proposal, bool stop_early) {
  ++decision_counts().big;
  int sign = 0;
  nearest_exactly(IntegerPair(a, b, extra), proposal, stop_early, sign);
  return sign;
}

}  // namespace

bool within(const ConvexSet& a, const ConvexSet& b, double extra) {
  if (a.is_ball() && b.is_ball()) return compare_squared_distance(a.base(0), b.base(0), a.radius, b.radius, extra) <= 0;
  Proposal proposal;
  const ScaledPair pair(a, b, extra);
  if (pair.usable()) {
    const Verdict v = decide_in_doubles(pair, proposal, true);
    if (v != Verdict::unknown) {
      ++decision_counts().filter;
      return v == Verdict::within;
    }
    if (!pair.same_generators()) proposal.simplex.n = 0;
  }
  return decide_in_integers(a, b, extra, proposal.simplex, true) <= 0;
}

int compare_distance(const ConvexSet& a, const ConvexSet& b, double extra) {
  if (a.is_ball() && b.is_ball()) return compare_squared_distance(a.base(0), b.base(0), a.radius, b.radius, extra);
  return decide_in_integers(a, b, extra, {}, false);
}

}  // namespace graze
