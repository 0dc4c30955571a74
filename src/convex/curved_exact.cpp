// Exact decisions about curved shapes in integers: balls and planes against cylinders and cones (signs of polynomials and of U + V sqrt(P)), and linear shapes
// against ellipsoids (a linear map turns the ellipsoid into a ball and the pair into two convex sets).
#include "convex/curved.hpp"

#include <algorithm>
#include <cstdint>

#include "convex/decide_exact.hpp"

namespace graze {
namespace {

using D3 = V3<Dyadic>;

/// Sign of u + v sqrt(p), p >= 0.
int sign_of_sum(const Dyadic& u, const Dyadic& v, const Dyadic& p) {
  const int su = sign_of(u), sv = sign_of(p) == 0 ? 0 : sign_of(v);
  if (su == sv || sv == 0) return su;
  if (su == 0) return sv;
  return su * sign_of(u * u - v * v * p);
}

/// The point q (relative to a) in coordinates of the axis d = b - a.
struct AxisView {
  Dyadic dd, t, qq, radial;  ///< d . d, q . d, q . q, |q x d|^2: axial position t / |d|, distance from the axis sqrt(radial) / |d|
  AxisView(const D3& q, const D3& d) : dd(dot(d, d)), t(dot(q, d)), qq(dot(q, q)) {
    const D3 c = cross(q, d);
    radial = dot(c, c);
  }
};

/// Whether the distance of q from the disc of radius r centred at the origin, perpendicular to d, is at most rho.
bool near_disc(const AxisView& v, const Dyadic& r, const Dyadic& rho) {
  if (sign_of(v.radial - r * r * v.dd) <= 0) return sign_of(v.t * v.t - rho * rho * v.dd) <= 0;
  // (q . q) + r^2 - rho^2 <= 2 r sqrt(radial) / |d|
  const Dyadic k = v.qq + r * r - rho * rho;
  if (sign_of(k) <= 0) return true;
  return sign_of(k * k * v.dd - Dyadic(4) * r * r * v.radial) <= 0;
}

bool ball_near_cylinder(const Curved& c, const Vec3& centre, const Dyadic& rho) {
  const D3 a = exact(c.a), b = exact(c.b), q = exact(centre);
  const D3 d = b - a;
  const AxisView v(q - a, d);
  const Dyadic r = c.radius;
  if (sign_of(v.t) < 0) return near_disc(v, r, rho);
  if (sign_of(v.t - v.dd) > 0) return near_disc(AxisView(q - b, d), r, rho);
  const Dyadic wide = r + rho;
  return sign_of(v.radial - wide * wide * v.dd) <= 0;
}

/// With axial position z = t / |d|, distance m = sqrt(radial) / |d| from the axis, height h = |d|: the triangle (0, 0), (r, 0), (0, h) of the half-plane (m,
/// z).
bool ball_near_cone(const Curved& c, const Vec3& centre, const Dyadic& rho) {
  const D3 a = exact(c.a), b = exact(c.b), q = exact(centre);
  const D3 d = b - a;
  const AxisView v(q - a, d);
  const Dyadic r = c.radius;
  if (sign_of(v.t) <= 0) {
    if (sign_of(v.radial - r * r * v.dd) <= 0) return near_disc(v, r, rho);
  }
  // Side of the slanted edge: m h - r h + z r, times |d|: sqrt(radial dd) + r (t - dd).
  const Dyadic p = v.radial * v.dd, side = r * (v.t - v.dd);
  if (sign_of(v.t) >= 0 && sign_of_sum(side, 1.0, p) <= 0) return true;
  // Position along the slanted edge from the rim (0) to the tip (r^2 + h^2): r^2 - r m + t.
  const Dyadic edge = r * r + v.dd;
  // multiplied by |d|^2: (r^2 + t) dd - r sqrt(radial dd)
  if (sign_of_sum((r * r + v.t) * v.dd, -r, p) <= 0) return near_disc(v, r, rho);
  if (sign_of_sum((r * r + v.t - edge) * v.dd, -r, p) >= 0) {
    const D3 e = q - b;
    return sign_of(dot(e, e) - rho * rho) <= 0;
  }
  // sqrt(p) + side <= sqrt(s), s = rho^2 dd (r^2 + dd). The left side is positive here, so both sides are squared.
  const Dyadic s = rho * rho * v.dd * edge;
  return sign_of_sum(p + side * side - s, Dyadic(2) * side, p) <= 0;
}

/// Whether n . (x - point) <= 0 for some x of the shape (and >= 0 for another, for a plane).
bool meets_plane(const Curved& c, const PlaneForm& plane) {
  const D3 n = exact(plane.normal), a = exact(c.a), b = exact(c.b), p = exact(plane.point);
  const D3 d = b - a, across = cross(n, d);
  const Dyadic ha = dot(n, a - p), hb = dot(n, b - p), dd = dot(d, d), reach = Dyadic(c.radius) * c.radius * dot(across, across);
  // The disc centred at a covers heights ha +- sqrt(reach / dd).
  const auto lowest = [&](const Dyadic& h) { return sign_of(h) <= 0 || sign_of(h * h * dd - reach) <= 0; };
  const auto highest = [&](const Dyadic& h) { return sign_of(h) >= 0 || sign_of(h * h * dd - reach) <= 0; };
  const bool disc_b = c.kind == Curved::Kind::cylinder;
  const bool low = lowest(ha) || (disc_b ? lowest(hb) : sign_of(hb) <= 0);
  if (plane.solid || !low) return low;
  return highest(ha) || (disc_b ? highest(hb) : sign_of(hb) >= 0);
}

/// { c + M t : |t| <= 1 } against a linear convex set: whether |adj(M) (x - c)| <= |det M| for some x.
bool meets_ellipsoid(const Curved& e, const ConvexSet& linear, bool& exact_answer) {
  ConvexSet centre;
  centre.add_point(e.a);
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

}  // namespace

bool is_plane(const ConvexSet& c, PlaneForm& out) {
  if (c.points != 1 || c.segments != 0 || (c.directions != 4 && c.directions != 5)) return false;
  if (c.direction[1] != -c.direction[0] || c.direction[3] != -c.direction[2]) return false;
  const Vec3 &d = c.direction[0], &e = c.direction[2];
  for (int k = 0; k < 3; ++k) {
    const int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    if (d[i] == 0 || d[i] != e[j] || d[j] != 0 || e[i] != 0) continue;
    out.normal[k] = -d[i];
    out.normal[i] = d[k];
    out.normal[j] = e[k];
    out.point = c.base(0);
    out.solid = c.directions == 5;
    if (!out.solid) return c.radius == 0;
    if (c.direction[4] != -out.normal) {
      if (c.direction[4] != out.normal) return false;
      out.normal = -out.normal;
    }
    return c.radius == 0;
  }
  return false;
}

int within_exactly(const Curved& a, const ConvexSet& b, double extra) {
  if (a.motion_from != 0 || a.motion_to != 0) return -1;
  if (a.kind == Curved::Kind::ellipsoid) {
    if (b.radius != 0 || extra != 0) return -1;
    bool answered = false;
    const bool meets = meets_ellipsoid(a, b, answered);
    return answered ? meets : -1;
  }
  if (a.kind == Curved::Kind::convex || a.a == a.b) return -1;
  if (b.is_ball()) {
    const Dyadic rho = Dyadic(b.radius) + Dyadic(extra);
    return a.kind == Curved::Kind::cylinder ? ball_near_cylinder(a, b.base(0), rho) : ball_near_cone(a, b.base(0), rho);
  }
  PlaneForm plane;
  if (extra == 0 && is_plane(b, plane)) return meets_plane(a, plane);
  return -1;
}

}  // namespace graze
