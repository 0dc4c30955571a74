// Barycentric coordinates of the point where a ray hits a triangle.
#pragma once
#include "pairs/ray_triangle.hpp"

namespace graze {

/// The barycentric coordinates of the true first common point of the ray and a triangle that it hits. Each is >= 0 and within 2^-52 of the true value, for any
/// exponents. A triangle without area is treated as its longest edge, the first of equal ones: the weight of its third corner is 0. A triangle whose corners
/// are equal has the weights (1, 0, 0).
Vec3 barycentric_at_hit(const RayQuery& ray, const Triangle& triangle);

}  // namespace graze
