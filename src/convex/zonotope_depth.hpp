// Least separating translations in closed form: of points, segments and parallelepipeds with balls, in doubles with a proven bound.
#pragma once
#include <optional>

#include "convex/penetration.hpp"
#include "convex/zonotope.hpp"

namespace graze {

/// The result of `penetration`, or nothing where doubles do not prove it. Exchanging both negates the result exactly. Of two parallelepipeds it prefers the
/// normals of faces where one is as good as the normal of a pair of edges, up to 2^-36 of the depth.
template <int N, int M>
std::optional<ProvenDepth> zonotope_depth(const Zonotope<N>& a, const Zonotope<M>& b);

/// Whether the convex set is a box, oriented or not.
inline bool is_parallelepiped(const ConvexSet& c) { return c.points == 1 && c.segments == 3 && c.directions == 0 && c.radius == 0; }
/// Whether it is a point or a segment with a ball, or a box.
inline bool is_zonotope(const ConvexSet& c) { return (c.points <= 2 && c.segments == 0 && c.directions == 0) || is_parallelepiped(c); }
/// Requires two of these.
std::optional<ProvenDepth> zonotope_depth(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
