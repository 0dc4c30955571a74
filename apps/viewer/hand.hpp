// Mouse interaction: picks what lies under the pointer, and applies drags of arrows and rings.
#pragma once
#include <optional>
#include <utility>
#include "viewer/demo.hpp"
#include "viewer/renderer.hpp"

namespace graze::view {

/// What of the demonstration lies under the pixel, and how far away; arrows and rings before shapes. `scale` is that of widths in pixels.
std::pair<std::optional<Handle>, double> pick(const Demo& demo, const Projection& projection, const glm::dvec2& pixel, double scale);

/// An arrow is drawn along its line, a ring about its axis, as far as the mouse goes from one direction to the other; `grip` is where the hand took it.
void pull(Demo& demo, const Handle& handle, const Vec3& grip, const Vec3& eye, const Vec3& before, const Vec3& now);

}  // namespace graze::view
