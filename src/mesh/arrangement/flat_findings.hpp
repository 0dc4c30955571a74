// A curved shape that is flat, and a body of triangles: what shows in the shape's plane.
#pragma once
#include <cstdint>
#include <span>

#include "convex/decide/curved_decide.hpp"
#include "mesh/arrangement/germs.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Whether the shape leaves the body (`a_leaves_b`) and has inner points of it (`inner`). A shape that is not flat is taken for the disc or the ellipse in
/// the plane across its shortest extent. `met`: the body's triangles that touch the shape. Exact for discs; for ellipses within 2^-41 of their radii.
Findings findings_of_flat(const Curved& a, const SurfaceOrSolid& b, std::span<const std::uint32_t> met);

}  // namespace graze
