// Exact parameters at which rays meet planes and flat triangles, as rationals: the last tier of ray_triangle.cpp. And in doubles where they suffice.
#pragma once
#include <optional>

#include "exact/certain.hpp"
#include "exact/fine.hpp"
#include "exact/rational.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

/// The parameter at which the line crosses the triangle's plane. Requires a nonzero denominator.
Rational plane_time(const RayQuery& ray, const Triangle& triangle);

/// Requires that the line lies in the plane of the triangle, or that the triangle has no area and each of its edges shares a plane with the line. Returns
/// whether the line meets the triangle within [t_min, t_max], and stores the first such t in `first`.
bool first_time_in_plane(const RayQuery& ray, const Triangle& triangle, Rational& first);

/// The first common point of the line and a triangle of its plane, without regard to the ray's extent: a corner, or a point between two corners.
struct PlaneEntry {
  int from, to;                 ///< numbers of the corners; equal where the line enters at a corner
  Fine weight;                  ///< of corner `to`, if the two differ
  Fine numerator, denominator;  ///< their quotient is the parameter
  TimeBounds time, last;        ///< enclose the parameters of the entry and of the exit
};

/// Requires that the line lies in the triangle's plane, or that the triangle has no area. `no`: the line misses the triangle. Undecided for triangles without
/// area, and where differences of coordinates are no doubles or two parameters are too close.
Certain find_entry(const RayQuery& ray, const Triangle& triangle, PlaneEntry& entry);

/// The entry of a ray that hits the triangle and does not begin behind the entry, which is then the first common point.
std::optional<PlaneEntry> entry_after_start(const RayQuery& ray, const Triangle& triangle);

}  // namespace graze
