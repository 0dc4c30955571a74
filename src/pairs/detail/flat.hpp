// Exact tests among triangles, segments and points, where things lie in one plane or have no area: the slow but complete cases behind the hot paths of this
// folder.
#pragma once
#include <graze/shapes/triangle.hpp>

namespace graze::flat {

/// The coordinate to drop so that the projection of a, b, c keeps an area, the largest component of the normal first; -1 when the three are collinear.
int drop_axis(const Vec3& a, const Vec3& b, const Vec3& c);

/// Lexicographic order: along a line it is the order of its points, one way or the other.
inline bool less(const Vec3& p, const Vec3& q) {
  if (p.x != q.x) return p.x < q.x;
  if (p.y != q.y) return p.y < q.y;
  return p.z < q.z;
}
inline bool equal(const Vec3& p, const Vec3& q) { return p.x == q.x && p.y == q.y && p.z == q.z; }
inline bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) { return drop_axis(a, b, c) < 0; }

/// A closed segment, a point when both ends are equal.
struct Ends {
  Vec3 p, q;
};
/// What a triangle without area is.
Ends ends_of(const Triangle& degenerate);

bool point_on_segment(const Vec3& point, const Ends& s);
bool segments_meet(const Ends& s, const Ends& t);

/// The triangle has an area, `drop` is its axis, and the point lies in its plane.
bool planar_triangle_contains(const Triangle& triangle, int drop, const Vec3& point);
/// Segment (or point) against a triangle with an area whose axis is `drop`; any position.
bool segment_meets_triangle(const Ends& s, const Triangle& triangle, int drop);
/// Both have an area and lie in one plane with this axis.
bool coplanar_triangles_meet(const Triangle& a, const Triangle& b, int drop);

}  // namespace graze::flat
