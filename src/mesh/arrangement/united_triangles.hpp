// The triangles of two surfaces as those of one: equal ones once, and flat facets that both surfaces have in one triangulation.
#pragma once
#include <cstdint>
#include <vector>

#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Triangles with different corners, that is no two with the same three. Those of A cover the points of A's surface, those of B the points of B's.
struct UnitedTriangles {
  static constexpr std::uint8_t kA = 1, kB = 2;
  std::vector<Vec3> vertices;  ///< placed, no two equal
  std::vector<TriangleIndices> triangles;
  std::vector<std::uint8_t> of;  ///< of each triangle: kA, kB or both
};

/// A facet is a set of triangles in one plane that face the same way, joined by edges that two triangles use, one in each direction. Facets of two surfaces
/// with equal outlines cover the same points, since the outline of such a set determines how often it covers each point of the plane; then the triangles of A
/// stand for both.
UnitedTriangles united_triangles(const MeshView& a, const MeshView& b);

}  // namespace graze
