// Ray casts against the hull of points.
#pragma once
#include "convex/time/raycast_fast.hpp"

namespace graze {

/// Casts against the hull of three or more points (no segments, directions or radius). Requires t_max >= 0 of a ray.
Certain raycast_hull(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit);

}  // namespace graze
