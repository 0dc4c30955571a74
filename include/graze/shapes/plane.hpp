// An infinite plane.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All x with dot(normal, x - point) = 0. The normal has any non-zero length and points to the front.
struct Plane {
  Vec3 point{0, 0, 0}, normal{0, 0, 1};

  static constexpr const char* type_name = "plane";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("point", &Plane::point, Role::position), field("normal", &Plane::normal, Role::direction));
  }
};

}  // namespace graze
