// The surface of a box, and several surfaces as one.
#pragma once
#include <graze/mesh.hpp>

#include <cstdint>

namespace graze::test {

/// A closed, outward oriented box.
inline MeshData closed_box(const Vec3& lo, const Vec3& hi) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(Vec3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z));
  const std::uint32_t f[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (const auto& t : f) d.triangles.push_back({t[0], t[1], t[2]});
  return d;
}

inline void append(MeshData& d, const MeshData& more) {
  const auto offset = static_cast<std::uint32_t>(d.vertices.size());
  d.vertices.insert(d.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const auto& t : more.triangles) d.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
}

}  // namespace graze::test
