// A triangle.
#pragma once
#include <array>
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// The convex hull of three points, counter-clockwise seen from the front. A triangle without area is the segment or point to which
/// it collapses.
struct Triangle {
  std::array<Vec3, 3> points{};

  static constexpr const char* type_name = "triangle";
  [[nodiscard]] static constexpr auto fields() { return std::make_tuple(field("points", &Triangle::points, Role::position)); }
};

}  // namespace graze
