// Rays against a surface: first hit, any hit, all hits; one ray, or a batch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bvh/local_query.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

struct FirstTriangle {
  std::uint32_t triangle;
  Triangle corners;  ///< placed
};
/// Returns the triangle hit first, the lowest of those hit at the same true parameter.
std::optional<FirstTriangle> ray_first(const MeshView& view, const RayQuery& ray);
bool ray_any(const MeshView& view, const RayQuery& ray);

inline constexpr std::size_t kRayBatch = 64;  ///< as many as bits in the word that holds a set of rays
/// A triangle that a ray of a batch hits, by where it is stored.
struct HitPlace {
  std::uint32_t ray;
  BlockPlace place;
};
/// The same for up to kRayBatch rays. Writes the rays that hit, in order, with their triangles, and returns their number.
std::size_t ray_first(const MeshView& view, std::span<const RayQuery> rays, std::span<HitPlace> hits);
/// Appends all triangles that up to kRayBatch rays hit: by ray, then in the exact order of the first parameter, then of the index.
void ray_all(const MeshView& view, std::span<const RayQuery> rays, std::vector<HitPlace>& hits);
FirstTriangle first_triangle(const MeshView& view, BlockPlace at);
/// Bit k: ray k hits.
std::uint64_t ray_any(const MeshView& view, std::span<const RayQuery> rays);

}  // namespace graze
