// A surface as the queries see it: a mesh and its pose, and what a query for its nearest triangle returns.
#pragma once
#include <cstdint>

#include "convex/closest.hpp"
#include "math/box3.hpp"
#include "mesh/mesh_impl.hpp"

namespace graze {

/// A mesh at a pose (null: none). Triangle i is the triangle of its placed vertices.
struct MeshView {
  const MeshImpl* mesh;
  const Pose* pose = nullptr;

  MeshView(const MeshImpl& m, const Pose* p = nullptr) : mesh(&m), pose(p) {}
  MeshView(const Mesh& m, const Pose* p = nullptr) : mesh(&m.impl()), pose(p) {}
  Triangle triangle(std::uint32_t i) const;
};

/// A surface, or the solid that it bounds.
struct SurfaceOrSolid {
  MeshView surface;
  bool solid;
};

/// Returns the convex set of a triangle, and the triangle of such a set.
ConvexSet convex_triangle(const Triangle& triangle);
Triangle triangle_of(const ConvexSet& convex);

/// Returns a box that contains all placed vertices, infinite where it would overflow, empty for an empty mesh. Cheap, but not the smallest box for a placed
/// mesh.
Box3 loose_bounds(const MeshView& view);
/// Returns the smallest box of all placed vertices that triangles use.
Box3 tight_bounds(const MeshView& view);

struct SurfaceClosest {
  ConvexClosest closest;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< triangle_b only between meshes
};

}  // namespace graze
