// Placed cones as curved shapes.
#include "convex/curved/cone.hpp"

#include <algorithm>
#include <cmath>

namespace graze {

/// The normal of the lateral surface leans along the axis by radius / length.
void CurvedCone::add_normals(const Vec3& p, FacingNormal& normal) const {
  const AxialPosition at(*this, p);
  normal.add(at.height, -at.axis);
  const double slant = std::sqrt(at.length * at.length + radius * radius);
  if (at.rho > 0 && slant > 0)
    normal.add(((at.rho - radius) * at.length + at.height * radius) / slant, (at.length / at.rho) * at.out + radius * at.axis);
  else
    normal.add(at.height - at.length, at.axis);
}

double CurvedCone::depth(const Vec3& p) const {
  const auto at = relative(p);
  if (!at) return 0;
  const double lateral = ((at->radius - at->rho) * at->length - at->height * at->radius) / std::sqrt(at->length * at->length + at->radius * at->radius);
  return scaled(std::max(0.0, std::min(at->height, lateral)), -at->scale);
}

/// With axial position z = t / |d|, distance m = sqrt(radial) / |d| from the axis, height h = |d|: the triangle (0, 0), (r, 0), (0, h) of the half-plane (m,
/// z).
Certain CurvedCone::within_exactly(const ConvexSet& other, double extra) const {
  if (a == b) return Certain::unknown;
  if (!other.is_ball()) return extra == 0 ? discs_meet_plane(*this, other) : Certain::unknown;
  const V3<Dyadic> q = exact(other.base(0)), d = exact(b) - exact(a);
  const AxisView v(q - exact(a), d);
  const Dyadic r = radius, rho = Dyadic(other.radius) + Dyadic(extra);
  if (sign_of(v.t) <= 0) {
    if (sign_of(v.radial - r * r * v.dd) <= 0) return certain(near_disc(v, r, rho));
  }
  // Side of the slanted edge: m h - r h + z r, times |d|: sqrt(radial dd) + r (t - dd).
  const Dyadic p = v.radial * v.dd, side = r * (v.t - v.dd);
  if (sign_of(v.t) >= 0 && sign_of_sum(side, 1.0, p) <= 0) return Certain::yes;
  // Position along the slanted edge from the rim (0) to the tip (r^2 + h^2): r^2 - r m + t.
  const Dyadic edge = r * r + v.dd;
  // multiplied by |d|^2: (r^2 + t) dd - r sqrt(radial dd)
  if (sign_of_sum((r * r + v.t) * v.dd, -r, p) <= 0) return certain(near_disc(v, r, rho));
  if (sign_of_sum((r * r + v.t - edge) * v.dd, -r, p) >= 0) {
    const V3<Dyadic> e = q - exact(b);
    return certain(sign_of(dot(e, e) - rho * rho) <= 0);
  }
  // sqrt(p) + side <= sqrt(s), s = rho^2 dd (r^2 + dd). The left side is positive here, so both sides are squared.
  const Dyadic s = rho * rho * v.dd * edge;
  return certain(sign_of_sum(p + side * side - s, Dyadic(2) * side, p) <= 0);
}

}  // namespace graze
