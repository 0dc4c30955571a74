// The least separating translation of two cores from integers: whatever the exponents of their coordinates, right up to the rounding of the result.
#pragma once
#include "convex/penetration.hpp"

namespace graze {

/// For cores that intersect (`within` says so). Minimal up to 1 + 2^-30; the vector is verified in integers. Bounds: docs/derivations/penetration.md.
CorePenetration penetration_exactly(const Core& a, const Core& b);

}  // namespace graze
