// First contact of two convex shapes, one or both of them curved, one of which moves.
#pragma once
#include <optional>

#include "convex/curved.hpp"
#include "sweep/linear/pair_contact.hpp"

namespace graze {

/// A moving by t * motion against B. Never late, at most 2^-42 of the extents early; see docs/accuracy.md. Contacts with T certainly above `limit` may be
/// omitted.
std::optional<PairContact> curved_contact(const Curved& a, const Motion& motion, const ConvexSet& b, double limit);
std::optional<PairContact> curved_contact(const ConvexSet& a, const Motion& motion, const Curved& b, double limit);
std::optional<PairContact> curved_contact(const Curved& a, const Motion& motion, const Curved& b, double limit);

}  // namespace graze
