// Groups equal triangles by sorting their keys.
#include "mesh/triangle_groups.hpp"

#include <algorithm>

#include "platform/parallel_sort.hpp"

namespace graze {

std::vector<TriangleKey> sorted_triangle_keys(const MeshImpl& mesh) {
  std::vector<TriangleKey> keys(mesh.triangles.size());
  const std::vector<std::uint32_t>& canonical = mesh.canonical();
  for (std::uint32_t t = 0; t < keys.size(); ++t) {
    const TriangleIndices& v = mesh.triangles[t];
    std::array<std::uint32_t, 3> c{canonical[v[0]], canonical[v[1]], canonical[v[2]]};
    std::sort(c.begin(), c.end());
    keys[t] = {c[0], c[1], c[2], t};
  }
  parallel_sort(keys);
  return keys;
}

TriangleGroups triangle_groups(const MeshImpl& mesh) {
  TriangleGroups groups;
  const std::vector<TriangleKey> keys = sorted_triangle_keys(mesh);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !same_corners(keys[i], keys[i - 1])) {
      groups.triangle.push_back(keys[i][3]);
      groups.size.push_back(0);
    }
    ++groups.size.back();
  }
  return groups;
}

}  // namespace graze
