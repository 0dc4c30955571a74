// Builds the mesh that keeps the lowest triangle of each group of equal ones.
#include "mesh/queries/unique_triangles.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace graze {

UniqueTriangles::UniqueTriangles(const MeshView& view) : original_(view), groups_(triangle_groups(*view.mesh)) {
  const MeshImpl& m = *view.mesh;
  if (groups_.triangle.size() == m.triangles.size()) return;
  std::vector<TriangleIndices> triangles;
  triangles.reserve(groups_.triangle.size());
  for (const std::uint32_t t : groups_.triangle) triangles.push_back(m.triangles[t]);
  mesh_.emplace(VertexView(std::span<const Vec3>(m.vertices.data(), m.vertices.size())), triangles);
}

}  // namespace graze
