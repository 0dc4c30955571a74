// Shapes as bodies of triangles: linear convex shapes by their faces, meshes and solids as they are, compounds as the union of their children.
#pragma once
#include <graze/shapes.hpp>
#include <list>
#include <optional>
#include <span>

#include "math/box3.hpp"
#include "mesh/queries/bodies.hpp"

namespace graze {

/// A body and what it refers to beyond the shapes.
struct ShapeBody {
  Body body;
  std::list<Pose> poses;
  ShapeBody() = default;
  ShapeBody(ShapeBody&&) = default;
  ShapeBody& operator=(ShapeBody&&) = default;
};

/// The union of the shapes, which it refers to; nothing if one of them is round or curved. Rays, lines, planes and half-spaces are cut off beyond the box.
std::optional<ShapeBody> body_of(std::span<const ShapeRef> shapes, const Box3& around);

/// Whether the shape, or a child of it, is a ray, a line, a plane or a half-space.
bool is_unbounded(ShapeRef shape);
/// Whether the shape is a triangle, a polygon, a mesh or a height field, or a compound of these.
bool is_surface(ShapeRef shape);

}  // namespace graze
