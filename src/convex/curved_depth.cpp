// Depth of a point inside a cylinder, cone or ellipsoid.
#include <algorithm>
#include <cmath>

#include "convex/curved.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

/// Distance from the surface of a point of the first octant (y >= 0) inside an ellipsoid centred at the origin. The nearest point is x_k = e_k^2 y_k / (e_k^2 +
/// t) for the root t in [-least e^2, 0] of |x / e| = 1 (D. Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid", 2013), here with t
/// + least^2 = s least^2, s in [0, 1], by bisection, which cannot fail.
double ellipsoid_depth(const double (&e)[3], const double (&y)[3]) {
  const double least = std::min(e[0], std::min(e[1], e[2])), most = std::max(e[0], std::max(e[1], e[2]));
  if (!(least > most * 0x1p-60)) return std::max(0.0, least);  // thinner than the bound of the result
  const auto denominator = [&](int k, double s) { return (e[k] - least) * (e[k] + least) + s * (least * least); };
  const auto excess = [&](double s) {
    double sum = -1;
    for (int k = 0; k < 3; ++k) {
      const double q = y[k] == 0 ? 0 : e[k] * y[k] / denominator(k, s);
      sum += q * q;
    }
    return sum;
  };
  double lo = 0, hi = 1;
  bool limit = true;  // s = 0 can be the root only when y vanishes along the least axes
  for (int k = 0; k < 3; ++k)
    if (e[k] == least && y[k] > 0) limit = false;
  if (limit && excess(0) <= 0) {
    double sum = 0, rest = 1;
    for (int k = 0; k < 3; ++k) {
      if (e[k] == least) continue;
      const double x = y[k] == 0 ? 0 : e[k] * (e[k] * y[k] / denominator(k, 0));
      rest -= (x / e[k]) * (x / e[k]);
      sum += (x - y[k]) * (x - y[k]);
    }
    return std::sqrt(sum + std::max(0.0, rest) * (least * least));
  }
  constexpr int kMaxSteps = 1100;  // never reached: 1075 halvings of (0, 1) leave no double between the ends
  for (int step = 0; step < kMaxSteps; ++step) {
    const double middle = lo + (hi - lo) / 2;
    if (middle <= lo || middle >= hi) break;
    (excess(middle) > 0 ? lo : hi) = middle;
  }
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double displacement = y[k] * ((1 - hi) * (least * least) / denominator(k, hi));
    sum += displacement * displacement;
  }
  return std::sqrt(sum);
}

}  // namespace

double depth_in(const Curved& solid, const Vec3& p) {
  if (solid.kind == Curved::Kind::ellipsoid) {
    const double most = std::max(solid.radii[0], std::max(solid.radii[1], solid.radii[2]));
    if (most == 0) return 0;
    const int scale = -exponent_of(most);
    double e[3], y[3];
    for (int k = 0; k < 3; ++k) {
      e[k] = scaled(solid.radii[k], scale);
      y[k] = std::fabs(scaled(dot(p - solid.a, solid.axis[k]), scale));
    }
    return scaled(ellipsoid_depth(e, y), -scale);
  }
  const Vec3 displacement = solid.b - solid.a;
  const double size = std::max(solid.radius, max_norm(displacement));
  if (size == 0) return 0;
  const int scale = -exponent_of(size);
  const Vec3 axis = scaled(displacement, scale), to = scaled(p - solid.a, scale);
  const double length = std::sqrt(dot(axis, axis)), radius = scaled(solid.radius, scale);
  if (length == 0) return 0;
  const double h = dot(to, axis) / length;
  const Vec3 out = to - axis * (h / length);
  const double rho = std::sqrt(dot(out, out));
  double depth = h;  // depth from the base at a
  if (solid.kind == Curved::Kind::cylinder)
    depth = std::min(depth, std::min(length - h, radius - rho));
  else
    depth = std::min(depth, ((radius - rho) * length - h * radius) / std::sqrt(length * length + radius * radius));
  return scaled(std::max(0.0, depth), -scale);
}

}  // namespace graze
