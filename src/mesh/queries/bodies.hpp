// Bodies of triangles: unions of solids and surfaces. The triangles are those of meshes or, where corners are sums of products of doubles, a few exact ones.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "convex/sets/convex_set.hpp"
#include "exact/exact_vectors.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/winding.hpp"

namespace graze {

/// A solid or a surface: a mesh, or exact triangles that need not be many for a query to be slow.
struct BodyPart {
  std::optional<MeshView> mesh;  ///< nothing: `exact`
  std::vector<ExactTriangle> exact;
  bool solid = false;         ///< closed, and what it winds around belongs to it
  std::optional<Mesh> owned;  ///< the mesh, where it was made for the purpose

  BodyPart(const MeshView& view, bool is_solid) : mesh(view), solid(is_solid) { view.mesh->complete(); }
  BodyPart(Mesh made, bool is_solid) : mesh(MeshView(made)), solid(is_solid), owned(std::move(made)) {}
  BodyPart(std::vector<ExactTriangle> triangles, bool is_solid) : exact(std::move(triangles)), solid(is_solid) {}

  std::uint32_t size() const { return mesh ? static_cast<std::uint32_t>(mesh->mesh->triangles.size()) : static_cast<std::uint32_t>(exact.size()); }
  Box3 bounds() const;  ///< at least those of all triangles; infinite where they would overflow
};

/// The union of some parts.
struct Body {
  std::vector<BodyPart> parts;
  bool unbounded = false;  ///< the shape continues beyond its triangles, which reach farther than all of the body that it is compared with

  Body() = default;
  Body(const MeshView& view, bool solid) { parts.emplace_back(view, solid); }
};

/// Whether the point is on the part's surface or, of a solid, inside.
bool contains(const BodyPart& part, const Vec3& p);
bool contains(const BodyPart& part, const ExactPoint& p);
bool contains(const Body& body, const Vec3& p);
bool contains(const Body& body, const ExactPoint& p);

/// The part that is a convex set without radius; with inner points it is a solid. What is unbounded is cut off beyond the box.
BodyPart exact_part(const ConvexSet& c, const Box3& around);

/// The part of the plane through the point at right angles to the normal that reaches beyond the box, which contains the point.
BodyPart exact_plane(const V3<Dyadic>& point, const V3<Dyadic>& normal, const Box3& around);

}  // namespace graze
