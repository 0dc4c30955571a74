// Whether two boxes, triangles, segments or points meet, where doubles cannot tell: faces and edges that nearly touch, or that do.
#pragma once
#include "convex/sets/convex_set.hpp"
#include "exact/certain.hpp"

namespace graze {

/// Whether two small polytopes without radius have a common point, by the theorem of separating axes (S. Gottschalk 1996): each axis in doubles, then in pairs
/// of doubles, and exactly along a coordinate axis. Unknown where one of these cannot tell, where A - B may be flat, and for numbers that are not moderate.
Certain polytopes_meet(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
