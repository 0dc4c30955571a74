// The double tier of the generic decision.
#pragma once
#include "convex/scaled_pair.hpp"

namespace graze {

enum class Verdict { apart, within, unknown };

/// Decides |A - B| <= reach in doubles where that is certain; leaves the last simplex as a proposal. Without `stop_at_plane` it goes on to the nearest point as far as doubles see it, and never says `apart`.
Verdict decide_in_doubles(const ScaledPair& pair, Simplex& simplex, bool stop_at_plane);

}  // namespace graze
