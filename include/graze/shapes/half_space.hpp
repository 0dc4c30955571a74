// A half space: the solid behind a plane.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All x with dot(normal, x - point) <= 0. Solid; the normal has any non-zero length and points outwards.
struct HalfSpace {
  Vec3 point{0, 0, 0}, normal{0, 0, 1};

  static constexpr const char* type_name = "halfspace";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("point", &HalfSpace::point, Role::position), field("normal", &HalfSpace::normal, Role::direction));
  }
};

}  // namespace graze
