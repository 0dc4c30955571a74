// Sphere against triangle: the nearest point in doubles by the regions of corners, edges and face (C. Ericson, "Real-Time Collision Detection", 5.1.5), proven
// from both sides. Exact signs decide touching pairs.
#include "pairs/sphere_triangle.hpp"

#include <algorithm>
#include <bit>

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {
namespace {

using namespace filter;

/// Weights of b and c of the nearest point, each >= 0 and their sum <= 1 + 4 u.
struct Weights {
  double b, c;
};
/// Computes the weights of all regions and selects the first region that holds. The processor cannot predict which one that is, so none is skipped.
Weights propose(const Triple& ab, const Triple& ac, const Triple& ap, const Triple& bp, const Triple& cp) {
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4, d43 = d4 - d3, d56 = d5 - d6;
  constexpr double tiny = 0x1p-1000;  // for an edge without length any of its points is the nearest
  // In its region, each quotient of an edge has a numerator and a denominator >= 0, and the numerator is a term of the denominator.
  const double on_ab = d1 / ((d1 - d3) + tiny), on_ac = d2 / ((d2 - d6) + tiny), on_bc = d43 / ((d43 + d56) + tiny), by_sum = 1 / ((va + vb) + vc);
  const double v = clamped(vb * by_sum), w = std::min(clamped(vc * by_sum), 1 - v);
  const Weights weights[7] = {{0, 0}, {1, 0}, {on_ab, 0}, {0, 1}, {0, on_ac}, {1 - on_bc, on_bc}, {v, w}};
  const unsigned corner_a = (d1 <= 0) & (d2 <= 0), corner_b = (d3 >= 0) & (d4 <= d3), edge_ab = (vc <= 0) & (d1 >= 0) & (d3 <= 0),
                 corner_c = (d6 >= 0) & (d5 <= d6);
  const unsigned edge_ac = (vb <= 0) & (d2 >= 0) & (d6 <= 0), edge_bc = (va <= 0) & (d43 >= 0) & (d56 >= 0);
  return weights[std::countr_zero(corner_a | corner_b << 1 | edge_ab << 2 | corner_c << 3 | edge_ac << 4 | edge_bc << 5 | 1u << 6)];
}

}  // namespace

bool intersects_pair(const Triangle& triangle, const Sphere& sphere) {
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2], &p = sphere.center;
  const Triple ab = difference(b, a), ac = difference(c, a), ap = difference(p, a), bp = difference(p, b), cp = difference(p, c);
  const Weights t = propose(ab, ac, ap, bp, cp);
  const Triple x{(ap.x - t.b * ab.x) - t.c * ac.x, (ap.y - t.b * ab.y) - t.c * ac.y, (ap.z - t.b * ab.z) - t.c * ac.z};
  const double xx = dot(x, x), reach = sphere.radius;
  const double m = std::max(std::max(std::max(max_norm(ab), max_norm(ac)), max_norm(ap)), std::max(max_norm(bp), max_norm(cp)));
  // Each coordinate of x: u m (ap) + 2 u m + 2 u m (products) + 2 u m + 3 u m (sums) = 10 u m, and 4 u m for a sum of weights above 1; the vector sqrt(3) 14 u
  // m < 25 u m.
  const bool inside = proves_within(xx, reach, 48 * kUnitRoundoff * m);
  // Each product 4 u |x|_1 m.
  const double level = std::min(std::min(dot(x, ap), dot(x, bp)), dot(x, cp)) - 8 * kUnitRoundoff * (taxicab(x) * m);
  if (either(inside, proves_apart(level, xx, reach))) [[likely]]
    return inside;
  return within_triangle(a, b, c, p, sphere.radius);
}

}  // namespace graze
