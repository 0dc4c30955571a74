// The kinds of shapes, and the simple shapes as plain structs: the same bytes as the C++ structs of <graze/shapes.hpp>.
// Written by tools/write_c_shapes.cpp from the fields of the shapes; do not edit. Include <graze/graze.h>.
#ifndef GRAZE_C_SHAPES_H
#define GRAZE_C_SHAPES_H
#include <graze/c/base.h>

// clang-format off
#ifdef __cplusplus
extern "C" {
#endif

/// The values of graze_kind, in the order of Kind in <graze/shapes.hpp>. Those without a struct below are handles only.
enum {
  GRAZE_POINT = 0,
  GRAZE_SEGMENT = 1,
  GRAZE_RAY = 2,
  GRAZE_LINE = 3,
  GRAZE_PLANE = 4,
  GRAZE_HALF_SPACE = 5,
  GRAZE_TRIANGLE = 6,
  GRAZE_POLYGON = 7,
  GRAZE_SPHERE = 8,
  GRAZE_BOX = 9,
  GRAZE_ORIENTED_BOX = 10,
  GRAZE_CAPSULE = 11,
  GRAZE_CYLINDER = 12,
  GRAZE_CONE = 13,
  GRAZE_ELLIPSOID = 14,
  GRAZE_HULL = 15,
  GRAZE_FRUSTUM = 16,
  GRAZE_MESH = 17,
  GRAZE_SOLID = 18,
  GRAZE_HEIGHT_FIELD = 19,
  GRAZE_WEDGE = 20,
  GRAZE_TRUNCATED_CONE = 21,
  GRAZE_COMPOUND = 22,
};

// All lengths have one unit, which the caller chooses. Vectors are x, y, z.

/// The set of one point.
typedef struct graze_point {
  double point[3];  ///< a point
} graze_point;

/// All points between `a` and `b`, inclusive; a point when they are equal. In ray casts t is 0 at `a` and 1 at `b`, and the
/// direction is the exact b - a.
typedef struct graze_segment {
  double a[3];  ///< a point
  double b[3];  ///< a point
} graze_segment;

/// All points origin + t * direction with t >= 0. The direction has any non-zero length and is not normalised:
/// t counts in lengths of the direction.
typedef struct graze_ray {
  double origin[3];  ///< a point
  double direction[3];  ///< any non-zero length
} graze_ray;

/// All points origin + t * direction with real t. The direction has any non-zero length.
typedef struct graze_line {
  double origin[3];  ///< a point
  double direction[3];  ///< any non-zero length
} graze_line;

/// All x with dot(normal, x - point) = 0. The normal has any non-zero length and points to the front.
typedef struct graze_plane {
  double point[3];  ///< a point
  double normal[3];  ///< any non-zero length
} graze_plane;

/// All x with dot(normal, x - point) <= 0. Solid; the normal has any non-zero length and points outwards.
typedef struct graze_half_space {
  double point[3];  ///< a point
  double normal[3];  ///< any non-zero length
} graze_half_space;

/// The convex hull of three points, counter-clockwise seen from the front. A triangle without area is the segment or point to which
/// it collapses.
typedef struct graze_triangle {
  double points[3][3];  ///< a point
} graze_triangle;

/// All points at most `radius` from `center`. Radius 0 gives the point.
typedef struct graze_sphere {
  double center[3];  ///< a point
  double radius;  ///< >= 0
} graze_sphere;

/// All x with min <= x <= max in every coordinate. Placed by a pose with columns R_i and translation T the box is
/// { T + sum s_i R_i : min_i <= s_i <= max_i }.
typedef struct graze_box {
  double min[3];  ///< a point
  double max[3];  ///< a point
} graze_box;

/// All center + sum t_i axes_i with |t_i| <= half_i. The axes are taken literally: they may have any length and any angle (a
/// parallelepiped), be zero or be dependent.
typedef struct graze_oriented_box {
  double center[3];  ///< a point
  double axes[3][3];  ///< any value
  double half[3];  ///< >= 0
} graze_oriented_box;

/// All points at most `radius` from the segment a b. Radius 0 gives the segment, a = b the ball.
typedef struct graze_capsule {
  double a[3];  ///< a point
  double b[3];  ///< a point
  double radius;  ///< >= 0
} graze_capsule;

/// All points at most `radius` from the line a b whose projection onto it lies between a and b.
/// With a = b the cylinder is a point and requires radius 0: a larger radius has no axis and is refused like a zero direction.
/// Decided within the bound of docs/accuracy.md.
typedef struct graze_cylinder {
  double a[3];  ///< a point
  double b[3];  ///< a point
  double radius;  ///< >= 0
} graze_cylinder;

/// The convex hull of the tip `b` and the disc of that radius about `a`, perpendicular to a b.
/// With a = b the cone is a point and requires radius 0, as a Cylinder does. Decided within the bound of docs/accuracy.md.
typedef struct graze_cone {
  double a[3];  ///< a point
  double b[3];  ///< a point
  double radius;  ///< >= 0
} graze_cone;

/// All points with sum ((x_i - center_i) / radii_i)^2 <= 1; a zero radius flattens it to a disc, segment or point.
/// Its axes are those of the frame; a pose rotates it. Decided within the bound of docs/accuracy.md.
typedef struct graze_ellipsoid {
  double center[3];  ///< a point
  double radii[3];  ///< >= 0
} graze_ellipsoid;

/// All corner + r edges_0 + s edges_1 + t edges_2 with r, s >= 0, r + s <= 1 and 0 <= t <= 1: a triangular prism, right-angled at
/// `corner` when the edges are perpendicular. The edges are taken literally, as the axes of an OrientedBox: they may have any length
/// and any angle, be zero or be dependent.
typedef struct graze_wedge {
  double corner[3];  ///< a point
  double edges[3][3];  ///< any value
} graze_wedge;

/// The convex hull of the discs of those radii about `a` and `b`, perpendicular to a b. Equal radii give a Cylinder, one radius 0 a
/// Cone. With a = b it is a point and requires radii 0, as a Cylinder does. Decided within the bound of docs/accuracy.md.
typedef struct graze_truncated_cone {
  double a[3];  ///< a point
  double b[3];  ///< a point
  double radius_a;  ///< >= 0
  double radius_b;  ///< >= 0
} graze_truncated_cone;

// A reference to each, not placed.
static inline graze_ref graze_point_ref(const graze_point* shape) { return graze_plain(GRAZE_POINT, shape); }
static inline graze_ref graze_segment_ref(const graze_segment* shape) { return graze_plain(GRAZE_SEGMENT, shape); }
static inline graze_ref graze_ray_ref(const graze_ray* shape) { return graze_plain(GRAZE_RAY, shape); }
static inline graze_ref graze_line_ref(const graze_line* shape) { return graze_plain(GRAZE_LINE, shape); }
static inline graze_ref graze_plane_ref(const graze_plane* shape) { return graze_plain(GRAZE_PLANE, shape); }
static inline graze_ref graze_half_space_ref(const graze_half_space* shape) { return graze_plain(GRAZE_HALF_SPACE, shape); }
static inline graze_ref graze_triangle_ref(const graze_triangle* shape) { return graze_plain(GRAZE_TRIANGLE, shape); }
static inline graze_ref graze_sphere_ref(const graze_sphere* shape) { return graze_plain(GRAZE_SPHERE, shape); }
static inline graze_ref graze_box_ref(const graze_box* shape) { return graze_plain(GRAZE_BOX, shape); }
static inline graze_ref graze_oriented_box_ref(const graze_oriented_box* shape) { return graze_plain(GRAZE_ORIENTED_BOX, shape); }
static inline graze_ref graze_capsule_ref(const graze_capsule* shape) { return graze_plain(GRAZE_CAPSULE, shape); }
static inline graze_ref graze_cylinder_ref(const graze_cylinder* shape) { return graze_plain(GRAZE_CYLINDER, shape); }
static inline graze_ref graze_cone_ref(const graze_cone* shape) { return graze_plain(GRAZE_CONE, shape); }
static inline graze_ref graze_ellipsoid_ref(const graze_ellipsoid* shape) { return graze_plain(GRAZE_ELLIPSOID, shape); }
static inline graze_ref graze_wedge_ref(const graze_wedge* shape) { return graze_plain(GRAZE_WEDGE, shape); }
static inline graze_ref graze_truncated_cone_ref(const graze_truncated_cone* shape) { return graze_plain(GRAZE_TRUNCATED_CONE, shape); }

#ifdef __cplusplus
}
#endif
// clang-format on

#endif
