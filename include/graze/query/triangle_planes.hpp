// Planes and normals of triangles, and reflection.
#pragma once
#include <graze/shapes/plane.hpp>
#include <graze/shapes/triangle.hpp>
#include <optional>

namespace graze {

/// Returns the plane of a triangle: its first point and the normal (b - a) x (c - a), rounded. The equation
/// Ax + By + Cz + D = 0 follows. Returns nothing for a triangle without area, which is decided exactly.
[[nodiscard]] std::optional<Plane> plane_of(const Triangle& triangle);

/// Returns the unit normal of a triangle on the side of the viewpoint; on either side if the viewpoint lies in its plane.
/// Returns nothing for a triangle without area.
[[nodiscard]] std::optional<Vec3> unit_normal(const Triangle& triangle, const Vec3& viewpoint);

/// Returns v mirrored at a plane with that normal (any non-zero length, either orientation). The result is never longer than v.
[[nodiscard]] Vec3 reflect(const Vec3& v, const Vec3& normal);

}  // namespace graze
