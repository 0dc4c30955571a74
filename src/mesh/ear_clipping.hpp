// Triangulates outlines that touch themselves: outline, bridge and hole as one polygon, pinched corners, corners on the outline's own edges.
#pragma once
#include <graze/mesh/mesh.hpp>
#include <optional>
#include <span>
#include <vector>

#include "mesh/flat_outline.hpp"

namespace graze {

/// Cuts an outline into n - 2 triangles of its corners, none of them turned over, or returns nothing where that is not found, as for every outline that winds
/// round some points the other way. What it returns is right without further proof: the triangles' borders add up to the outline, so the number of triangles
/// over a point is the outline's winding number there, which is 0 or 1 where the outline does not cross itself.
///
/// A triangle without area appears only where the outline touches its own edge, repeats a corner or runs back on itself. Deterministic. O(n) memory; time is
/// about O(n) searches among the corners near an ear, O(n^2) at worst.
/// Method: G. H. Meisters, "Polygons have ears", 1975; that an ear is free is decided for corners that coincide, too, by the edges that leave them.
std::optional<std::vector<TriangleIndices>> clip_ears(const FlatOutline& outline);

/// Of a closed outline with any crossings: the triangulation whose triangles have the least total area, in doubles, by dynamic programming in O(n^3); of
/// several the first. Of more than `most` corners it is that of pieces of so many corners. Method: G. T. Klincsek, "Minimal triangulations of polygonal
/// domains", 1980.
std::vector<TriangleIndices> least_area_triangles(std::span<const Vec3> points, std::size_t most = 128);

}  // namespace graze
