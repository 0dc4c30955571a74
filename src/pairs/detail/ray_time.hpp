// Exact parameters at which rays meet planes and flat triangles, as rationals: the last tier of ray_triangle.cpp.
#pragma once
#include "exact/rational.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

/// The parameter at which the line crosses the triangle's plane. Requires a nonzero denominator.
Rational plane_time(const RayQuery& ray, const Triangle& triangle);

/// Requires that the line lies in the plane of the triangle, or that the triangle has no area and each of its edges shares a plane with the line. Returns
/// whether the line meets the triangle within [t_min, t_max], and stores the first such t in `first`.
bool first_time_in_plane(const RayQuery& ray, const Triangle& triangle, Rational& first);

}  // namespace graze
