// A height field and the same triangles as a mesh, made independently.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/shapes/height_field.hpp>
#include <utility>
#include <vector>

namespace graze::test {

/// Grid lines must be doubles.
struct Terrain {
  Vec3 origin;
  double dx, dy;
  std::size_t columns;
  std::vector<double> heights;
  Mesh mesh;

  Terrain(const Vec3& at, double step_x, double step_y, std::size_t width, std::vector<double> h)
      : origin(at), dx(step_x), dy(step_y), columns(width), heights(std::move(h)), mesh(triangles()) {}
  HeightField field() const { return HeightField(origin, dx, dy, columns, heights); }

 private:
  MeshData triangles() const {
    MeshData d;
    std::vector<std::array<std::size_t, 3>> corners;
    const auto exists = [&](std::size_t a, std::size_t b, std::size_t c) { return !std::isnan(heights[a] + heights[b] + heights[c]); };
    for (std::size_t a = 0; a + columns < heights.size(); ++a) {
      if (a % columns == columns - 1) continue;
      const std::size_t b = a + 1, c = b + columns, e = a + columns;
      if (exists(a, b, c)) corners.push_back({a, b, c});
      if (exists(a, c, e)) corners.push_back({a, c, e});
    }
    std::vector<std::uint32_t> number(heights.size(), ~0u);
    for (const auto& t : corners)
      for (const std::size_t v : t) number[v] = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (number[v] != 0) continue;
      number[v] = static_cast<std::uint32_t>(d.vertices.size());
      d.vertices.emplace_back(origin.x + static_cast<double>(v % columns) * dx, origin.y + static_cast<double>(v / columns) * dy, origin.z + heights[v]);
    }
    for (const auto& t : corners) d.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
    return d;
  }
};

}  // namespace graze::test
