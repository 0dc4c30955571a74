// A single point as a shape.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// The set of one point.
struct Point {
  Vec3 point{0, 0, 0};

  static constexpr const char* type_name = "point";
  [[nodiscard]] static constexpr auto fields() { return std::make_tuple(field("point", &Point::point, Role::position)); }
};

}  // namespace graze
