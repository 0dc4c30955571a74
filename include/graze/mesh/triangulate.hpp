// Triangulation of polygons.
#pragma once
#include <graze/mesh/mesh.hpp>
#include <graze/vec.hpp>
#include <span>
#include <vector>

namespace graze {

/// Cuts a simple polygon (convex or concave, of either orientation) into n - 2 triangles, given as indices into `points`. Exact;
/// O(n log n). The triangles keep the orientation of the polygon.
///
/// The polygon is projected along the largest component of its exact area vector. Throws Error for fewer than 3 corners, and for
/// a polygon that crosses itself, naming the edges.
[[nodiscard]] std::vector<TriangleIndices> triangulate(std::span<const Vec3> points);

}  // namespace graze
