// Sphere against triangle: the nearest point in doubles by the regions of corners, edges and face (C. Ericson, "Real-Time Collision Detection", 5.1.5), proven from both sides; touching by exact signs.
#include "pairs/sphere_triangle.hpp"

#include "exact/distance_predicates.hpp"
#include "pairs/certain.hpp"

namespace graze {
namespace {

using namespace filter;

/// Weights of b and c of the nearest point, each >= 0 and their sum <= 1 + 4 u.
struct Weights {
  double b, c;
};
Weights propose(const Triple& ab, const Triple& ac, const Triple& ap, const Triple& bp, const Triple& cp) {
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {0, 0};
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {1, 0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {clamped(d1 / (d1 - d3)), 0};
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {0, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {0, clamped(d2 / (d2 - d6))};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const double w = clamped((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    return {1 - w, w};
  }
  const double sum = (va + vb) + vc, v = clamped(vb / sum), w = clamped(vc / sum);
  return {v, std::min(w, 1 - v)};
}

}  // namespace

bool intersects_pair(const Triangle& triangle, const Sphere& sphere) {
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2], &p = sphere.center;
  const Triple ab = difference(b, a), ac = difference(c, a), ap = difference(p, a), bp = difference(p, b), cp = difference(p, c);
  const Weights t = propose(ab, ac, ap, bp, cp);
  const Triple x{(ap.x - t.b * ab.x) - t.c * ac.x, (ap.y - t.b * ab.y) - t.c * ac.y, (ap.z - t.b * ab.z) - t.c * ac.z};
  const double xx = dot(x, x), reach = sphere.radius;
  const double m = std::max(std::max(std::max(size(ab), size(ac)), size(ap)), std::max(size(bp), size(cp)));
  // Each coordinate of x: u m (ap) + 2 u m + 2 u m (products) + 2 u m + 3 u m (sums) = 10 u m, and 4 u m for a sum of weights above 1; the vector sqrt(3) 14 u m < 25 u m.
  const bool inside = proves_within(xx, reach, 48 * kUnitRoundoff * m);
  // Each product 4 u |x|_1 m.
  const double level = std::min(std::min(dot(x, ap), dot(x, bp)), dot(x, cp)) - 8 * kUnitRoundoff * (taxicab(x) * m);
  if (inside | proves_apart(level, xx, reach)) return inside;
  return within_triangle(a, b, c, p, sphere.radius);
}

}  // namespace graze
