// A solid ellipsoid.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points with sum ((x_i - center_i) / radii_i)^2 <= 1; a zero radius flattens it to a disc, segment or point.
/// Its axes are those of the frame; a pose rotates it. Decided within the bound of docs/accuracy.md.
struct Ellipsoid {
  Vec3 center{0, 0, 0};
  Vec3 radii{0, 0, 0};  ///< length, >= 0

  static constexpr const char* type_name = "ellipsoid";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("center", &Ellipsoid::center, Role::position), field("radii", &Ellipsoid::radii, Role::extent));
  }
};

}  // namespace graze
