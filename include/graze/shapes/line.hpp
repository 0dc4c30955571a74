// An infinite line.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points origin + t * direction with real t. The direction has any non-zero length.
struct Line {
  Vec3 origin{0, 0, 0}, direction{0, 0, 1};

  static constexpr const char* type_name = "line";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("origin", &Line::origin, Role::position), field("direction", &Line::direction, Role::direction));
  }
};

}  // namespace graze
