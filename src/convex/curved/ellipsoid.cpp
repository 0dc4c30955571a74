// Placed ellipsoids as curved shapes. Exact decisions against linear shapes: a linear map turns the ellipsoid into a ball and the pair into two convex sets.
#include "convex/curved/ellipsoid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/gjk/nearest_exactly.hpp"
#include "convex/sets/order.hpp"
#include "exact/rounding.hpp"
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

/// An upper bound of the greatest stretch of a rotation with these columns, which is 1 except for rounding: Gershgorin's bound on R^T R.
double stretch(const Vec3* axis) {
  if (is_turn(axis)) return 1;
  double most = 1;
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) sum += std::fabs(dot(axis[i], axis[j]));
    most = std::max(most, sum);
  }
  return std::sqrt(most) * (1 + 0x1p-48);  // 32 u: dot products and sums are off by 11 u, half of it after the root
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

CurvedEllipsoid::CurvedEllipsoid(const Ellipsoid& s, const Pose* pose) : center(pose ? pose->apply(s.center) : s.center) {
  for (int i = 0; i < 3; ++i) {
    Vec3 e(0, 0, 0);
    e[i] = 1;
    axis[i] = pose ? Vec3(pose->rotation[0][i], pose->rotation[1][i], pose->rotation[2][i]) : e;
    radii[i] = s.radii[i];
  }
}

std::optional<ConvexSet> CurvedEllipsoid::as_convex() const {
  ConvexSet convex = convex_point(center);
  if ((radii[0] > 0) + (radii[1] > 0) + (radii[2] > 0) <= 1) {
    for (int i = 0; i < 3; ++i)
      if (radii[i] > 0) convex.add_segment(axis[i], -radii[i], radii[i]);
    return convex;
  }
  if (radii[0] == radii[1] && radii[1] == radii[2] && is_turn(axis)) {
    convex.radius = radii[0];
    return convex;
  }
  return std::nullopt;
}

// Half the width along coordinate k is the length of row k of the matrix of the columns radii_i axis_i.
Box3 CurvedEllipsoid::bounds() const {
  Vec3 half;
  for (int k = 0; k < 3; ++k) {
    double x[3], most = 0;
    int terms = 0;
    bool turn = true;  // an exact quarter turn causes no rounding
    for (int i = 0; i < 3; ++i) {
      x[i] = std::fabs(axis[i][k] * radii[i]);
      most = std::max(most, x[i]);
      terms += axis[i][k] != 0 && radii[i] != 0;
      turn = turn && (axis[i][k] == 0 || std::fabs(axis[i][k]) == 1);
    }
    half[k] = most;
    if (terms > 1 || (terms == 1 && !turn)) {  // 2^-49 = 16 u for 5 u of roundings; the two steps up cover the error of denormals
      const int e = std::max(exponent_of(most), -1074);
      const double a = scaled(x[0], -e), b = scaled(x[1], -e), d = scaled(x[2], -e);
      half[k] = next_up(next_up(scaled(std::sqrt((a * a + b * b) + d * d) * (1 + 0x1p-49), e)));
    }
  }
  Box3 box;
  add_around(box, center, half);
  return box;
}

double CurvedEllipsoid::reach(const Vec3& from) const {
  const double factor = stretch(axis), r = largest_radius();
  return add_up(distance_up(from, center), factor == 1 ? r : next_up(r * factor));
}

double CurvedEllipsoid::distance_from_ends() const {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += radii[i] * std::sqrt(dot(axis[i], axis[i])) * (1 + 0x1p-40);
  return sum;
}

