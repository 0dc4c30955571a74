// The methods of the old listings, reimplemented from their descriptions with the defects that docs/heritage.md names. For comparison only; nothing else may
// call them. Single precision, as in the listings.
#pragma once
#include <graze/shapes.hpp>
#include <optional>
#include <span>

namespace graze::texts::old {

// ---- K: hierarchical collision of whole objects ----

/// Middle of the diagonal as (A + G) / 2: overflows.
Vec3 middle(const Vec3& a, const Vec3& g);
/// Centre of a triangle as in the text: the sum of the corners divided by 2.
Vec3 middle_of_triangle(const Triangle& t);
/// Compares squares with a radius that was rounded to nearest: a sphere of radius sqrt(square) around the origin and a point.
bool rounded_sphere_contains(double square, const Vec3& point);
/// The text's reversed comparison: "sum of the radii greater than the distance: no penetration".
bool spheres_penetrate(const Sphere& a, const Sphere& b);
/// The parameter of the line through a and b at the plane's height (t = 0 at b, t = 1 at a), without a test for zero.
double line_plane(const Vec3& a, const Vec3& b, const Plane& plane);
/// The height at which a line parallel to y meets a plane: divides by the normal's y.
double height_on_plane(double x, double z, const Plane& plane);
/// Whether the point (x, y) is in the triangle, in x,y coordinates. Edges as y = m x + n; a point on a vertical edge counts as outside.
bool point_in_flat_triangle(const Triangle& t, double x, double y);
/// One direction: the edges of `edges` against `t`. Projects along the component of the normal that is largest after truncation; stops at the first edge whose
/// line meets the plane inside the triangle; skips parallel edges.
bool edges_meet(const Triangle& edges, const Triangle& t);
/// Both directions.
bool triangles_meet(const Triangle& a, const Triangle& b);

// ---- S: a sphere against a polygon ----

/// Signed distance of a point from the plane of the first three corners.
double plane_distance(std::span<const Vec3> polygon, const Vec3& point);
/// 0 behind, 1 intersects, 2 front; by strict comparison.
int classify_sphere(const Sphere& sphere, std::span<const Vec3> polygon);
/// Plane of the first three corners, then the sum of angles at the projected centre, then the edges; strict comparisons.
bool sphere_meets_polygon(const Sphere& sphere, std::span<const Vec3> polygon);

// ---- U: a moving point against a mesh ----

/// The point of a triangle that a moving point hits; the origin means "none". The start does not count.
Vec3 moving_point_hits(const Vec3& from, const Vec3& by, const Triangle& t);
/// Mirrors v by the angle to the normal: 2 |v| cos(arccos(..)) times a normal that is not scaled to unit length.
Vec3 reflect(const Vec3& v, const Vec3& normal);
/// The angle between two directions by arccos of the normalised product.
double angle(const Vec3& a, const Vec3& b);
/// The stop test: reads x twice and never z.
bool has_stopped(const Vec3& velocity);
/// A normal whose z is chosen as 1.
Vec3 normal_with_free_z(const Triangle& t);

// ---- P: primitive tests ----

bool box_has_point(const Box& box, const Vec3& point);        // strict
bool box_meets_sphere(const Box& box, const Sphere& sphere);  // adds distances per axis instead of their squares
/// Separating axes; the sums of radii are rounded to single precision, the distances are not.
bool cube_meets_segment(double half, const Segment& segment);
bool sphere_has_point(const Sphere& sphere, const Vec3& point);
bool spheres_meet(const Sphere& a, const Sphere& b);  // strict
/// Distance from the line, and a projection within the length widened by the radius at both ends; strict.
bool sphere_meets_segment(const Sphere& sphere, const Segment& segment);

}  // namespace graze::texts::old
