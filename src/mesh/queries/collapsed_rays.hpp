// Ray queries on a placed mesh whose pose rounds it to a few points. No box separates its triangles, but most of them are equal.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "mesh/queries/ray_queries.hpp"

namespace graze {

bool pose_collapses(const MeshView& view);
/// Tests whether the rounding of the placed vertices is not small relative to the mesh, so that its tree culls nothing.
inline bool collapses(const MeshView& view) { return view.pose != nullptr && pose_collapses(view); }

/// Return all triangles in the order of ray_all, the first one (the lowest of those at the same parameter), or whether there is any. O(n), with one exact test
/// for each distinct triangle.
std::vector<std::uint32_t> collapsed_ray_all(const MeshView& view, const RayQuery& ray);
std::optional<std::uint32_t> collapsed_ray_first(const MeshView& view, const RayQuery& ray);
bool collapsed_ray_any(const MeshView& view, const RayQuery& ray);

/// Returns where each triangle is stored in the blocks. O(n).
std::vector<BlockPlace> places_of_triangles(const MeshView& view);

}  // namespace graze
