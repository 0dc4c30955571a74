// Cylinders, cones and ellipsoids for the queries: decision, distance and closest points against convex sets and against each other. Bounds and their
// derivations: docs/derivations/curved.md.
#pragma once
#include <cstdint>
#include <graze/shapes/cone.hpp>
#include <graze/shapes/cylinder.hpp>
#include <graze/shapes/ellipsoid.hpp>

#include "convex/closest.hpp"
#include "convex/convex_set.hpp"
#include "convex/decide.hpp"

namespace graze {

/// A placed curved shape. A shape without curvature (radius 0, or an ellipsoid with at most one positive radius, or with three equal radii after placement) is
/// a convex set and keeps the exact answers of that set.
struct Curved {
  enum class Kind : std::uint8_t { convex, cylinder, cone, ellipsoid } kind = Kind::convex;
  Vec3 a{0, 0, 0}, b{0, 0, 0};  ///< cylinder: centres of its ends; cone: centre of the base, tip; ellipsoid: centre (twice)
  Vec3 direction{0, 0, 0};      ///< of a cylinder or cone: replaces b - a when placing has made a and b equal
  double radius = 0;
  Vec3 axis[3];  ///< ellipsoid: the set { a + sum t_i radii_i axis_i : |t| <= 1 }
  double radii[3] = {0, 0, 0};
  /// the shape is swept along this vector: the union of the shape moved by t * motion for motion_from <= t <= motion_to (for `within` and `closest`; a convex
  /// set has a segment instead)
  Vec3 motion{0, 0, 0};
  double motion_from = 0, motion_to = 0;
  ConvexSet convex;  ///< used for kind convex set only
};

Curved curved_of(const Cylinder& s, const Pose* pose);
Curved curved_of(const Cone& s, const Pose* pose);
Curved curved_of(const Ellipsoid& s, const Pose* pose);

/// Whether the distance is at most `extra`. Exact for: convex sets of one point and any radius (points, spheres) and, with extra = 0, planes and half-spaces
/// against cylinders and cones; any convex set of radius 0, with extra = 0, against ellipsoids of three positive radii. For all other pairs: false only if the
/// sets are truly more than `extra` apart; true only if they are at most extra + delta apart, delta = 2^-43 of the largest curved extent (and at least 2^-85 of
/// the largest distance between points of both shapes). Exchanging two curved operands changes nothing.
bool within(const Curved& a, const ConvexSet& b, double extra = 0);
bool within(const Curved& a, const Curved& b, double extra = 0);
inline bool within(const ConvexSet& a, const Curved& b, double extra = 0) { return within(b, a, extra); }

/// The distance is 0 exactly when within(a, b, 0); then both witnesses are one point. Otherwise the distance is off by at most 2^-40 of the largest extent (and
/// 2^-52 of itself), and the distance between the witnesses agrees with it to that accuracy.
ConvexClosest closest(const Curved& a, const ConvexSet& b);
ConvexClosest closest(const Curved& a, const Curved& b);
ConvexClosest closest(const ConvexSet& a, const Curved& b);

/// Distance of a point inside `solid` (not of kind convex set) from its surface, within 2^-40 of the largest extent; 0 for a point on the surface or outside.
double depth_in(const Curved& solid, const Vec3& p);

/// The exact answers of `within` in integers, for pairs that have one: 1 yes, 0 no, -1 no exact answer for this pair.
int within_exactly(const Curved& a, const ConvexSet& b, double extra);

/// The normal of a convex set that is a plane or half-space. For a plane it is determined up to sign and length; for a half-space it points outwards.
struct PlaneForm {
  Vec3 point, normal;
  bool solid;  ///< half-space
};
bool is_plane(const ConvexSet& c, PlaneForm& out);

}  // namespace graze
