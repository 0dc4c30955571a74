// Triangulation of polygons.
#pragma once
#include <graze/mesh/mesh.hpp>
#include <graze/vec.hpp>
#include <span>
#include <vector>

namespace graze {

/// Cuts a polygon (convex or concave, of either orientation) into n - 2 triangles, given as indices into `points`. Exact; O(n log n) for simple polygons. The
/// triangles keep the orientation of the polygon, use every corner, and their border is the polygon's outline, edge for edge.
///
/// The outline may touch itself: a bridge leads to a hole and back, corners coincide, or lie on other edges. Triangles without area appear only there, and
/// where a corner is repeated or the outline runs back on itself.
///
/// The polygon is projected along the largest component of its exact area vector. Throws Error for fewer than 3 corners, and for
/// a polygon that crosses itself, naming the edges.
[[nodiscard]] std::vector<TriangleIndices> triangulate(std::span<const Vec3> points);

}  // namespace graze
