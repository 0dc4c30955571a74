// Triangulates outlines that touch themselves: outline, bridge and hole as one polygon, pinched corners, corners on the outline's own edges.
#pragma once
#include <graze/mesh/mesh.hpp>
#include <vector>

#include "mesh/flat_outline.hpp"
#include "mesh/outline_ring.hpp"

namespace graze {

/// Cuts the rest of an outline into triangles of its corners, none of them turned over, and appends them; returns false, with a part of the ring cut, where
/// that is not found, as for every outline that winds round some points twice or the other way. No edges may cross in interior points of both. What it returns
/// is right without further proof: the triangles' borders add up to the outline, so the number of triangles over a point is the outline's winding number there.
///
/// A triangle without area appears only where the outline touches its own edge, repeats a corner or runs back on itself. Deterministic. O(n) memory, and
/// about O(n log n) time and O(n) searches among the corners near an ear; at a place that the outline passes d times, each ear takes O(d).
/// Method: G. H. Meisters, "Polygons have ears", 1975; that an ear is free is decided for corners that coincide, too, by the edges that leave them.
bool clip_ears(const FlatOutline& outline, OutlineRing& ring, std::vector<TriangleIndices>& triangles);

/// Cuts free ears off an outline with any crossings while more than `most` corners are left and there are any.
void clip_free_ears(const FlatOutline& outline, OutlineRing& ring, std::vector<TriangleIndices>& triangles, FlatOutline::Index most);

}  // namespace graze
