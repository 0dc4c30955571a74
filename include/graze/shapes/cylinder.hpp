// A solid cylinder with flat ends.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points at most `radius` from the line a b whose projection onto it lies between a and b.
/// With a = b the cylinder is a point and requires radius 0: a larger radius has no axis and is refused like a zero direction.
/// Decided within the bound of docs/accuracy.md.
struct Cylinder {
  Vec3 a{0, 0, 0}, b{0, 0, 1};
  double radius = 0;  ///< length, >= 0

  static constexpr const char* type_name = "cylinder";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("a", &Cylinder::a, Role::position), field("b", &Cylinder::b, Role::position),
                           field("radius", &Cylinder::radius, Role::extent));
  }
};

}  // namespace graze
