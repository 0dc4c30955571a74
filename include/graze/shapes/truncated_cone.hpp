// A solid cone without its tip.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// The convex hull of the discs of those radii about `a` and `b`, perpendicular to a b. Equal radii give a Cylinder, one radius 0 a
/// Cone. With a = b it is a point and requires radii 0, as a Cylinder does. Decided within the bound of docs/accuracy.md.
struct TruncatedCone {
  Vec3 a{0, 0, 0}, b{0, 0, 1};
  double radius_a = 0, radius_b = 0;  ///< length, >= 0

  static constexpr const char* type_name = "truncated_cone";
  [[nodiscard]] static constexpr auto fields() {
    return std::make_tuple(field("a", &TruncatedCone::a, Role::position), field("b", &TruncatedCone::b, Role::position),
                           field("radius_a", &TruncatedCone::radius_a, Role::extent), field("radius_b", &TruncatedCone::radius_b, Role::extent));
  }
};

}  // namespace graze
