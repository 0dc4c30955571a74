// Groups the triangles of a mesh that have the same three corners by equal coordinates, in either orientation.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "mesh/mesh_impl.hpp"

namespace graze {

/// The corner numbers of a triangle, ascending, each the lowest vertex with equal coordinates; then the triangle's own number.
using TriangleKey = std::array<std::uint32_t, 4>;

/// Returns the keys of all triangles, ascending, so that those of equal triangles are adjacent.
std::vector<TriangleKey> sorted_triangle_keys(const MeshImpl& mesh);

inline bool same_corners(const TriangleKey& a, const TriangleKey& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/// The lowest triangle of each group of equal triangles, and the size of the group.
struct TriangleGroups {
  std::vector<std::uint32_t> triangle, size;
};
TriangleGroups triangle_groups(const MeshImpl& mesh);

}  // namespace graze
