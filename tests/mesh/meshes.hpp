// Meshes and poses for tests of mesh queries, random and degenerate, at all sizes; and brute force over their triangles.
#pragma once
#include <cmath>
#include <graze/mesh.hpp>
#include <graze/pose.hpp>
#include <string>

#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/shared_corners.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "support/random.hpp"
#include "support/surfaces.hpp"

namespace graze::test {

struct NamedMesh {
  std::string name;
  MeshData data;
  double size;  ///< its approximate extent
  Vec3 at{0, 0, 0};
};

inline MeshData soup(Random& r, std::size_t n, double scale, const Vec3& at, double size = 0.2) {
  MeshData d;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 c = r.point(-1, 1);
    for (int k = 0; k < 3; ++k) d.vertices.push_back((c + r.point(-size, size)) * scale + at);
    d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return d;
}

/// Corners on a small integer lattice: shared corners and edges, coplanar overlap, duplicates and degenerate triangles everywhere.
inline MeshData lattice(Random& r, std::size_t n, double scale, const Vec3& at, int range = 3) {
  MeshData d;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int x = r.integer(-range, range), y = r.integer(-range, range), z = r.integer(-range, range);
      d.vertices.push_back(Vec3(x, y, z) * scale + at);
    }
    d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return d;
}

inline MeshData reversed(MeshData d) {
  for (auto& t : d.triangles) std::swap(t[1], t[2]);
  return d;
}

/// A closed ball of n x 2n patches.
inline MeshData ball(std::uint32_t n, const Vec3& center, double radius) {
  MeshData d;
  const double pi = 3.141592653589793;
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j < 2 * n; ++j) {
      const double a = pi * i / n, b = pi * j / n;
      const bool pole = i == 0 || i == n;
      d.vertices.push_back(center + radius * (pole ? Vec3(0, 0, i == 0 ? 1 : -1) : Vec3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a))));
    }
  }
  const auto at = [n](std::uint32_t i, std::uint32_t j) { return i * 2 * n + j % (2 * n); };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < 2 * n; ++j) {
      d.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      d.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return d;
}

inline std::vector<NamedMesh> meshes() {
  Random r(71);
  std::vector<NamedMesh> m;
  m.push_back({"soup", soup(r, 150, 1, Vec3(0)), 1});
  m.push_back({"lattice", lattice(r, 80, 1, Vec3(0)), 3});
  m.push_back({"lattice far away", lattice(r, 80, 1, Vec3(1e6, -1e6, 3e6)), 3, Vec3(1e6, -1e6, 3e6)});
  m.push_back({"soup far away", soup(r, 80, 1, Vec3(1e6)), 1, Vec3(1e6)});
  m.push_back({"tiny", soup(r, 60, 1e-300, Vec3(0)), 1e-300});
  m.push_back({"denormal", lattice(r, 60, 0x1p-1073, Vec3(0)), 3 * 0x1p-1073});
  m.push_back({"huge", soup(r, 60, 1e300, Vec3(0)), 1e300});
  MeshData flat = soup(r, 60, 1, Vec3(0));
  for (Vec3& v : flat.vertices) v.z = 0.25;
  m.push_back({"flat", flat, 1});
  MeshData same;
  for (int i = 0; i < 40; ++i) append(same, lattice(r, 1, 1, Vec3(0), 1));
  for (int i = 0; i < 20; ++i) append(same, {{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}}, {}});
  m.push_back({"duplicates", same, 1});
  m.push_back({"one triangle", {{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}}, {}}, 1});
  return m;
}

inline Triangle placed_triangle(const MeshView& v, std::uint32_t i) {
  Triangle t = v.mesh->triangle(i);
  if (v.pose) {
    for (Vec3& p : t.points) p = v.pose->apply(p);
  }
  return t;
}

inline std::uint32_t size_of(const MeshView& v) { return static_cast<std::uint32_t>(v.mesh->triangles.size()); }

/// The poses at which meshes are tested: none, a rotation, exact quarter turns far away.
inline std::vector<std::optional<Pose>> poses_for(Random& r, const NamedMesh& m) {
  std::vector<std::optional<Pose>> p{std::nullopt, r.pose(m.size), r.quarter_turn(0.5 * m.size)};
  if (m.size < 1e100 && m.size > 1e-100) p.push_back(r.pose(1e6));
  return p;
}

}  // namespace graze::test
