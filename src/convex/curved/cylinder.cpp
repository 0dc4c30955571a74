// Placed cylinders as curved shapes.
#include "convex/curved/cylinder.hpp"

#include <algorithm>

namespace graze {

void CurvedCylinder::add_normals(const Vec3& p, FacingNormal& normal) const {
  const AxialPosition at(*this, p);
  normal.add(at.height, -at.axis);
  normal.add(at.height - at.length, at.axis);
  if (at.rho > 0) normal.add(at.rho - radius, at.out);
}

double CurvedCylinder::depth(const Vec3& p) const {
  const auto at = relative(p);
  if (!at) return 0;
  const double depth = std::min(at->height, std::min(at->length - at->height, at->radius - at->rho));
  return scaled(std::max(0.0, depth), -at->scale);
}

Certain CurvedCylinder::contains_ball(const Vec3& center, double r) const {
  if (a == b) return Certain::unknown;
  const AxisView v(exact(center) - exact(a), exact_axis());
  const Dyadic room = Dyadic(radius) - Dyadic(r);
  return certain(sign_of(room) >= 0 && sign_of(v.radial - room * room * v.dd) <= 0 && sign_of_sum(v.t, -r, v.dd) >= 0 &&
                 sign_of_sum(v.dd - v.t, -r, v.dd) >= 0);
}

Certain CurvedCylinder::within_exactly(const ConvexSet& other, double extra) const {
  if (a == b) return Certain::unknown;
  if (!other.is_ball()) return extra == 0 ? discs_meet_plane(*this, other) : Certain::unknown;
  const V3<Dyadic> q = exact(other.base(0)), from_a = q - exact(a), d = exact(b) - exact(a);
  const Dyadic r = radius, rho = Dyadic(other.radius) + Dyadic(extra);
  const AxisView v(from_a, d);
  if (sign_of(v.t) < 0) return certain(near_disc(v, r, rho));
  if (sign_of(v.t - v.dd) > 0) return certain(near_disc(AxisView(q - exact(b), d), r, rho));
  const Dyadic wide = r + rho;
  return certain(sign_of(v.radial - wide * wide * v.dd) <= 0);
}

}  // namespace graze
