// Where two convex operands that penetrate or touch meet: the common part of their features, seen along the normal of the least translation.
#pragma once
#include <vector>

#include "convex/penetration.hpp"

namespace graze {

struct PatchPoint {
  Vec3 point{0, 0, 0};   ///< halfway between the surfaces of both operands, which are `depth` apart along the normal
  double depth = 0;      ///< >= 0
  bool deepest = false;  ///< as deep as any, up to rounding
};

/// The corners of the common part of the features (features.hpp) along p.normal, in order around it: what of it lies within both operands. `p` is a penetration
/// that was found, or has the reason `touching`. Coordinates are rounded; one point at least. Exchanging the operands changes no bit.
void contact_patch(const Operand& a, const Operand& b, const ConvexPenetration& p, std::vector<PatchPoint>& out);

/// Reduces a patch to four points: the deepest, the one farthest from it, the one that makes the largest triangle with both, and the one that adds most to its
/// area. Keeps their order. The first of equal ones counts.
void reduce_patch(std::vector<PatchPoint>& points);

/// The middle of the deepest points of a patch.
Vec3 middle_of(const std::vector<PatchPoint>& points);

}  // namespace graze
