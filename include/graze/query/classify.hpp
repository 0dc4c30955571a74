// Sides: of a plane, of a frustum, and the signed distance from the boundary of a solid.
#pragma once
#include <graze/shapes.hpp>

namespace graze {

/// The side of a plane; the normal points to the front.
enum class Side { behind = 0, intersects = 1, front = 2 };
struct Classification {
  Side side = Side::intersects;
  /// Signed length, positive on the side of the normal. For a Sphere: the distance of its centre. For any other shape: the distance of its nearest point, 0
  /// when the shape meets the plane.
  double distance = 0;
};
/// Returns the side of the plane on which the shape lies. Exact; with a curved shape within the bound of
/// docs/accuracy.md.
/// A set with pieces on both sides counts as intersecting, even when none touches the plane.
[[nodiscard]] Classification classify(ShapeRef shape, const Plane& plane);

enum class Visibility { outside, crossing, inside };
/// Returns whether the shape lies outside, across the boundary of or wholly inside a frustum. Exact in the same sense.
[[nodiscard]] Visibility classify(ShapeRef shape, const Frustum& frustum);

/// Returns the distance of a point from the boundary of a solid: negative inside, 0 on the boundary. The sign is exact.
/// For a Plane it is positive in front and negative behind. Points, segments, rays, lines, triangles, polygons and flat shapes have no inside: the distance
/// is never negative.
///
/// Throws Error (unsupported_shape) for a Mesh or HeightField, and for a Compound with one. These are surfaces, and no distance from a surface tells whether
/// a point is inside, even if the surface is closed. solid(mesh) makes a Solid of a closed mesh; closest() returns the distance from a surface.
///
/// Inside a Compound it is minus the greatest depth in one of the children, which is at most the true depth.
/// For curved shapes see docs/accuracy.md.
[[nodiscard]] double signed_distance(const Vec3& point, ShapeRef solid);

}  // namespace graze
