// Closed forms for the most frequent ray casts: against spheres, boxes of any kind, capsules, planes and half-spaces.
#pragma once
#include "convex/time/raycast.hpp"
#include "exact/certain.hpp"

namespace graze {

/// Whether the ray hits, where pairs of doubles are certain of the result, including hit.t; otherwise the general method decides.
Certain raycast_in_doubles(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit);

}  // namespace graze
