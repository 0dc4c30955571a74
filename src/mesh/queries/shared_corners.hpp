// Whether two triangles of one mesh meet beyond the corners they share, and whether beyond their edges.
#pragma once
#include <cstdint>
#include <graze/shapes/triangle.hpp>

#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Returns whether the intersection of two triangles is more than the corners and edges that both share by equal coordinates.
bool intersect_beyond_shared(const Triangle& a, const Triangle& b);

/// Whether all common points of two triangles with area that intersect lie in edges of both.
bool meet_in_edges(const Triangle& a, const Triangle& b);

/// Whether a triangle of a mesh has no area, or had none before its pose rounded it.
bool is_flat(const MeshView& view, std::uint32_t triangle);
/// Whether two triangles of a mesh that intersect beyond what they share, neither of them flat, have common points that lie in no edge of one of them. Where
/// that is so only since the pose has rounded them, it counts for surfaces, not for solids, which are closed there by seams.
bool cross_beyond_edges(const MeshView& view, bool solid, std::uint32_t a, std::uint32_t b);

}  // namespace graze
