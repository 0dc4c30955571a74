// A triangulated square for tests of traversals: neighbours share corners and edges, and a flat grid is full of ties.
#pragma once
#include <graze/mesh.hpp>

#include "support/random.hpp"

namespace graze::test {

/// A square of 2 n^2 triangles perpendicular to z with the given roughness; flat for 0.
inline Mesh grid(Random& r, std::uint32_t n, double scale, const Vec3& at, double rough) {
  MeshData d;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i) d.vertices.push_back(Vec3(2.0 * i / n - 1, 2.0 * j / n - 1, rough * r.real(-1, 1)) * scale + at);
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i, b = a + n + 1;
      d.triangles.push_back({a, a + 1, b + 1});
      d.triangles.push_back({a, b + 1, b});
    }
  return Mesh(d);
}

}  // namespace graze::test
