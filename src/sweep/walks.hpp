// First contact of any two parts: folds over their triangles through the trees.
#pragma once
#include "sweep/first.hpp"
#include "sweep/parts.hpp"

namespace graze {

/// Asks `first` for all that may touch first of one part of the mover and one of the target. `ids` names the parts; triangles of surfaces are added.
void sweep_parts(First& first, const SweptPart& a, const SweptPart& b);

/// The first contact of two shapes' parts: surfaces, and what solids enclose.
void sweep_all(First& first, const SweptParts& a, const SweptParts& b);

// Curved shapes: never late, at most 2^-42 of the extents early; see docs/accuracy.md.
std::optional<PairContact> curved_contact(const Curved& a, const Motion& motion, const Core& b, double limit);
std::optional<PairContact> curved_contact(const Core& a, const Motion& motion, const Curved& b, double limit);
std::optional<PairContact> curved_contact(const Curved& a, const Motion& motion, const Curved& b, double limit);

/// A lower bound of the first t >= 0 at which box a + t d may meet box b, or more than `limit` when it does not by then; d may be off by 2^-52 of itself in each component.
double box_entry(const Box3& a, const Vec3& d, const Box3& b, double limit);

}  // namespace graze
