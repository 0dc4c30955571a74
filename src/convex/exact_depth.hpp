// The least separating translation of two convex sets from integers: whatever the exponents of their coordinates, right up to the rounding of the result.
#pragma once
#include "convex/penetration.hpp"

namespace graze {

/// For convex sets that intersect (`within` says so). Minimal up to 1 + 2^-30; the vector is verified in integers. Bounds: docs/derivations/penetration.md.
ConvexPenetration penetration_exactly(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
