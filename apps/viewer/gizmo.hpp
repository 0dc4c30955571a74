// Handles on a shape: three arrows that move it along an axis, and three rings that rotate it about one.
#pragma once
#include <vector>

#include "viewer/demo.hpp"

namespace graze::view {

inline constexpr int kGizmo = 1000;  // ids of its handles: arrows along x, y, z from here on, then the rings about them

/// What the mouse takes hold of: capsules, and rings of capsules. They act on the handle `target`.
std::vector<Handle> gizmo_handles(const Vec3& center, double size, int target);

/// Draws them; the one under the mouse (an id, -1: none) stands out.
void add_gizmo(Picture& picture, const Vec3& center, double size, int hovered);

}  // namespace graze::view
