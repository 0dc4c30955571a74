// A camera that rides on a body or character: the eye is on it, or behind it as far as no fixed member is in between.
#pragma once
#include <graze/scene.hpp>
#include "viewer/picture.hpp"

namespace graze::view {

struct Ride {
  const Scene& fixed;
  Vec3 seat;      ///< on the body
  Camera camera;  ///< the closed way from the seat to its eye meets nothing fixed
};

/// From `seat` towards `wanted`, as far as a small ball gets; `seat` itself where there is no room. The closed way there meets no member.
Vec3 eye_behind(const Scene& fixed, const Vec3& seat, const Vec3& wanted, double radius);

}  // namespace graze::view
