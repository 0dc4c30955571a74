// A surface as the queries see it: a mesh and its pose, and what a query for its nearest triangle returns.
#pragma once
#include <cstdint>
#include <graze/shapes/height_field.hpp>
#include <optional>

#include "convex/decide/closest.hpp"
#include "math/box3.hpp"
#include "mesh/closed_mesh.hpp"
#include "mesh/mesh_impl.hpp"

namespace graze {

/// A mesh at a pose (null: none). Triangle i is the triangle of its placed vertices.
struct MeshView {
  const MeshImpl* mesh;
  const Pose* pose = nullptr;
  const MeshImpl* seams = nullptr;  ///< of a solid: what closes its mesh in any pose (see Solid); the user number of a seam is the triangle that names it

  MeshView(const MeshImpl& m, const Pose* p = nullptr) : mesh(&m), pose(p) {}
  MeshView(const Mesh& m, const Pose* p = nullptr) : mesh(&m.impl()), pose(p) {}
  MeshView(const HeightField& f, const Pose* p = nullptr) : mesh(&f.impl()), pose(p) {}  ///< see MeshImpl::complete
  MeshView(const Solid& s, const Pose* p = nullptr) : MeshView(s.mesh(), p) {
    if (const std::optional<Mesh>& of_solid = ClosedMesh::seams(s)) seams = &of_solid->impl();
  }
  Triangle triangle(std::uint32_t i) const;
  /// The seams, if they may have area: only at a pose. Without area they are points of other triangles, and no ray crosses them.
  std::optional<MeshView> placed_seams() const { return seams && pose ? std::optional(MeshView(*seams, pose)) : std::nullopt; }
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
/// The same for the vertices of triangles whose boxes in the tree lie in a box.
Box3 loose_bounds(const MeshView& view, const QueryBox& local);
/// Returns the greatest computed n . x of all placed vertices x that triangles use, for n of about unit length; -infinity for an empty mesh.
double greatest_along(const MeshView& view, const Vec3& n);
/// Returns the smallest box of all placed vertices that triangles use.
Box3 tight_bounds(const MeshView& view);

struct SurfaceClosest {
  ConvexClosest closest;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< triangle_b only between meshes
};

}  // namespace graze
