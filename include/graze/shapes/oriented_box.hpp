// A solid box in any orientation, or a parallelepiped.
#pragma once
#include <array>
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All center + sum t_i axes_i with |t_i| <= half_i. The axes are taken literally: they may have any length and any angle (a
/// parallelepiped), be zero or be dependent.
struct OrientedBox {
  Vec3 center{0, 0, 0};
  std::array<Vec3, 3> axes{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  Vec3 half{0, 0, 0};  ///< >= 0, each in multiples of the length of its axis

  static constexpr const char* type_name = "obb";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("center", &OrientedBox::center, Role::position), field("axes", &OrientedBox::axes, Role::axis),
                           field("half", &OrientedBox::half, Role::extent));
  }
};

}  // namespace graze
