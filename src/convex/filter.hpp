// The double tier of the generic decision.
#pragma once
#include "convex/minkowski_scaled.hpp"

namespace graze {

enum class Verdict { apart, within, unknown };

/// What the double tier saw last: a simplex of A - B and the weights of its nearest point to the origin (of the origin itself when it holds it).
struct Proposal {
  Simplex simplex;
  double weight[4] = {1, 0, 0, 0};
};

/// Decides |A - B| <= reach in doubles where that is certain. Without `stop_at_plane` it goes on to the nearest point as far as doubles see it, and never says
/// `apart`.
Verdict decide_in_doubles(const ScaledPair& pair, Proposal& proposal, bool stop_at_plane);

}  // namespace graze
