// Handles on a shape: three arrows that move it along an axis, and three rings that rotate it about one.
#pragma once
#include <vector>

#include "viewer/demo.hpp"

namespace graze::view {

inline constexpr int kGizmo = 1000;  // first id of its handles: arrows along x, y, z, then the rings about these axes

/// The pickable geometry: capsules, and rings of capsules. They act on the handle `target`.
std::vector<Handle> gizmo_handles(const Vec3& center, double size, int target);

/// Draws them and highlights the one under the mouse (an id; -1: none).
void add_gizmo(Picture& picture, const Vec3& center, double size, int hovered);

}  // namespace graze::view
