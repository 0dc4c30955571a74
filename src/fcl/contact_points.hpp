// Contacts of two convex shapes, as FCL reports them.
#pragma once
#include <fcl/narrowphase/contact_point.h>

#include <vector>

#include "fcl/placed_shape.hpp"

namespace graze::for_fcl {

using ContactPoint = ::fcl::ContactPoint<double>;

/// Returns the contacts of two convex shapes that intersect, one at least, the deepest first. Normals are of unit length and point from `a` to `b`; two balls
/// with one centre have the normal 0. The depth of shapes that no translation separates is the largest double.
///
/// Two boxes have up to four contacts, other shapes one. It lies midway between the deepest points of both shapes, but in the plane when one is a plane, and
/// between two balls nearer to the larger overlap of the radii, as in FCL.
[[nodiscard]] std::vector<ContactPoint> contact_points(const PlacedShape& a, const PlacedShape& b);

}  // namespace graze::for_fcl
