// Containment by corners: a convex set contains a hull if it contains its corners. A corner with a ball around it is compared with the set less that ball:
// h_a + r <= h_b + R for the support functions h means h_a <= h_b + (R - r).
#include "convex/containment/containment.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "convex/decide/decide.hpp"
#include "convex/decide/filter.hpp"
#include "convex/depth/penetration.hpp"
#include "convex/sets/plane_form.hpp"
#include "exact/exact_vectors.hpp"
#include "exact/two_double.hpp"
#include "platform/expects.hpp"
#include "shapes/hull_data.hpp"

namespace graze {
namespace {

/// Whether the directions of the set, as a cone, contain the vector.
bool recedes(const ConvexSet& c, const Vec3& direction) {
  if (c.directions == 0) return false;
  ConvexSet cone = convex_point(Vec3(0, 0, 0));
  for (std::uint32_t k = 0; k < c.directions; ++k) cone.add_direction(c.direction[k]);
  return within(convex_point(direction), cone);
}

}  // namespace

ConvexFaces::ConvexFaces(const ConvexSet& c) : c_(c) {
  PlaneForm plane;
  if (is_plane(c, plane)) {
    half_space_ = plane.solid;
    dimension_ = plane.solid ? 3 : 2;
  } else if (c.outside) {
    if (!c.hull || c.pose) {
      std::vector<Vec3> points(c.points);
      for (std::uint32_t i = 0; i < c.points; ++i) points[i] = c.base(i);
      placed_.emplace(std::span<const Vec3>(points));
    }
    dimension_ = placed_ ? placed_->dimension() : c.hull->dimension;
    triangles_ = placed_ ? placed_->triangles() : std::span<const std::array<std::uint32_t, 3>>(c.hull->triangles);
  } else {
    dimension_ = static_cast<int>(c.points) - 1;
    for (std::uint32_t k = 0; k < c.segments; ++k) dimension_ += c.lo[k] < c.hi[k];
    GRAZE_EXPECTS(dimension_ <= 3);
  }
}

std::vector<V3<Dyadic>> basis_of(const ConvexSet& c) {
  std::vector<V3<Dyadic>> basis;
  const auto add = [&](const V3<Dyadic>& g) {
    const std::size_t n = basis.size();
    if (n < 3 && !(n == 0 ? is_zero(g) : n == 1 ? is_zero(cross(basis[0], g)) : sign_of(dot(cross(basis[0], basis[1]), g)) == 0)) basis.push_back(g);
  };
  const V3<Dyadic> first = exact(c.base(0));
  for (std::uint32_t i = 1; i < c.points && basis.size() < 3; ++i) add(exact(c.base(i)) - first);
  for (std::uint32_t k = 0; k < c.segments; ++k)
    if (c.lo[k] < c.hi[k]) add((Dyadic(c.hi[k]) - Dyadic(c.lo[k])) * exact(c.segment[k]));
  for (std::uint32_t k = 0; k < c.directions; ++k) add(exact(c.direction[k]));
  return basis;
}

V3<Dyadic> first_corner(const ConvexSet& c) {
  V3<Dyadic> p = exact(c.base(0));
  for (std::uint32_t k = 0; k < c.segments; ++k) p = p + Dyadic(c.lo[k]) * exact(c.segment[k]);
  return p;
}

bool has_volume(const ConvexSet& c) { return c.radius > 0 || basis_of(c).size() == 3; }

V3<Dyadic> some_inner_point(const ConvexSet& c) {
  GRAZE_EXPECTS(has_volume(c));
  V3<Dyadic> p = first_corner(c);
  if (c.radius == 0)
    for (const V3<Dyadic>& g : basis_of(c)) p = p + Dyadic(0.25) * g;
  return p;
}

bool is_subset(const ConvexSet& a, const ConvexSet& b) {
  for (std::uint32_t k = 0; k < a.directions; ++k)
    if (!recedes(b, a.direction[k])) return false;
  ConvexSet core = b;
  core.radius = 0;
  if (a.radius <= b.radius) {  // each corner of a within R - r of b's hull
    const TwoDouble room = two_sum(b.radius, -a.radius);
    return for_each_hull_corner(a, [&](ConvexSet corner) {
      if (room.lo == 0) return within(corner, core, room.hi);
      corner.radius = -a.radius;  // compared exactly, as the room is no double
      return compare_distance(corner, core, b.radius) <= 0;
    });
  }
  // Each corner in b's hull, and no nearer to its boundary than r - R.
  const ConvexFaces faces(core);
  if (faces.dimension() < 3) return false;
  return for_each_hull_corner(a, [&](ConvexSet corner) {
    if (!within(corner, core)) return false;
    corner.radius = a.radius;
    return faces.for_each([&](const ConvexSet& face) { return compare_distance(corner, face, -b.radius) >= 0; });
  });
}

bool share_inner_points(const ConvexSet& a, const ConvexSet& b) {
  if (!has_volume(a) && !has_volume(b)) return false;
  // In doubles `yes` means that the hulls are certainly nearer than the radii, or that a tetrahedron of the difference certainly surrounds the origin.
  Proposal proposal;
  if (const ScaledPair pair(a, b, 0); pair.usable() && decide_in_doubles(pair, proposal, true) == Certain::yes) return true;
  // The inner points of one meet the other where the origin is an inner point of the difference.
  if (a.radius > 0 || b.radius > 0) return compare_distance(a, b) < 0;
  return penetration(a, b).reason != ConvexPenetration::Reason::touching;
}

}  // namespace graze
