// Outlines that pass through a corner several times: the order of the loops that begin and end there.
#pragma once
#include "mesh/flat_outline.hpp"
#include "mesh/outline_ring.hpp"

namespace graze {

/// Where a ring passes through a place three times or more, puts the loops between into the order in which they leave it clockwise, so that bridges from one
/// corner to several holes do not cross there. The directed edges stay the same. Returns whether any order has changed. O(n log n) and O(n) for each such
/// place, of which it leaves the last ones out where there are very many.
bool uncross_loops(const FlatOutline& outline, OutlineRing& ring);

}  // namespace graze
