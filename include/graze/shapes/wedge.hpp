// A solid wedge: a box cut in half along a diagonal.
#pragma once
#include <array>
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All corner + r edges_0 + s edges_1 + t edges_2 with r, s >= 0, r + s <= 1 and 0 <= t <= 1: a triangular prism, right-angled at
/// `corner` when the edges are perpendicular. The edges are taken literally, as the axes of an OrientedBox: they may have any length
/// and any angle, be zero or be dependent.
struct Wedge {
  Vec3 corner{0, 0, 0};
  std::array<Vec3, 3> edges{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};  ///< two of the triangle, and the one along the prism

  static constexpr const char* type_name = "wedge";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("corner", &Wedge::corner, Role::position), field("edges", &Wedge::edges, Role::axis));
  }
};

}  // namespace graze
