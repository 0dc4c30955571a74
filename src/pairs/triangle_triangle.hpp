// Triangle against triangle, exact: the hot leaf of all mesh queries.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze {

/// Do the closed triangles share a point? Any degeneracy.
bool triangles_intersect(const Triangle& a, const Triangle& b);

/// Do the triangles pierce each other: do they lie in different planes and share a point of the inside of both (no edge, no corner)?
bool triangles_cross(const Triangle& a, const Triangle& b);

/// The two triangles share corner a.points[0] == b.points[0] (equal coordinates) and no other corner: is their intersection more than that corner?
bool intersect_beyond_vertex(const Triangle& a, const Triangle& b);

/// They share the edge a.points[0..1] == b.points[0..1] (equal coordinates): is their intersection more than that edge (folded flat onto each other)?
bool intersect_beyond_edge(const Triangle& a, const Triangle& b);

}  // namespace graze
