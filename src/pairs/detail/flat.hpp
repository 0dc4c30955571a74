// Exact tests among triangles, segments and points for coplanar and degenerate input: the slow but complete cases behind the fast paths of the pair tests.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze::flat {

/// Returns the coordinate to drop so that the projection of a, b, c keeps an area, trying the largest component of the normal first; -1 when the three are
/// collinear.
int drop_axis(const Vec3& a, const Vec3& b, const Vec3& c);

inline bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) { return drop_axis(a, b, c) < 0; }

/// A closed segment; a point when both ends are equal.
struct Ends {
  Vec3 p, q;
};
/// The segment or point that a triangle without area is.
Ends ends_of(const Triangle& degenerate);

bool point_on_segment(const Vec3& point, const Ends& s);
bool segments_meet(const Ends& s, const Ends& t);

/// Requires a triangle with an area and axis `drop`, and a point in its plane.
bool planar_triangle_contains(const Triangle& triangle, int drop, const Vec3& point);
/// Segment (or point) against a triangle with an area and axis `drop`, in any position.
bool segment_meets_triangle(const Ends& s, const Triangle& triangle, int drop);
/// Requires two triangles with an area that lie in one plane with axis `drop`.
bool coplanar_triangles_meet(const Triangle& a, const Triangle& b, int drop);

}  // namespace graze::flat
