// Exact parameters at which rays meet planes and flat triangles, as rationals: the last tier of ray_triangle.cpp.
#pragma once
#include "exact/rational.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

/// Where the line crosses the triangle's plane; the denominator must not be zero.
Rational plane_time(const RayQuery& ray, const Triangle& triangle);

/// The line lies in the plane of the triangle, or the triangle has no area and each of its edges shares a plane with the line: is it met within [t_min, t_max],
/// and `first` = the first such t.
bool first_time_in_plane(const RayQuery& ray, const Triangle& triangle, Rational& first);

}  // namespace graze
