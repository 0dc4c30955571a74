// The sign predicates: a static filter where it pays, then what decides most zeros in doubles, then the exact tiers on the same formula.
#include "exact/predicates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "exact/double_parts.hpp"
#include "exact/predicates-inl.hpp"
#include "exact/tiered.hpp"
#include "math/point.hpp"

namespace graze {

constinit thread_local PredicateCounts predicate_counts_of_thread;

namespace {
bool same(const Vec3& p, const Vec3& q) { return p.x == q.x && p.y == q.y && p.z == q.z; }
int by_filter(int sign) {
  ++predicate_counts().filter;
  return sign;
}
int sign(double x) { return (x > 0) - (x < 0); }

/// The filter of orient3d for coordinates whose exponents are too far apart for its products of differences. Two things differ. Each axis is scaled by a power
/// of two, which does not change the sign, so that its largest coordinate is below 2^337: no sum of products overflows. And there are no differences, which
/// would lose a small coordinate beside a large one: the determinant is the sum of d.x T(a, b, c) - c.x T(a, b, d) + b.x T(a, c, d) - a.x T(b, c, d), with T
/// the orientation of three points in y and z, the sum of three y z' - y' z. One of these products mostly exceeds all others by far. |error| <= 7 u (1 + 8 u) *
/// permanent: 2 u for y z' - y' z, 2 u for T, 1 u for the product, 2 u for the sum. What underflows: each of 12 coordinates loses at most 2^-1075, with a
/// factor below 6 * 2^674; each of 12 products of two the same, with a factor below 2 * 2^337; each of 4 last products the same. Together this is less than
/// 2^-390.
[[gnu::noinline]] int orient3d_far_apart(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  double p[3][4];  // by axis
  for (int k = 0; k < 3; ++k) {
    const double largest = std::max(std::max(std::fabs(a[k]), std::fabs(b[k])), std::max(std::fabs(c[k]), std::fabs(d[k])));
    const double scale = power_of_two(std::clamp(336 - exponent_of(largest), -1022, 1023));
    p[k][0] = a[k] * scale, p[k][1] = b[k] * scale, p[k][2] = c[k] * scale, p[k][3] = d[k] * scale;
  }
  struct Sum {
    double value, size;  // the size is the sum of the absolute values of the products
  };
  const auto minor = [&p](int i, int j) {
    const double s = p[1][i] * p[2][j], t = p[1][j] * p[2][i];
    return Sum{s - t, std::fabs(s) + std::fabs(t)};
  };
  const Sum ab = minor(0, 1), ac = minor(0, 2), ad = minor(0, 3), bc = minor(1, 2), bd = minor(1, 3), cd = minor(2, 3);
  const auto turn = [](const Sum& ij, const Sum& jk, const Sum& ik, double x) {
    return Sum{((ij.value + jk.value) - ik.value) * x, ((ij.size + jk.size) + ik.size) * std::fabs(x)};
  };
  const Sum abc = turn(ab, bc, ac, p[0][3]), abd = turn(ab, bd, ad, p[0][2]), acd = turn(ac, cd, ad, p[0][1]), bcd = turn(bc, cd, bd, p[0][0]);
  const double det = (abc.value - abd.value) + (acd.value - bcd.value);
  const double bound = ((abc.size + abd.size) + (acd.size + bcd.size)) * (9 * kUnitRoundoff) + 0x1p-390;
  return det > bound ? 1 : -det > bound ? -1 : kUnknown;
}
}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997), static bound A of ORIENT3D: |error| <= (7 + 56
  // u) u * permanent. Products that underflow lose at most 2^-1074 each, times |w|. Below 2^-980 (1 + |w|) the bound's slack of 2^-76 permanent would not cover
  // them, and the integers decide.
  const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
  const double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  const double wx = d.x - a.x, wy = d.y - a.y, wz = d.z - a.z;
  const double p0 = uy * vz, q0 = uz * vy, p1 = ux * vz, q1 = uz * vx, p2 = ux * vy, q2 = uy * vx;
  const double det = ((p0 - q0) * wx - (p1 - q1) * wy) + (p2 - q2) * wz;
  const double permanent =
      ((std::fabs(p0) + std::fabs(q0)) * std::fabs(wx) + (std::fabs(p1) + std::fabs(q1)) * std::fabs(wy)) + (std::fabs(p2) + std::fabs(q2)) * std::fabs(wz);
  const double bound = permanent * (7.0000001 * kUnitRoundoff);
  const bool in_range = permanent > 0x1p-980 * (1 + std::fabs(wx) + std::fabs(wy) + std::fabs(wz)) && permanent < 0x1p1020;
  if (in_range && std::fabs(det) > bound) return by_filter(sign(det));
  // The most common zeros: faces at right angles to an axis, and shared vertices. Differences are zero only where coordinates are equal.
  if ((ux == 0 && vx == 0 && wx == 0) || (uy == 0 && vy == 0 && wy == 0) || (uz == 0 && vz == 0 && wz == 0)) return by_filter(0);
  if (same(a, d) || same(b, d) || same(c, d) || same(a, b) || same(a, c) || same(b, c)) return by_filter(0);
  if (!in_range) {
    if (const int s = orient3d_far_apart(a, b, c, d); s != kUnknown) return by_filter(s);
  }
  // On a grid of differences below 2^15 e everything is exact: products are below 2^30 e^2, their differences times another one below 2^46 e^3.
  const double far =
      std::max({std::fabs(ux), std::fabs(uy), std::fabs(uz), std::fabs(vx), std::fabs(vy), std::fabs(vz), std::fabs(wx), std::fabs(wy), std::fabs(wz)});
  if (filter::on_grid({a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z}, far, 15)) return by_filter(sign(det));
  return sign_by_integers(std::array<double, 12>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z}, kNoOthers,
                          [](const auto& x, const auto&) { return formula::orient3d(x); });
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int drop) {
  const int i = drop == 0 ? 1 : drop == 1 ? 2 : 0, j = drop == 0 ? 2 : drop == 1 ? 0 : 1;  // this order gives the sign of the cross product's component
  const double ux = b[i] - a[i], uy = b[j] - a[j], vx = c[i] - a[i], vy = c[j] - a[j], p = ux * vy, q = uy * vx;
  const double det = p - q, size = std::fabs(p) + std::fabs(q);
  // Static bound A of ORIENT2D (as above): |error| <= (3 + 16 u) u size. What underflows, below 2^-1073, is far less than the rest.
  if (size > 0x1p-980 && size < 0x1p1020 && std::fabs(det) > size * (3.0000001 * kUnitRoundoff)) return by_filter(sign(det));
  // Edges along the axes: a product with a factor 0 is 0, and the sign of the other is that of its factors, even where it underflows or overflows.
  if (ux == 0 || vy == 0) return by_filter(-sign(uy) * sign(vx));
  if (uy == 0 || vx == 0) return by_filter(sign(ux) * sign(vy));
  if (b[i] == c[i] && b[j] == c[j]) return by_filter(0);
  // On a grid of differences below 2^25 e everything is exact: products are below 2^50 e^2.
  const double far = std::max({std::fabs(ux), std::fabs(uy), std::fabs(vx), std::fabs(vy)});
  if (filter::on_grid({a[i], a[j], b[i], b[j], c[i], c[j]}, far, 25)) return by_filter(sign(det));
  return sign_by_integers(std::array<double, 6>{a[i], a[j], b[i], b[j], c[i], c[j]}, kNoOthers,
                          [](const auto& x, const auto&) { return formula::orient2d(x); });
}

int dot_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return sign_by_tiers(std::array<double, 12>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::dot_of_differences(x); });
}

int orient_direction(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& direction) {
  return sign_by_tiers(std::array<double, 9>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}, std::array<double, 3>{direction.x, direction.y, direction.z},
                       [](const auto& x, const auto& y) { return formula::orient_direction(x, y); });
}

int orient_direction_between(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& from, const Vec3& to) {
  return sign_by_tiers(std::array<double, 15>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, from.x, from.y, from.z, to.x, to.y, to.z}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::orient_direction_between(x); });
}

int compare_squared_distance(const Vec3& a, const Vec3& b, double r, double s, double extra) {
  return sign_by_tiers(std::array<double, 9>{a.x, a.y, a.z, b.x, b.y, b.z, r, s, extra}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::squared_distance_excess(x); });
}

}  // namespace graze
