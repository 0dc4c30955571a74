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

Vec3 entry_normal(const std::array<Vec3, 3>& triangle, const Vec3& origin, const Vec3& from, const Vec3& to) {
  const V3<Dyadic> p[3] = {exact(triangle[0]), exact(triangle[1]), exact(triangle[2])}, d = exact(to) - exact(from), n = cross(p[1] - p[0], p[2] - p[0]);
  int side[3];  // of the corners, left of the line where the triangle runs counter-clockwise
  for (int k = 0; k < 3; ++k) side[k] = sign_of(dot(n, cross(d, p[k] - exact(origin))));
  for (int k = 0; k < 3; ++k) {
    const int j = (k + 1) % 3;
    if (side[k] <= side[j] || side[k] < 0 || side[j] > 0) continue;  // the line does not enter across this edge or at its ends
    const V3<Dyadic> edge = p[j] - p[k];
    // Entered at a corner, the line comes from beyond this edge where it is nearer to its inside than to the corner.
    const int turn = side[k] == 0 ? -1 : side[j] == 0 ? 1 : 0;
    if (turn == 0 || sign_of(dot(d, edge)) * turn > 0) return *rounded_direction(cross(edge, n));
  }
  return *rounded_direction(-d);
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
