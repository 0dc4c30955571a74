// Which shapes have signed distances.
#pragma once
#include <graze/shapes.hpp>

namespace graze {

/// Throws Error (unsupported_shape) for a mesh or height field, and for a compound with one.
void require_signed_distance(ShapeRef shape);

}  // namespace graze
