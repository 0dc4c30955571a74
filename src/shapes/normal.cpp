// Normals of triangles: double-double arithmetic where cancellation leaves enough bits, exact numbers otherwise.
#include "shapes/normal.hpp"

#include <algorithm>
#include <cmath>

#include "exact/exact_vectors.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

// The difference of two products of differences. Returns false if the error bound is not far below a unit in the last place of the result.
bool minor_of(const TwoDouble& a, const TwoDouble& b, const TwoDouble& c, const TwoDouble& d, double& out) {
  const TwoDouble p = a * b, q = c * d, r = p - q;
  out = r.hi + r.lo;
  if (p.hi == 0 && q.hi == 0) return (a.hi == 0 || b.hi == 0) && (c.hi == 0 || d.hi == 0);
  // relative errors below 2^-100 of p, q and r
  return std::fabs(out) * 0x1p-60 > (std::fabs(p.hi) + std::fabs(q.hi)) * 0x1p-98 && std::fabs(out) > 0x1p-800;
}

/// The vector rounded, scaled by a power of two into the range of doubles; nothing for the zero vector.
std::optional<Vec3> rounded_direction(const V3<Dyadic>& n) {
  int top = -1000000;  // exponent of the largest component
  for (int i = 0; i < 3; ++i)
    if (sign_of(n[i]) != 0) top = std::max(top, bit_length(n[i].m) + n[i].e);
  if (top == -1000000) return std::nullopt;
  const int shift = top > 900 || top < -900 ? -top : 0;
  Vec3 r(0, 0, 0);
  for (int i = 0; i < 3; ++i) r[i] = to_double(Dyadic(n[i].m, n[i].e + shift));
  return r;
}

}  // namespace

std::optional<Vec3> triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double size = std::max(max_norm(a), std::max(max_norm(b), max_norm(c)));
  if (size < 0x1p400) {
    const TwoDouble ux = two_sum(b.x, -a.x), uy = two_sum(b.y, -a.y), uz = two_sum(b.z, -a.z);
    const TwoDouble vx = two_sum(c.x, -a.x), vy = two_sum(c.y, -a.y), vz = two_sum(c.z, -a.z);
    Vec3 n(0, 0, 0);
    if (minor_of(uy, vz, uz, vy, n.x) && minor_of(uz, vx, ux, vz, n.y) && minor_of(ux, vy, uy, vx, n.z)) {
      if (max_norm(n) > 0) return n;
      return std::nullopt;
    }
  }
  return rounded_direction(cross(exact(b) - exact(a), exact(c) - exact(a)));
}

std::optional<Vec3> perpendicular_against(const Vec3& a, const Vec3& b, const Vec3& from, const Vec3& to) {
  const V3<Dyadic> e = exact(b) - exact(a), back = exact(from) - exact(to);
  return rounded_direction(dot(e, e) * back - dot(e, back) * e);
}

Vec3 to_unit_range(const Vec3& v) { return scaled(v, -exponent_of(max_norm(v))); }

V3<TwoDouble> normalized(const V3<TwoDouble>& v) {
  const TwoDouble length = square_root(dot(v, v));
  return {v.x / length, v.y / length, v.z / length};
}

Vec3 normalized(const Vec3& v) {
  const Vec3 s = to_unit_range(v);
  const V3<TwoDouble> u = normalized(V3<TwoDouble>{s.x, s.y, s.z});
  return Vec3(u.x.hi + u.x.lo, u.y.hi + u.y.lo, u.z.hi + u.z.lo);
}

}  // namespace graze
