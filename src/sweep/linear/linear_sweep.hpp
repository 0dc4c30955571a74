// First contact of a moving part with a part at rest, computed over their triangles by tree traversal, and of whole shapes.
#pragma once
#include "parts/part_list.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

/// Adds to `first` every candidate for the first contact of one part of the mover and one of the target, named by the numbers of both parts and of the
/// triangles of surfaces.
void sweep_parts(EarliestContact& first, const ListedPart& a, const ListedPart& b);

/// The first contact of two shapes' parts, including shapes that lie inside solids.
void sweep_all(EarliestContact& first, const PartList& a, const PartList& b);

}  // namespace graze
