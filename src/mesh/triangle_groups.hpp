// Triangles of a mesh with the same three corners, by equal coordinates and either way round.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "mesh/mesh_impl.hpp"

namespace graze {

/// The numbers of a triangle's corners, ascending and each the lowest vertex with equal coordinates; then the triangle's own.
using TriangleKey = std::array<std::uint32_t, 4>;

/// The keys of all triangles, ascending: those of equal triangles follow one another.
std::vector<TriangleKey> sorted_triangle_keys(const MeshImpl& mesh);

inline bool same_corners(const TriangleKey& a, const TriangleKey& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/// One of each group of equal triangles, the lowest, and how many the group has.
struct TriangleGroups {
  std::vector<std::uint32_t> triangle, size;
};
TriangleGroups triangle_groups(const MeshImpl& mesh);

}  // namespace graze
