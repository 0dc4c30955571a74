// Collects edge uses by sorting. The list does not depend on the number of threads.
#include "mesh/edges.hpp"

#include "platform/parallel_sort.hpp"

namespace graze {

std::vector<EdgeUse> sorted_edge_uses(const MeshImpl& mesh) {
  const std::vector<std::uint32_t>& canonical = mesh.canonical();
  std::vector<EdgeUse> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const TriangleIndices& v = mesh.triangles[t];
    const std::uint32_t c[3] = {canonical[v[0]], canonical[v[1]], canonical[v[2]]};
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t from = c[k], to = c[(k + 1) % 3];
      uses.push_back({from < to ? from << 32 | to : to << 32 | from, std::uint64_t{t} << 1 | (from < to)});
    }
  }
  parallel_sort(uses, [](const EdgeUse& a, const EdgeUse& b) { return a.ends != b.ends ? a.ends < b.ends : a.triangle_forward < b.triangle_forward; });
  return uses;
}

}  // namespace graze
