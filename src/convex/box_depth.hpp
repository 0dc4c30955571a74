// Least separating translation of two boxes by separating axes, in doubles with a proven bound.
#pragma once
#include <optional>

#include "convex/penetration.hpp"

namespace graze {

/// Whether the convex set is a parallelepiped: a box, oriented or not.
inline bool is_parallelepiped(const ConvexSet& c) { return c.points == 1 && c.segments == 3 && c.directions == 0 && c.radius == 0; }

/// The result of `penetration` for two parallelepipeds, or nothing where doubles do not prove it. Prefers the normals of faces where one is as good as the
/// normal of a pair of edges, up to 2^-36 of the depth.
std::optional<ConvexPenetration> box_depth(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
