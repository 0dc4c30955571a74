// Closed forms for the most frequent ray casts: against spheres, boxes of any kind, capsules, planes and half-spaces.
#pragma once
#include "convex/raycast.hpp"

namespace graze {

enum class FastResult { unknown, miss, hit };

/// Decides when pairs of doubles are certain of the result, including hit.t; otherwise returns `unknown`, and the general method decides.
FastResult raycast_in_doubles(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit);

}  // namespace graze
