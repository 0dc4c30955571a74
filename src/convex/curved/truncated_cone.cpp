// Placed truncated cones as curved shapes.
#include "convex/curved/truncated_cone.hpp"

#include <algorithm>
#include <cmath>

namespace graze {

/// The normal of the lateral surface leans along the axis by (radius_a - radius_b) / length. An end without radius has a normal only on the axis.
void CurvedTruncatedCone::add_normals(const Vec3& p, FacingNormal& normal) const {
  const AxialPosition at(*this, p);
  const double taper = radius_a - radius_b, slant = std::sqrt(at.length * at.length + taper * taper);
  if (at.rho > 0 && slant > 0) normal.add(((at.rho - radius_a) * at.length + at.height * taper) / slant, (at.length / at.rho) * at.out + taper * at.axis);
  if (radius_a > 0 || !(at.rho > 0)) normal.add(at.height, -at.axis);
  if (radius_b > 0 || !(at.rho > 0)) normal.add(at.height - at.length, at.axis);
}

double CurvedTruncatedCone::depth(const Vec3& p) const {
  const auto at = relative(p);
  if (!at) return 0;
  const double wide = scaled(radius_a, at->scale), taper = wide - scaled(radius_b, at->scale);
  const double lateral = ((wide - at->rho) * at->length - at->height * taper) / std::sqrt(at->length * at->length + taper * taper);
  return scaled(std::max(0.0, std::min({at->height, at->length - at->height, lateral})), -at->scale);
}

/// With axial position z = t / |d|, distance m = sqrt(radial) / |d| from the axis, height h = |d|: the trapezoid (0, 0), (radius_a, 0), (radius_b, h), (0, h)
/// of the half-plane (m, z).
Certain CurvedTruncatedCone::within_exactly(const ConvexSet& other, double extra) const {
  if (a == b) return Certain::unknown;
  if (!other.is_ball()) return extra == 0 ? discs_meet_plane(*this, other) : Certain::unknown;
  const V3<Dyadic> q = exact(other.base(0)), d = exact(b) - exact(a);
  const AxisView v(q - exact(a), d);
  const Dyadic wide = radius_a, taper = Dyadic(radius_a) - Dyadic(radius_b), rho = Dyadic(other.radius) + Dyadic(extra);
  // Side of the slanted edge: (m - wide) h + z taper, times |d|: sqrt(radial dd) + t taper - wide dd.
  const Dyadic p = v.radial * v.dd, side = v.t * taper - wide * v.dd;
  const bool inner = sign_of_sum(side, 1.0, p) <= 0;
  if (inner && sign_of(v.t) >= 0 && sign_of(v.t - v.dd) <= 0) return Certain::yes;
  if (near_disc(v, wide, rho) || near_disc(AxisView(q - exact(b), d), radius_b, rho)) return Certain::yes;
  // What remains is near the slanted edge between the rims. Position along it, from 0 to edge: (wide - m) taper + t, times dd.
  const Dyadic edge = taper * taper + v.dd, along = (wide * taper + v.t) * v.dd;
  if (inner || sign_of_sum(along, -taper, p) <= 0 || sign_of_sum(along - edge * v.dd, -taper, p) >= 0) return Certain::no;
  // sqrt(p) + side <= sqrt(s), s = rho^2 dd edge. The left side is positive here, so both sides are squared.
  const Dyadic s = rho * rho * v.dd * edge;
  return certain(sign_of_sum(p + side * side - s, Dyadic(2) * side, p) <= 0);
}

}  // namespace graze
