// A solid capsule.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points at most `radius` from the segment a b. Radius 0 gives the segment, a = b the ball.
struct Capsule {
  Vec3 a{0, 0, 0}, b{0, 0, 0};
  double radius = 0;  ///< length, >= 0

  static constexpr const char* type_name = "capsule";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("a", &Capsule::a, Role::position), field("b", &Capsule::b, Role::position), field("radius", &Capsule::radius, Role::extent));
  }
};

}  // namespace graze
