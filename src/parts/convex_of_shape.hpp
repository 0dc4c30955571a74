// How the queries represent each shape: linear and round convex shapes as a ConvexSet, curved shapes as a Curved, polygons as triangle fans, meshes and solids
// as views, compounds as their children. form_of() lists the form of every shape, and the dispatch tables follow it.
#pragma once
#include <graze/shapes.hpp>
#include <type_traits>

#include "convex/decide/curved_decide.hpp"
#include "convex/sets/convex_set.hpp"
#include "shapes/pose.hpp"

namespace graze {

enum class Form { convex, curved, fan, mesh, solid, compound };

template <class S>
constexpr Form form_of() {
  if constexpr (std::is_same_v<S, Polygon>)
    return Form::fan;
  else if constexpr (std::is_same_v<S, Mesh> || std::is_same_v<S, HeightField>)
    return Form::mesh;
  else if constexpr (std::is_same_v<S, Solid>)
    return Form::solid;
  else if constexpr (std::is_same_v<S, Compound>)
    return Form::compound;
  else if constexpr (CurvedShape<S>)
    return Form::curved;
  else
    return Form::convex;
}

// The convex set of a shape under a pose (null: the identity). Hulls are referenced, not copied.
ConvexSet convex_set_of(const Point& s, const Pose* pose);
ConvexSet convex_set_of(const Segment& s, const Pose* pose);
ConvexSet convex_set_of(const Ray& s, const Pose* pose);
ConvexSet convex_set_of(const Line& s, const Pose* pose);
ConvexSet convex_set_of(const Plane& s, const Pose* pose);
ConvexSet convex_set_of(const HalfSpace& s, const Pose* pose);
ConvexSet convex_set_of(const Triangle& s, const Pose* pose);
ConvexSet convex_set_of(const Sphere& s, const Pose* pose);
ConvexSet convex_set_of(const Box& s, const Pose* pose);
ConvexSet convex_set_of(const OrientedBox& s, const Pose* pose);
ConvexSet convex_set_of(const Capsule& s, const Pose* pose);
ConvexSet convex_set_of(const Hull& s, const Pose* pose);
ConvexSet convex_set_of(const Frustum& s, const Pose* pose);
ConvexSet convex_set_of(const Wedge& s, const Pose* pose);
/// Whether the shape is a linear or round convex shape; its convex set.
bool has_convex_set(const ShapeRef& s);
ConvexSet convex_set_of(const ShapeRef& s);

inline Pose pose_of(ShapeRef s) { return s.pose() ? *s.pose() : Pose{}; }
inline Vec3 placed_point(const Vec3& p, const Pose* pose) { return pose ? apply_pose(*pose, p) : p; }
inline Vec3 placed_direction(const Vec3& d, const Pose* pose) { return pose ? rotated(*pose, d) : d; }

/// Number of triangles of a polygon's fan, and triangle i of the fan under the pose.
inline std::size_t fan_size(const Polygon& p) { return p.points().size() - 2; }
inline Triangle fan_triangle(const Polygon& p, std::size_t i, const Pose* pose) {
  return {{placed_point(p.points()[0], pose), placed_point(p.points()[i + 1], pose), placed_point(p.points()[i + 2], pose)}};
}

/// Calls f(index, child shape) for each child of a placed compound until f returns false.
template <class F>
bool for_each_child(const Compound& c, const Pose* pose, F&& f) {
  for (std::size_t i = 0; i < c.children().size(); ++i) {
    const Compound::Child& child = c.children()[i];
    const Pose world = pose ? compose(*pose, child.pose) : child.pose;
    Placed placed = at(child.shape, world);
    if (!f(i, ShapeRef(placed))) return false;
  }
  return true;
}

}  // namespace graze
