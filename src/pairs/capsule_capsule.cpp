// Capsule against capsule: doubles propose a nearest pair of points of the segments and prove it from both sides; exact signs decide pairs within rounding of
// touching.
#include "pairs/capsule_capsule.hpp"

#include <algorithm>

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

bool thick_segments_meet(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w, double r, double s) {
  using namespace filter;
  const Triple d = difference(q, p), e = difference(w, v), g = difference(p, v);
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dg = dot(d, g), eg = dot(e, g);
  // The parameters are only proposals: the nearest points of the lines, clamped, then each recomputed for the other. The divisions are adjacent because their
  // latencies, when chained, are most of the time of a single call.
  const double by_ee = 1 / ee, by_dd = 1 / dd;
  const double on_pq = clamped((de * eg - dg * ee) / (dd * ee - de * de));
  const double j = clamped(on_pq * (de * by_ee) + eg * by_ee);
  const double i = clamped(j * (de * by_dd) - dg * by_dd);
  const Triple x{(g.x - j * e.x) + i * d.x, (g.y - j * e.y) + i * d.y, (g.z - j * e.z) + i * d.z};
  const double xx = dot(x, x), reach = r + s;
  const double m = std::max(std::max(max_norm(d), max_norm(e)), max_norm(g));
  // Each coordinate of x: u m (g) + 2 u m (i d) + 2 u m (j e) + 2 u m + 3 u m (sums) = 10 u m; the vector sqrt(3) 10 u m < 18 u m.
  const bool inside = proves_within(xx, reach, 32 * kUnitRoundoff * m);
  // Over all points of both: x . g + min(0, x . d) - max(0, x . e), both selections made last. Each product 4 u |x|_1 m, sums of size up to 3 |x|_1 m: below 18
  // u |x|_1 m.
  const double at_p = dot(x, g), low = std::min(at_p, at_p + dot(x, d));
  const double level = std::min(low, low - dot(x, e)) - 32 * kUnitRoundoff * (taxicab(x) * m);
  if (either(inside, proves_apart(level, xx, reach))) [[likely]]
    return inside;
  return segments_within(p, q, v, w, r, s);
}

}  // namespace graze
