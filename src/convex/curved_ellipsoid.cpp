// Placed ellipsoids as curved shapes. Exact decisions against linear shapes: a linear map turns the ellipsoid into a ball and the pair into two convex sets.
#include "convex/curved_ellipsoid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/curved.hpp"
#include "convex/decide_exact.hpp"
#include "convex/order.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

/// Whether the axes are those of a turn by right angles, which rounds nothing.
bool is_turn(const Vec3* axis) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (axis[i][k] != 0 && axis[i][k] != 1 && axis[i][k] != -1) return false;
  return true;
}

/// { c + M t : |t| <= 1 } against a linear convex set: whether |adj(M) (x - c)| <= |det M| for some x.
bool meets_ellipsoid(const CurvedEllipsoid& e, const ConvexSet& linear, bool& exact_answer) {
  ConvexSet centre;
  centre.add_point(e.center);
  IntegerPair pair(linear, centre, 0);
  // Columns of M as integers with one exponent.
  int low = 100000;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (e.axis[i][k] != 0) low = std::min(low, parts_of(e.radii[i]).exponent + parts_of(e.axis[i][k]).exponent);
  V3<BigInt> m[3];
  for (int i = 0; i < 3; ++i) {
    const auto entry = [&](double x) {
      if (x == 0) return BigInt(0);
      const DoubleParts p = parts_of(x), r = parts_of(e.radii[i]);
      return BigInt((BigInt(p.mantissa) * r.mantissa) << (p.exponent + r.exponent - low));
    };
    m[i] = {entry(e.axis[i].x), entry(e.axis[i].y), entry(e.axis[i].z)};
  }
  const V3<BigInt> row[3] = {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  BigInt det = dot(m[0], row[0]);
  exact_answer = det.sign() != 0;
  if (!exact_answer) return false;
  if (det.sign() < 0) det = -det;
  const int shift = low - pair.exponent;  // |adj y| 2^(2 low + exponent) <= det 2^(3 low)
  const auto map = [&](V3<BigInt>& v, bool direction) {
    v = {dot(row[0], v), dot(row[1], v), dot(row[2], v)};
    if (!direction && shift < 0) v = {v.x << -shift, v.y << -shift, v.z << -shift};
  };
  for (IntegerConvexSet* c : {&pair.a, &pair.b}) {
    for (V3<BigInt>& v : c->base) map(v, false);
    for (std::uint32_t k = 0; k < c->segments; ++k) {
      map(c->low[k], false);
      map(c->high[k], false);
    }
    for (V3<BigInt>& v : c->direction) map(v, true);
  }
  pair.reach = shift > 0 ? BigInt(det << shift) : det;
  int sign = 0;
  nearest_exactly(pair, {}, true, sign);
  return sign <= 0;
}

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

Curved curved_of(const Ellipsoid& s, const Pose* pose) {
  CurvedEllipsoid c;
  c.center = pose ? pose->apply(s.center) : s.center;
  int positive = 0;
  for (int i = 0; i < 3; ++i) {
    Vec3 e(0, 0, 0);
    e[i] = 1;
    c.axis[i] = pose ? Vec3(pose->rotation[0][i], pose->rotation[1][i], pose->rotation[2][i]) : e;
    c.radii[i] = s.radii[i];
    positive += s.radii[i] > 0;
  }
  if (positive <= 1) {
    ConvexSet segment;
    segment.add_point(c.center);
    for (int i = 0; i < 3; ++i)
      if (s.radii[i] > 0) segment.add_segment(c.axis[i], -s.radii[i], s.radii[i]);
    return {segment};
  }
  if (s.radii.x == s.radii.y && s.radii.y == s.radii.z && is_turn(c.axis)) {
    ConvexSet ball;
    ball.add_point(c.center);
    ball.radius = s.radii.x;
    return {ball};
  }
  return {c};
}

double CurvedEllipsoid::distance_from_ends() const {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += radii[i] * std::sqrt(dot(axis[i], axis[i])) * (1 + 0x1p-40);
  return sum;
}

V3<Dyadic> CurvedEllipsoid::flat_normal() const {
  const auto exact = [](const Vec3& v) { return V3<Dyadic>{v.x, v.y, v.z}; };
  for (int k = 0; k < 3; ++k)
    if (!(radii[k] > 0)) return cross(exact(axis[(k + 1) % 3]), exact(axis[(k + 2) % 3]));
  return {};
}

ConvexSet CurvedEllipsoid::bounding_set() const {
  ConvexSet box;
  box.add_point(center);
  for (int k = 0; k < 3; ++k) box.add_segment(axis[k], -radii[k], radii[k]);
  return box;
}

BoundingVolume CurvedEllipsoid::bounding_volume() const {
  BoundingVolume r;
  const double most = largest_radius();
  if (most <= 1.5 * least_radius()) {  // a choice: a ball is cheaper than a box, and not much larger
    r.convex.add_point(center);
    r.convex.radius = most;
  } else {
    r.convex = bounding_set();
  }
  r.more = 0x1p-36 * most;
  return r;
}

void CurvedEllipsoid::add_normals(const Vec3& p, FacingNormal& normal) const {
  Vec3 n(0, 0, 0);
  int flat = -1;
  for (int k = 0; k < 3; ++k) {
    if (radii[k] > 0)
      n += (dot(p - center, axis[k]) / radii[k] / radii[k]) * axis[k];
    else
      flat = k;
  }
  if (flat >= 0) n = axis[flat];  // normal of a disc's plane
  normal.add(0, dot(n, normal.back()) < 0 && flat >= 0 ? -n : n);
}

double CurvedEllipsoid::depth(const Vec3& p) const {
  const double most = largest_radius();
  if (most == 0) return 0;
  const int scale = -exponent_of(most);
  double e[3], y[3];
  for (int k = 0; k < 3; ++k) {
    e[k] = scaled(radii[k], scale);
    y[k] = std::fabs(scaled(dot(p - center, axis[k]), scale));
  }
  return scaled(ellipsoid_depth(e, y), -scale);
}

Certain CurvedEllipsoid::within_exactly(const ConvexSet& other, double extra) const {
  if (other.radius != 0 || extra != 0) return Certain::unknown;
  bool answered = false;
  const bool meets = meets_ellipsoid(*this, other, answered);
  return answered ? certain(meets) : Certain::unknown;
}

int order_of(const CurvedEllipsoid& x, const CurvedEllipsoid& y) {
  if (const int c = order_of(x.center, y.center)) return c;
  for (int i = 0; i < 3; ++i) {
    if (const int c = order_of(x.radii[i], y.radii[i])) return c;
    if (const int c = order_of(x.axis[i], y.axis[i])) return c;
  }
  return 0;
}

}  // namespace graze
