// A line segment.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// All points between `a` and `b`, inclusive; a point when they are equal. In ray casts t is 0 at `a` and 1 at `b`, and the
/// direction is the exact b - a.
struct Segment {
  Vec3 a{0, 0, 0}, b{0, 0, 0};

  static constexpr const char* type_name = "segment";
  [[nodiscard]] static constexpr auto fields() { return std::make_tuple(field("a", &Segment::a, Role::position), field("b", &Segment::b, Role::position)); }
};

}  // namespace graze
