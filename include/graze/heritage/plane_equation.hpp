// A x + B y + C z + D = 0: planes in numbers. Library graze::heritage.
#pragma once
#include <graze/query.hpp>
#include <span>

namespace graze {

/// All (x, y, z) with a x + b y + c z + d = 0; in front of it the sum is positive.
struct PlaneEquation {
  double a = 0, b = 0, c = 0, d = 0;
};

/// (a, b, c) is the plane's normal exactly, d = -(normal . point) rounded once to the nearest double. Where d would leave the doubles, all four are divided by
/// one power of two (then small components may be rounded, too).
PlaneEquation equation_of(const Plane& plane);

/// The plane of a polygon of any number of corners, concave and bent ones included: its first corner, and twice its area vector (the sum of the cross products
/// of the fan from the first corner, computed exactly), each component rounded once to the nearest double; scaled by a power of two where it would leave
/// [2^-900, 2^900]. Corners in a row do not disturb it. A bent polygon lies on both sides of it. Nothing for fewer than three corners or an area vector of
/// zero. Throws Error for NaN or infinity. O(n).
std::optional<Plane> plane_of(std::span<const Vec3> corners);

}  // namespace graze
