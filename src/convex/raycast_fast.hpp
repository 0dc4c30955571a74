// Closed forms for the rays that are cast most: against spheres, boxes of any kind, capsules, planes and half-spaces.
#pragma once
#include "convex/raycast.hpp"

namespace graze {

enum class FastResult { unknown, miss, hit };

/// Answers when pairs of doubles are certain of it, hit.t included; else `unknown`, and the general method decides.
FastResult raycast_in_doubles(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit);

/// The hull of three or more points (segments, directions and radius none), for a ray that does not start inside.
FastResult raycast_hull(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit);

}  // namespace graze
