// The weights of a triangle's corners where a ray hits it.
#pragma once
#include "pairs/ray_triangle.hpp"

namespace graze {

/// The corners' weights at the true first common point of the ray and a triangle that it hits, each >= 0 and within 2^-52 of the truth for any exponents. A
/// triangle without area counts for the longest of its edges, the earlier of equals: its third corner has weight 0; one whose corners are equal has (1, 0, 0).
Vec3 barycentric_at_hit(const RayQuery& ray, const Triangle& triangle);

}  // namespace graze
