// Ray against triangle, exact: hit or miss, the order of two hits, and the parameter rounded down.
#pragma once
#include <graze/shapes/triangle.hpp>
#include <optional>

#include "math/ray.hpp"

namespace graze {

/// Encloses the true first parameter T of a hit: lo <= T <= hi.
struct TimeBounds {
  double lo, hi;
};

/// Exact hit or miss of the closed triangle (any degeneracy, coplanar rays included) within [t_min, t_max].
std::optional<TimeBounds> ray_hits(const RayQuery& ray, const Triangle& triangle);

/// Sign of ((b - a) x (c - a)) . direction: the direction in which the line crosses the triangle's plane; 0 when it does not, or when the triangle has no area.
int crossing_side(const RayQuery& ray, const Triangle& triangle);

/// Whether a triangle that the ray hits is hit where the ray begins.
bool begins_on(const RayQuery& ray, const Triangle& triangle);

/// Sign of T(a) - T(b), the true first parameters of two triangles that the ray hits.
int compare_hits(const RayQuery& ray, const Triangle& a, const Triangle& b);

/// The largest double not above the true T of a triangle that the ray hits.
double hit_time(const RayQuery& ray, const Triangle& triangle);

/// The corner at which the line crosses the triangle's plane, and its parameter, where doubles can tell and the parameter is one.
struct CornerMet {
  int corner;
  double t;
};
std::optional<CornerMet> corner_met(const RayQuery& ray, const Triangle& triangle);

/// A hit described in doubles: t as from hit_time, weights within 2^-39 of the exact values, the normal within 2^-44.
struct HitInDoubles {
  double t;
  Vec3 weights;  ///< barycentric
  Vec3 normal;   ///< (b - a) x (c - a), of unit length
  bool front;    ///< the ray comes from the side to which the normal points
};
/// For a triangle that the ray crosses at a t other than 0. Returns nothing when doubles cannot decide all of the result; they decide most hits.
std::optional<HitInDoubles> hit_in_doubles(const RayQuery& ray, const Triangle& triangle);

}  // namespace graze
