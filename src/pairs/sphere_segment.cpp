// Sphere against segment: doubles propose a nearest point and prove it from both sides; exact signs decide pairs within rounding of touching.
#include "pairs/sphere_segment.hpp"

#include <algorithm>

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

bool ball_meets_segment(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s) {
  using namespace filter;
  const Triple d = difference(b, a), e = difference(c, a), f = difference(c, b);
  const double t = clamped(dot(d, e) / dot(d, d));
  const Triple x{e.x - t * d.x, e.y - t * d.y, e.z - t * d.z};
  const double xx = dot(x, x), reach = r + s;
  const double m = std::max(std::max(max_norm(d), max_norm(e)), max_norm(f));
  // x against the true c - (a + t (b - a)) for this t: each coordinate is off by u m (e) + u m (d) + u m (product) + 2 u m (difference) = 5 u m, the vector by
  // 5 sqrt(3) u m < 9 u m.
  const bool inside = proves_within(xx, reach, 16 * kUnitRoundoff * m);
  // x . e: rounding of e, products and two sums, 4 u |x|_1 m.
  const double level = std::min(dot(x, e), dot(x, f)) - 8 * kUnitRoundoff * (taxicab(x) * m);
  if (either(inside, proves_apart(level, xx, reach))) [[likely]]
    return inside;
  return within_segment(a, b, c, r, s);
}

}  // namespace graze
