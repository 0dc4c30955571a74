// Rays against a placed mesh that its pose rounds to a few places: no box tells its triangles apart, but most of them are equal.
#pragma once
#include "mesh/queries/mesh_queries.hpp"

namespace graze {

bool pose_collapses(const MeshView& view);
/// Is the rounding of the placed vertices not small against the mesh, so that its tree leaves nothing out?
inline bool collapses(const MeshView& view) { return view.pose != nullptr && pose_collapses(view); }

/// All hits as ray_all gives them, the first alone (the lowest of those hit at the same parameter), or any one. O(n), and an exact test for each different
/// triangle.
std::vector<RayHit> collapsed_ray_all(const MeshView& view, const RayQuery& ray);
std::optional<std::uint32_t> collapsed_ray_first(const MeshView& view, const RayQuery& ray);
bool collapsed_ray_any(const MeshView& view, const RayQuery& ray);

/// Where in the blocks the triangle is. O(n).
BlockPlace place_of_triangle(const MeshView& view, std::uint32_t triangle);

}  // namespace graze
