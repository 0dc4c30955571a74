// Shapes of unit cubes, whose relations can be counted, and their surfaces in several triangulations.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <graze/mesh.hpp>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace graze::cubes {

inline constexpr int kSide = 4;
using Cubes = std::array<bool, kSide * kSide * kSide>;

inline int place(int x, int y, int z) { return (z * kSide + y) * kSide + x; }
inline bool filled(const Cubes& c, int x, int y, int z) {
  for (const int i : {x, y, z})
    if (i < 0 || i >= kSide) return false;
  return c[static_cast<std::size_t>(place(x, y, z))];
}

struct Block {
  int lo[3], hi[3];
  bool overlaps(const Block& o) const {
    for (int i = 0; i < 3; ++i)
      if (lo[i] >= o.hi[i] || o.lo[i] >= hi[i]) return false;
    return true;
  }
  bool meets(const Block& o) const {
    for (int i = 0; i < 3; ++i)
      if (lo[i] > o.hi[i] || o.lo[i] > hi[i]) return false;
    return true;
  }
};

struct Builder {
  test::Random& random;
  double scale = 1;
  MeshData data{};

  Vec3 at(const std::array<int, 3>& p) const { return {scale * p[0], scale * p[1], scale * p[2]}; }
  void triangle(std::array<std::array<int, 3>, 3> t) {
    std::rotate(t.begin(), t.begin() + random.below(3), t.end());
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    for (const auto& p : t) data.vertices.push_back(at(p));
    data.triangles.push_back({n, n + 1, n + 2});
  }
  /// A rectangle perpendicular to `axis`, counter-clockwise from above when `up`; split along one diagonal or the other.
  void rectangle(int axis, int level, std::array<int, 2> lo, std::array<int, 2> hi, bool up) {
    std::array<std::array<int, 3>, 4> c;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (std::size_t k = 0; k < 4; ++k) {
      c[k][static_cast<std::size_t>(axis)] = level;
      c[k][static_cast<std::size_t>(u)] = k == 1 || k == 2 ? hi[0] : lo[0];
      c[k][static_cast<std::size_t>(v)] = k >= 2 ? hi[1] : lo[1];
    }
    if (!up) std::swap(c[1], c[3]);
    const std::size_t s = random.coin();
    triangle({c[s], c[s + 1], c[s + 2]});
    triangle({c[s], c[s + 2], c[(s + 3) % 4]});
  }
  Mesh mesh() {
    random.shuffle(data.triangles);
    return Mesh(std::move(data));
  }
};

/// Two triangles per face; or every face cut along all planes at whole numbers.
inline Mesh block_mesh(const Block& b, bool fine, double scale, test::Random& random) {
  Builder m{random, scale};
  for (int axis = 0; axis < 3; ++axis)
    for (const bool up : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3, level = up ? b.hi[axis] : b.lo[axis];
      if (!fine)
        m.rectangle(axis, level, {b.lo[u], b.lo[v]}, {b.hi[u], b.hi[v]}, up);
      else
        for (int i = b.lo[u]; i < b.hi[u]; ++i)
          for (int j = b.lo[v]; j < b.hi[v]; ++j) m.rectangle(axis, level, {i, j}, {i + 1, j + 1}, up);
    }
  return m.mesh();
}

/// The outer faces of all cubes; with `walls` also those between two cubes, once for each.
inline Mesh cubes_mesh(const Cubes& c, bool walls, double scale, test::Random& random) {
  Builder m{random, scale};
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y)
      for (int z = 0; z < kSide; ++z) {
        if (!filled(c, x, y, z)) continue;
        const int p[3] = {x, y, z};
        for (int axis = 0; axis < 3; ++axis)
          for (const bool up : {false, true}) {
            int q[3] = {x, y, z};
            q[axis] += up ? 1 : -1;
            if (!walls && filled(c, q[0], q[1], q[2])) continue;
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            m.rectangle(axis, p[axis] + up, {p[u], p[v]}, {p[u] + 1, p[v] + 1}, up);
          }
      }
  return m.mesh();
}

inline std::vector<Block> all_blocks(int n) {
  std::vector<Block> blocks;
  for (int i = 0; i < n * n * n * n * n * n; ++i) {
    Block b;
    int k = i;
    for (int x = 0; x < 3; ++x, k /= n) b.lo[x] = k % n;
    for (int x = 0; x < 3; ++x, k /= n) b.hi[x] = k % n + 1;
    if (b.lo[0] < b.hi[0] && b.lo[1] < b.hi[1] && b.lo[2] < b.hi[2]) blocks.push_back(b);
  }
  return blocks;
}

/// Random shapes of cubes, made by adding and removing a few blocks.
inline Cubes random_cubes(test::Random& random) {
  Cubes c{};
  const std::vector<Block> blocks = all_blocks(kSide);
  const std::size_t steps = 1 + random.below(4);
  for (std::size_t k = 0; k < steps; ++k) {
    const Block& b = blocks[random.below(blocks.size())];
    const bool fill = k == 0 || random.below(3) != 0;
    for (int x = b.lo[0]; x < b.hi[0]; ++x)
      for (int y = b.lo[1]; y < b.hi[1]; ++y)
        for (int z = b.lo[2]; z < b.hi[2]; ++z) c[static_cast<std::size_t>(place(x, y, z))] = fill;
  }
  return c;
}

}  // namespace graze::cubes
