// Placed cylinders as curved shapes.
#include "convex/curved/cylinder.hpp"

#include <algorithm>

#include "exact/rounding.hpp"

namespace graze {

Box3 CurvedCylinder::bounds() const {
  const Vec3 half = disc_extent(radius);
  Box3 box;
  add_around(box, a, half);
  add_around(box, b, half);
  return box;
}

double CurvedCylinder::reach(const Vec3& center) const { return std::max(disc_reach(a, radius, center), disc_reach(b, radius, center)); }

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

Certain CurvedCylinder::within_exactly(const ConvexSet& other, double extra) const {
  if (a == b) return Certain::unknown;
  if (!other.is_ball()) return extra == 0 ? discs_meet_plane(*this, radius, radius, other) : Certain::unknown;
  const V3<Dyadic> q = exact_vector(other.base(0)), from_a = q - exact_vector(a), d = exact_vector(b) - exact_vector(a);
  const Dyadic r = radius, rho = Dyadic(other.radius) + Dyadic(extra);
  const AxisView v(from_a, d);
  if (sign_of(v.t) < 0) return certain(near_disc(v, r, rho));
  if (sign_of(v.t - v.dd) > 0) return certain(near_disc(AxisView(q - exact_vector(b), d), r, rho));
  const Dyadic wide = r + rho;
  return certain(sign_of(v.radial - wide * wide * v.dd) <= 0);
}

}  // namespace graze
