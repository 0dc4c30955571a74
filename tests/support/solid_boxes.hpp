// Boxes as solids, alone and as several shells of one solid.
#pragma once
#include <graze/shapes.hpp>

#include <span>
#include <vector>

namespace graze::test {

inline Solid joined_boxes(std::span<const Box> boxes) {
  MeshData data;
  for (const Box& b : boxes) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.emplace_back(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
    const Hull hull{std::span<const Vec3>(corners)};
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    data.vertices.insert(data.vertices.end(), hull.points().begin(), hull.points().end());
    for (const auto& t : hull.triangles()) data.triangles.push_back({n + t[0], n + t[1], n + t[2]});
  }
  return Solid(Mesh(std::move(data)));
}

inline Solid solid_box(const Vec3& lo, const Vec3& hi) {
  const Box box{lo, hi};
  return joined_boxes({&box, 1});
}

}  // namespace graze::test
