// A solid cylinder.
#pragma once
#include <graze/shapes/fields.hpp>

namespace graze {

/// Flat-ended: all points whose foot on the line a b lies between a and b and which are at most `radius` from it.
/// a = b is the point and needs radius 0: with a larger one it has no axis and is refused like a zero direction. Decided within the bound of docs/accuracy.md.
struct Cylinder {
  Vec3 a{0, 0, 0}, b{0, 0, 1};
  double radius = 0;  ///< length, >= 0

  static constexpr const char* type_name = "cylinder";
  static constexpr auto fields() {
    return std::make_tuple(field("a", &Cylinder::a, Role::position), field("b", &Cylinder::b, Role::position),
                           field("radius", &Cylinder::radius, Role::extent));
  }
};

}  // namespace graze
