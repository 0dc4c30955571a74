// The sign predicates: a static filter where it pays, then the exact tiers on the same formula.
#include "exact/predicates.hpp"

#include <array>
#include <cmath>

#include "exact/predicates-inl.hpp"
#include "exact/tiered.hpp"

namespace graze {

constinit thread_local PredicateCounts predicate_counts_of_thread;

namespace {
bool same(const Vec3& p, const Vec3& q) { return p.x == q.x && p.y == q.y && p.z == q.z; }
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
  if (permanent > 0x1p-980 * (1 + std::fabs(wx) + std::fabs(wy) + std::fabs(wz)) && permanent < 0x1p1020) {
    if (det > bound) {
      ++predicate_counts().filter;
      return 1;
    }
    if (-det > bound) {
      ++predicate_counts().filter;
      return -1;
    }
  }
  if (same(a, d) || same(b, d) || same(c, d) || same(a, b) || same(a, c) || same(b, c)) {  // shared vertices: the most common zeros
    ++predicate_counts().filter;
    return 0;
  }
  return sign_by_integers(std::array<double, 12>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z}, kNoOthers,
                          [](const auto& x, const auto&) { return formula::orient3d(x); });
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int drop) {
  const int i = drop == 0 ? 1 : drop == 1 ? 2 : 0, j = drop == 0 ? 2 : drop == 1 ? 0 : 1;  // this order gives the sign of the cross product's component
  return sign_by_tiers(std::array<double, 6>{a[i], a[j], b[i], b[j], c[i], c[j]}, kNoOthers, [](const auto& x, const auto&) { return formula::orient2d(x); });
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
