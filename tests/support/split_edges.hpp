// Closed meshes with corners on edges of one side only: T-junctions that fit exactly.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/mesh.hpp>
#include <utility>
#include <vector>

#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test {

/// Cuts triangle t at the point share / 2^bits of the way along its edge k; its neighbour across that edge stays as it is. False, and nothing is cut, if that
/// point is no triple of doubles.
inline bool split_edge(MeshData& d, std::size_t t, std::size_t k, std::uint32_t share, int bits) {
  const TriangleIndices v = d.triangles[t];
  const std::uint32_t from = v[k], to = v[(k + 1) % 3], tip = v[(k + 2) % 3];
  const Vec3 a = d.vertices[from], b = d.vertices[to];
  const double s = std::ldexp(share, -bits);
  Vec3 m;
  for (int i = 0; i < 3; ++i) {
    m[i] = a[i] + (b[i] - a[i]) * s;
    if ((m[i] - a[i]) != (b[i] - a[i]) * s || std::fma(b[i] - a[i], s, -(m[i] - a[i])) != 0 || a[i] + (m[i] - a[i]) != m[i] || a[i] + (b[i] - a[i]) != b[i])
      return false;
  }
  if (m == a || m == b) return false;
  const auto n = static_cast<std::uint32_t>(d.vertices.size());
  d.vertices.push_back(m);
  d.triangles[t] = {from, n, tip};
  d.triangles.push_back({n, to, tip});
  return true;
}

/// Splits random edges, also those that have been split, so that chains, staggered chains and junctions within junctions come about.
inline MeshData with_junctions(MeshData d, Random& r, int splits) {
  for (int i = 0; i < splits; ++i) {
    const bool again = i > 0 && r.integer(0, 1);  // near the last one
    const auto t = again ? d.triangles.size() - 1 : r.below(d.triangles.size());
    const int bits = r.integer(1, 3);
    const auto k = static_cast<std::size_t>(r.integer(0, 2));
    (void)split_edge(d, t, k, static_cast<std::uint32_t>(r.integer(1, (1 << bits) - 1)), bits);
  }
  return d;
}

/// The mesh with its coordinates rounded to multiples of 2^-bits, so that points on its edges may be doubles.
inline MeshData on_grid(MeshData d, int bits) {
  for (Vec3& v : d.vertices)
    for (int i = 0; i < 3; ++i) v[i] = std::ldexp(std::round(std::ldexp(v[i], bits)), -bits);
  return d;
}

/// A box whose top has corners at `above` on its front edge, and whose front face has corners at `below` there (in eighths of the edge). `nested`: with corners
/// on the edges that those make.
inline MeshData box_with_junctions(const std::vector<int>& above, const std::vector<int>& below, bool nested = false, bool oblique = false) {
  const auto bent = [&](double x, double y, double z) { return oblique ? Vec3(x + 0.25 * y, y - 0.5 * x + 0.125 * z, z + 0.375 * x) : Vec3(x, y, z); };
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(bent(i & 1 ? 8 : 0, i & 2 ? 8 : 0, i & 4 ? 8 : 0));
  // 4-5 is the edge between the front face (y = 0) and the top (z = 8).
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}, {0, 1, 5}, {5, 7, 6}};
  const auto chain = [&](const std::vector<int>& at, std::uint32_t tip, bool turned) {
    std::uint32_t last = 4;
    for (std::size_t k = 0; k <= at.size(); ++k) {
      std::uint32_t next = 5;
      if (k < at.size()) {
        next = static_cast<std::uint32_t>(d.vertices.size());
        d.vertices.push_back(bent(at[k], 0, 8));
      }
      d.triangles.push_back(turned ? TriangleIndices{next, last, tip} : TriangleIndices{last, next, tip});
      last = next;
    }
  };
  chain(above, 6, false);
  chain(below, 0, true);
  if (nested) {
    const std::size_t n = d.triangles.size();
    for (std::size_t t = n - below.size() - 1; t < n; ++t) (void)split_edge(d, t, 1, 1, 1);
    (void)split_edge(d, d.triangles.size() - 1, 0, 1, 2);
  }
  return d;
}

}  // namespace graze::test
