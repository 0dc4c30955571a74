// A camera that rides on a body or character: the eye is on it, or behind it as far as no fixed member is in between.
#pragma once
#include <graze/scene.hpp>
#include "viewer/picture.hpp"

namespace graze::view {

struct Ride {
  const Scene& fixed;
  Vec3 seat;      ///< position on the body
  Camera camera;  ///< the closed segment from the seat to this eye meets no fixed member
};

/// The point between `seat` and `wanted` that a small ball can reach; `seat` where there is no room. The closed segment to it meets no member.
Vec3 eye_behind(const Scene& fixed, const Vec3& seat, const Vec3& wanted, double radius);

}  // namespace graze::view