V3<Dyadic> CurvedEllipsoid::flat_normal() const {
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

int CurvedEllipsoid::side(const V3<Dyadic>& n, const V3<Dyadic>& p) const {
  Dyadic square;
  for (int k = 0; k < 3; ++k) {
    const Dyadic t = Dyadic(radii[k]) * dot(n, exact(axis[k]));
    square = square + t * t;
  }
  return sign_of_sum(dot(n, exact(center) - p), 1.0, square);
}

Certain CurvedEllipsoid::is_in(const CurvedEllipsoid& other) const {
  if (center != other.center) return Certain::unknown;
  bool smaller = true;
  for (int k = 0; k < 3; ++k) {
    if (axis[k] != other.axis[k]) return Certain::unknown;
    smaller = smaller && radii[k] <= other.radii[k];
  }
  return certain(smaller);
}

/// The nearest point has the coordinates e^2 y / (e^2 + s) along the axes, for the root s > 0 of |t| = 1, t = e y / (e^2 + s): Newton's method on 1 / |t|,
/// which is nearly straight (J. J. More, D. C. Sorensen, "Computing a trust region step", 1983), from where one term alone is 1.
std::optional<V3<double>> CurvedEllipsoid::nearest(const V3<double>& q) const {
  double y[3], t[3], s = 0, square = 0;
  for (int k = 0; k < 3; ++k) {
    y[k] = graze::dot(q, v3(axis[k]));
    s = std::max(s, radii[k] * (std::fabs(y[k]) - radii[k]));
  }
  constexpr int kMaxSteps = 16;  // a choice: mostly three, and a result that is not good enough is not used
  for (int step = 0; step < kMaxSteps; ++step) {
    double slope = 0;
    square = 0;
    for (int k = 0; k < 3; ++k) {
      const double inverse = 1 / (radii[k] * radii[k] + s);
      t[k] = radii[k] * y[k] * inverse;
      square += t[k] * t[k];
      slope += t[k] * t[k] * inverse;
    }
    if (s == 0 && !(square > 1)) return std::nullopt;  // inside
    if (!(std::fabs(square - 1) > 0x1p-50)) break;
    s = std::max(0.0, s + square * (std::sqrt(square) - 1) / slope);
  }
  const double back = square > 1 ? 1 / std::sqrt(square) : 1;
  V3<double> at{0, 0, 0};
  for (int k = 0; k < 3; ++k) at = at + (t[k] * back * radii[k]) * v3(axis[k]);
  return at;
}

double CurvedEllipsoid::height(const V3<double>& n) const {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double t = radii[k] * graze::dot(n, v3(axis[k]));
    sum += t * t;
  }
  return std::sqrt(sum);
}

void CurvedEllipsoid::add_pieces(const MinkowskiFrame& frame, std::vector<Piece>& out) const {
  const Local<TwoDouble> local(*this, frame);
  out.push_back({3, local.center, {local.column[0], local.column[1], local.column[2]}});
}

/// In the coordinates in which the target is the unit ball. Radii below delta are no radii within the bound.
bool CurvedEllipsoid::contains(const Piece& p, const MinkowskiFrame& frame, double /*delta*/) const {
  using namespace pieces;
  constexpr double kThin = 0x1p-44;
  const W3 centre = frame.local<TwoDouble>(center);
  const auto unit_axis = [&](int i) { return W3{axis[i].x, axis[i].y, axis[i].z}; };
  const TwoDouble det = dot(unit_axis(0), cross(unit_axis(1), unit_axis(2)));
  const auto local_radius = [&](double r) { return frame.pre_scaled(r) * frame.factor(); };
  const double most = local_radius(largest_radius());
  SphereQuadratic q = quadratic_of(p);
  for (int i = 0; i < 3; ++i) {
    const TwoDouble divisor = det * TwoDouble(std::max(local_radius(radii[i]), most * kThin));
    const W3 row = cross(unit_axis((i + 1) % 3), unit_axis((i + 2) % 3));
    const auto coordinate = [&](const W3& x) { return dot(row, x) / divisor; };
    q.add_square(1, coordinate(p.centre - centre), {coordinate(p.column[0]), coordinate(p.column[1]), coordinate(p.column[2])});
  }
  const Grown unit(TwoDouble(1), 0x1p-43);
  q.k = q.k - unit.square;
  return is_at_most_zero(q, unit.margin);
}

ConvexSet CurvedEllipsoid::longest() const {
  const std::size_t k = static_cast<std::size_t>(std::max_element(radii, radii + 3) - radii);
  return convex_point(center).add_segment(axis[k], -radii[k], radii[k]);
}

FlatDisc CurvedEllipsoid::flat_disc() const {
  const std::size_t least = static_cast<std::size_t>(std::min_element(radii, radii + 3) - radii), i = (least + 1) % 3, j = (least + 2) % 3;
  return {exact(center), cross(exact(axis[i]), exact(axis[j])), false, {radii[i], radii[j]}, {axis[i], axis[j]}};
}

CurvedFeature CurvedEllipsoid::feature(const V3<double>& d) const {
  V3<double> offset{0, 0, 0};
  const double norm = height(d);
  CurvedFeature f;
  if (!(norm > 0)) return f;
  for (int k = 0; k < 3; ++k) offset = offset + (radii[k] * graze::dot(d, v3(axis[k])) / norm * radii[k]) * v3(axis[k]);
  f.add(center, offset);
  return f;
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
