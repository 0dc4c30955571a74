// Mouse interaction: picks what lies under the pointer, and applies drags of arrows and rings.
#pragma once
#include <optional>
#include <utility>
#include "viewer/demo.hpp"
#include "viewer/renderer.hpp"

namespace graze::view {

/// The handle under the pixel and its distance; arrows and rings take precedence over shapes. `scale` scales widths in pixels.
std::pair<std::optional<Handle>, double> pick(const Demo& demo, const Projection& projection, const glm::dvec2& pixel, double scale);

/// Drags an arrow along its line or a ring about its axis, by the motion of the mouse between two directions. `grip` is the grabbed point.
void pull(Demo& demo, const Handle& handle, const Vec3& grip, const Vec3& eye, const Vec3& before, const Vec3& now);

}  // namespace graze::view
