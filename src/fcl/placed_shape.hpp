// FCL's geometry with its transform, as a placed shape of Graze.
#pragma once
#include <cstdint>
#include <graze/pose.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <variant>

#include "fcl/fcl_types.hpp"

namespace graze::for_fcl {

class PlacedShape {
 public:
  using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, HalfSpace, Plane, Triangle, Hull, Mesh>;

  /// Returns the shape, or nothing for what Graze does not answer: octrees, point clouds, models that are not built, other derived classes, sizes that are
  /// negative or NaN, and matrices that differ from a rotation by more than 1e-5.
  [[nodiscard]] static std::optional<PlacedShape> of(const Geometry& geometry, const Transform& transform);

  PlacedShape(Shape shape, const Pose& pose) : shape_(std::move(shape)), pose_(pose) {}

  /// The shape as an argument of queries; it refers to this object.
  [[nodiscard]] ShapeRef ref() const;
  [[nodiscard]] const Pose& pose() const { return pose_; }
  template <class S>
  [[nodiscard]] const S* get() const {
    return std::get_if<S>(&shape_);
  }

 private:
  Shape shape_;
  Pose pose_;
};

/// Returns a triangle of a placed mesh, placed.
[[nodiscard]] PlacedShape placed_triangle(const PlacedShape& mesh, std::uint32_t triangle);

}  // namespace graze::for_fcl
