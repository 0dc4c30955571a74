// The least separating translation of two convex sets, computed in integers: accurate to the rounding of the result for any exponents of the coordinates.
#pragma once
#include "convex/depth/penetration.hpp"

namespace graze {

/// Requires convex sets that intersect by `within`. The result is minimal up to 1 + 2^-30; the vector is verified in integers. Bounds:
/// docs/derivations/penetration.md.
ConvexPenetration penetration_exactly(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
