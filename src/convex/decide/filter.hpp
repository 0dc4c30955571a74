// The double tier of the generic decision.
#pragma once
#include "convex/gjk/gjk.hpp"
#include "convex/minkowski/scaled_pair.hpp"
#include "exact/certain.hpp"

namespace graze {

/// The last simplex of A - B in the double tier, and the weights of its point nearest to the origin (of the origin itself when the simplex contains it).
using Proposal = GjkState<Generator, double>;

/// Decides |A - B| <= reach in doubles where that is certain. Without `stop_at_plane` it continues to the nearest point as far as doubles resolve it, and never
/// returns `no`.
Certain decide_in_doubles(const ScaledPair& pair, Proposal& proposal, bool stop_at_plane);

}  // namespace graze
