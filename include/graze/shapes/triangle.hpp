// A triangle.
#pragma once
#include <graze/shapes/fields.hpp>

namespace graze {

/// The hull of three points; counter-clockwise seen from its front. Without area it is the segment or point that it collapses to.
struct Triangle {
  std::array<Vec3, 3> points{};

  static constexpr const char* type_name = "triangle";
  static constexpr auto fields() { return std::make_tuple(field("points", &Triangle::points, Role::position)); }
};

}  // namespace graze
