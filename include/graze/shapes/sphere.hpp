// A solid ball.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points at most `radius` from `center`. Radius 0 gives the point.
struct Sphere {
  Vec3 center{0, 0, 0};
  double radius = 0;  ///< length, >= 0

  static constexpr const char* type_name = "sphere";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("center", &Sphere::center, Role::position), field("radius", &Sphere::radius, Role::extent));
  }
};

}  // namespace graze
