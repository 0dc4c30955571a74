// A solid cone.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// The convex hull of the tip `b` and the disc of that radius about `a`, perpendicular to a b.
/// With a = b the cone is a point and requires radius 0, as a Cylinder does. Decided within the bound of docs/accuracy.md.
struct Cone {
  Vec3 a{0, 0, 0}, b{0, 0, 1};
  double radius = 0;  ///< of the base; length, >= 0

  static constexpr const char* type_name = "cone";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("a", &Cone::a, Role::position), field("b", &Cone::b, Role::position), field("radius", &Cone::radius, Role::extent));
  }
};

}  // namespace graze
