// A solid box in any orientation.
#pragma once
#include <graze/shapes/fields.hpp>

namespace graze {

/// center + sum t_i axes_i with |t_i| <= half_i. The axes are literal: any length, any angle (a parallelepiped), zero or dependent allowed.
struct OrientedBox {
  Vec3 center{0, 0, 0};
  std::array<Vec3, 3> axes{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  Vec3 half{0, 0, 0};  ///< >= 0, in lengths of its axis

  static constexpr const char* type_name = "obb";
  static constexpr auto fields() {
    return std::make_tuple(field("center", &OrientedBox::center, Role::position), field("axes", &OrientedBox::axes, Role::axis),
                           field("half", &OrientedBox::half, Role::extent));
  }
};

}  // namespace graze
