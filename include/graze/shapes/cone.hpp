// A solid cone.
#pragma once
#include <graze/shapes/fields.hpp>

namespace graze {

/// The hull of the disc of that radius about `a` (at right angles to a b) and the tip `b`. a = b as in Cylinder.
struct Cone {
  Vec3 a{0, 0, 0}, b{0, 0, 1};
  double radius = 0;  ///< length, >= 0, of the base at a

  static constexpr const char* type_name = "cone";
  static constexpr auto fields() {
    return std::make_tuple(field("a", &Cone::a, Role::position), field("b", &Cone::b, Role::position), field("radius", &Cone::radius, Role::extent));
  }
};

}  // namespace graze
