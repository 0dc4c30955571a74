// The triangulation of least area, for outlines that cross themselves.
#pragma once
#include <cstdint>
#include <graze/mesh/mesh.hpp>
#include <graze/vec.hpp>
#include <span>
#include <vector>

namespace graze {

/// Of a closed outline of 3 or more corners with any crossings: the triangulation into n - 2 triangles of least total area, in doubles, of several the first,
/// by dynamic programming in O(n^3). Of more than `piece` corners, ears are cut first that no other corner or edge is in, seen along the axis of the outline's
/// area, while there are any: away from crossings they are part of what the outline bounds. If more corners remain then, as around a large hole, they are still
/// cut together if there are at most 1,000 and `work` suffices, which is reduced by the cube of their number; else in pieces of `piece` on their own.
/// Method: G. T. Klincsek, "Minimal triangulations of polygonal domains", 1980.
std::vector<TriangleIndices> least_area_triangles(std::span<const Vec3> points, std::uint64_t& work, std::size_t piece = 128);

}  // namespace graze
