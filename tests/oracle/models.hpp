// Models for comparisons with other exact implementations: shared models if available, generated models always; coordinates are snapped so that translation is
// exact.
#pragma once
#include <cmath>
#include <cstdlib>
#include <graze/graze.hpp>
#include <graze/io.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/random.hpp"

namespace graze::test {

/// Whether the full-size tests are requested (./test --full).
inline bool full_tests() {
  const char* set = std::getenv("GRAZE_FULL_TESTS");
  return set != nullptr && std::string(set) == "1";
}

inline std::optional<MeshData> shared_model(const std::string& name) {
  const auto path = shared_data() / "meshes" / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return load_model(path.string()).data;
}

/// Rounds every coordinate to the nearest multiple of `step`, a power of two.
inline MeshData snapped(MeshData d, double step) {
  for (Vec3& v : d.vertices)
    for (int i = 0; i < 3; ++i) v[i] = std::nearbyint(v[i] / step) * step;
  return d;
}

inline MeshData grid_plane(std::uint32_t n, double z) {
  MeshData d;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i) d.vertices.push_back(Vec3(i, j, z));
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i;
      d.triangles.push_back({a, a + 1, a + n + 2});
      d.triangles.push_back({a, a + n + 2, a + n + 1});
    }
  return d;
}

inline MeshData cube(const Vec3& lo, const Vec3& hi) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(Vec3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z));
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return d;
}

inline void append(MeshData& d, const MeshData& more) {
  const auto offset = static_cast<std::uint32_t>(d.vertices.size());
  d.vertices.insert(d.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const auto& t : more.triangles) d.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
}

/// A closed surface with integer coordinates: a square path of square rings, n cells along each side of the path, m along each side of a ring.
inline MeshData square_torus(int n, int m) {
  const auto ring = [](int i, int k) {  // point i of 4 k on the border of [-k, k]^2
    const int side = i / k, along = 2 * (i % k);
    switch (side) {
      case 0:
        return std::pair(along - k, -k);
      case 1:
        return std::pair(k, along - k);
      case 2:
        return std::pair(k - along, k);
      default:
        return std::pair(-k, k - along);
    }
  };
  MeshData d;
  const int columns = 4 * n, rows = 4 * m;
  for (int i = 0; i < columns; ++i) {
    const auto [x, y] = ring(i, n);
    for (int j = 0; j < rows; ++j) {
      const auto [r, z] = ring(j, m);
      d.vertices.push_back(Vec3(x * (3 * m + r), y * (3 * m + r), z * n));
    }
  }
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      const auto at = [&](int p, int q) { return static_cast<std::uint32_t>(p % columns * rows + q % rows); };
      d.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      d.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return d;
}

/// Triangles with corners on a small lattice: shared corners and edges, coplanar overlaps, duplicates, triangles without area.
inline MeshData lattice(Random& r, std::uint32_t n, int reach) {
  MeshData d;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) d.vertices.push_back(r.grid(-reach, reach));
    d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return d;
}

}  // namespace graze::test
