// A mesh of many triangles for long calls.
#pragma once
#include <cmath>
#include <cstdint>
#include <graze/mesh.hpp>

namespace graze::test {

/// A wavy sheet of 2 n^2 triangles, `amplitude` above and below a height.
inline MeshData wavy_sheet(std::uint32_t n, double height, double amplitude) {
  MeshData d;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) d.vertices.emplace_back(i, j, height + amplitude * std::sin(0.3 * i) * std::sin(0.2 * j));
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * (n + 1) + j, b = a + 1, c = a + n + 1, e = c + 1;
      d.triangles.push_back({a, c, b});
      d.triangles.push_back({b, c, e});
    }
  return d;
}

}  // namespace graze::test
