// First contact of two convex shapes, one or both of them curved, one of which moves.
#pragma once
#include <optional>

#include "convex/decide/curved_decide.hpp"
#include "sweep/linear/contact_time.hpp"

namespace graze {

/// The same as for two convex sets, but never late and at most 2^-42 of the extents early; see docs/accuracy.md.
std::optional<PairContact> contact_time(const Curved& a, const Motion& motion, const ConvexSet& b, const TimeBounds& within = {0, 1});
std::optional<PairContact> contact_time(const ConvexSet& a, const Motion& motion, const Curved& b, const TimeBounds& within = {0, 1});
std::optional<PairContact> contact_time(const Curved& a, const Motion& motion, const Curved& b, const TimeBounds& within = {0, 1});

}  // namespace graze
