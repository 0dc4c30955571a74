// Closest point of a triangle to a point, in doubles: first the region, with room for all rounding, then the offset to its nearest point in pairs of doubles.
//
// Proof of accuracy, with u = 2^-53: in a region that is certain, the squared distance is |x|^2 - |p|^2, where x is the offset to a chosen point of the corner,
// line or plane, and p its component along them, which is only as large as the error of the chosen point. So that error enters only squared, and x and |x| are
// computed from exact differences and products in pairs of doubles.
#include "mesh/queries/plain_closest.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "exact/two_double.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

/// p - (a + s e + t f) for edges e = b - a, f = c - a, up to a few u^2 of the summands.
TwoDouble offset(double p, double a, double s, double b, double t, double c) {
  const TwoDouble w = two_sum(p, -a), e = two_sum(b, -a), f = two_sum(c, -a);
  const TwoDouble es = two_product(-s, e.hi), ft = two_product(-t, f.hi);
  const TwoDouble q = two_sum(w.hi, es.hi), r = two_sum(q.hi, ft.hi);
  return two_sum(r.hi, (r.lo + q.lo) + ((w.lo + (es.lo - s * e.lo)) + (ft.lo - t * f.lo)));
}

/// square_root(a).hi, for an a that is not too small. x + e is as near to the root as the sum that square_root computes, both within 2^-100. If x + e shifted
/// by 2^-95 either way rounds to one double, that sum rounds to the same double.
double rounded_root(const TwoDouble& a) {
  const double x = std::sqrt(a.hi), e = (a - two_product(x, x)).hi / (2 * x), room = x * 0x1p-95;
  const double low = x + (e - room), high = x + (e + room);
  return low == high ? low : square_root(a).hi;
}

// An offset from a point within `wrong` of the nearest one: (wrong / distance)^2 / 2 is below 2^-61; the remaining error, a few u^2 of the differences, is
// below 2^-60 of the distance.
bool enough(double distance, double wrong, double reach) { return wrong < distance * 0x1p-30 && reach * 0x1p-42 < distance; }

double rounded_length(const V3<TwoDouble>& o) { return rounded_root(dot(o, o)); }

bool same(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

std::optional<PlainClosest> PlainPoint::at_corner(const Vec3& a, double reach) {
  if (corners_ != 1 || !same(a, a_)) {
    a_ = a;
    last_ = {rounded_length(exact_difference(p_, a)), a};
    corners_ = 1;
  }
  return enough(last_.distance, 0, reach) ? std::optional(last_) : std::nullopt;
}

/// Requires that the projection falls between the ends.
std::optional<PlainClosest> PlainPoint::at_edge(const Vec3& u, const Vec3& v, double reach) {
  const Vec3 &a = less(u, v) ? u : v, &b = less(u, v) ? v : u;
  if (corners_ != 2 || !same(a, a_) || !same(b, b_)) {
    const Vec3 e = minus(b, a);
    const double s = dot(minus(p_, a), e) / dot(e, e);
    a_ = a;
    b_ = b;
    last_ = {rounded_length({offset(p_.x, a.x, s, b.x, 0, a.x), offset(p_.y, a.y, s, b.y, 0, a.y), offset(p_.z, a.z, s, b.z, 0, a.z)}), point_along(a, s, e)};
    corners_ = 2;
  }
  return enough(last_.distance, reach * 0x1p-48, reach) ? std::optional(last_) : std::nullopt;  // s |e| errs by 12 u |p - a| at most
}

std::optional<PlainClosest> PlainPoint::operator()(const Triangle& triangle) {
  const Vec3& p = p_;
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2];
  const Vec3 ab = minus(b, a), ac = minus(c, a), bc = minus(c, b), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
  const double size = std::max({taxicab(ap), taxicab(bp), taxicab(cp), taxicab(a), taxicab(b), taxicab(c), taxicab(p)}),
               long_side = std::max({taxicab(ab), taxicab(ac), taxicab(bc)});
  if (!(size < 0x1p200 && long_side > 0x1p-200 * std::max(1.0, size))) return std::nullopt;
  const double reach = std::max({taxicab(ap), taxicab(bp), taxicab(cp)});
  const double room = long_side * reach * 0x1p-48;  // dot products with edges err by 5 u |edge| |offset|
  // Signs of the projections onto the edges: 1, -1, or 0 if undecided.
  const auto sign = [&](double x) { return x > room ? 1 : -x > room ? -1 : 0; };
  const int a_ab = sign(dot(ap, ab)), b_ab = sign(dot(bp, ab)), a_ac = sign(dot(ap, ac)), c_ac = sign(dot(cp, ac)), b_bc = sign(dot(bp, bc)),
            c_bc = sign(dot(cp, bc));
  if (a_ab < 0 && a_ac < 0) return at_corner(a, reach);
  if (b_ab > 0 && b_bc < 0) return at_corner(b, reach);
  if (c_ac > 0 && c_bc > 0) return at_corner(c, reach);
  // The sides of the edges on which the point lies: (edge x offset) . n, positive inside.
  const Vec3 n = cross(ab, ac);
  const double nn = dot(n, n), product = long_side * long_side;
  if (!(nn > product * product * 0x1p-16)) return std::nullopt;  // angles below about 2^-8 use the general algorithm
  const auto triple = [&](const Vec3& e, const Vec3& w) { return dot(cross(e, w), n); };
  // The cross products are off by 4 u each, the dot product by 3 u (sums of sizes): 11 u; 2^-47 = 64 u.
  const double side_room = product * long_side * reach * 0x1p-47;
  const double s_ab = triple(ab, ap), s_bc = triple(bc, bp), s_ca = -triple(ac, cp);
  if (s_ab < -side_room && a_ab > 0 && b_ab < 0) return at_edge(a, b, reach);
  if (s_bc < -side_room && b_bc > 0 && c_bc < 0) return at_edge(b, c, reach);
  if (s_ca < -side_room && a_ac > 0 && c_ac < 0) return at_edge(a, c, reach);
  if (!(s_ab > side_room && s_bc > side_room && s_ca > side_room)) return std::nullopt;
  const double t = s_ab / nn, s = s_ca / nn;
  const V3<TwoDouble> x{offset(p.x, a.x, s, b.x, t, c.x), offset(p.y, a.y, s, b.y, t, c.y), offset(p.z, a.z, s, b.z, t, c.z)};
  // Weights err by side_room / nn and 16 u, times the edges.
  const double distance = rounded_length(x);
  if (!enough(distance, 2 * long_side * (side_room / nn + 0x1p-48), reach)) return std::nullopt;
  return PlainClosest{distance, point_along(point_along(a, s, ab), t, ac)};
}

}  // namespace graze
