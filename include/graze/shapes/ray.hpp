// A half line.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points origin + t * direction with t >= 0. The direction has any non-zero length and is not normalised:
/// t counts in lengths of the direction.
struct Ray {
  Vec3 origin{0, 0, 0}, direction{0, 0, 1};

  static constexpr const char* type_name = "ray";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("origin", &Ray::origin, Role::position), field("direction", &Ray::direction, Role::direction));
  }
};

}  // namespace graze
