// Triangle against triangle, exact: the innermost test of all mesh queries.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze {

/// Whether the closed triangles share a point. Any degeneracy.
bool triangles_intersect(const Triangle& a, const Triangle& b);

/// Whether the triangles pierce each other: they lie in different planes and share a point interior to both (on no edge, no corner).
bool triangles_cross(const Triangle& a, const Triangle& b);

/// Requires that the two triangles share corner a.points[0] == b.points[0] (equal coordinates) and no other corner. Returns whether their intersection is more
/// than that corner.
bool intersect_beyond_vertex(const Triangle& a, const Triangle& b);

/// Requires that the triangles share the edge a.points[0..1] == b.points[0..1] (equal coordinates). Returns whether their intersection is more than that edge
/// (folded flat onto each other).
bool intersect_beyond_edge(const Triangle& a, const Triangle& b);

}  // namespace graze
