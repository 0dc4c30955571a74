// Depth of two convex sets in doubles with a proof: along the gap when only their balls overlap, else by an expanding polytope that starts from GJK's simplex.
#pragma once

#include "convex/depth/penetration.hpp"

namespace graze {

/// The result of `penetration` for two convex sets, or nothing where doubles do not prove it.
ProvenDepth depth_in_doubles(const Operand& a, const Operand& b);

}  // namespace graze
