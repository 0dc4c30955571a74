// The plane equation A x + B y + C z + D = 0, and the plane of a polygon. Part of the library graze::heritage.
#pragma once
#include <graze/query.hpp>
#include <optional>
#include <span>

namespace graze {

/// The plane of all (x, y, z) with a x + b y + c z + d = 0. The sum is positive in front of the plane.
struct PlaneEquation {
  double a = 0, b = 0, c = 0, d = 0;
};

/// Returns the equation of a plane: (a, b, c) is exactly its normal, and d = -(normal . point) is rounded once to the nearest
/// double. Where d would overflow, all four are divided by one power of two; then small components may be rounded, too.
[[nodiscard]] PlaneEquation equation_of(const Plane& plane);

/// Returns the plane of an equation: the normal is exactly (a, b, c), and the point lies on the axis of its largest component n (of equal ones the first), at
/// -d / n, rounded once to the nearest double. Throws Error for NaN or infinity, a = b = c = 0, and a point beyond the largest double.
[[nodiscard]] Plane plane_of(const PlaneEquation& equation);

/// Returns the plane of a polygon with any number of corners, including concave and bent polygons. O(n).
///
/// The point is the first corner. The normal is twice the area vector: the sum of the cross products of the fan from the first
/// corner, computed exactly, each component rounded once to the nearest double, and scaled by a power of two where it would leave
/// [2^-900, 2^900]. Collinear corners are allowed. A bent polygon lies on both sides of the plane.
///
/// Returns nothing for fewer than three corners or an area vector of zero. Throws Error for NaN or infinity.
[[nodiscard]] std::optional<Plane> plane_of(std::span<const Vec3> corners);

}  // namespace graze
