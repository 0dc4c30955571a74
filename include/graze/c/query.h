// The C interface: queries about one or two shapes, rays, and triangles of meshes. Include <graze/graze.h>.
#ifndef GRAZE_C_QUERY_H
#define GRAZE_C_QUERY_H
#include <graze/c/base.h>
#include <graze/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- two shapes --------------------------------------------------------------------------------------------------------------------------

/// Whether the closed sets share a point. Exact; with a curved shape within the bound of docs/accuracy.md. *out is 0 or 1, here and below.
GRAZE_API graze_status graze_intersects(const graze_ref* a, const graze_ref* b, int* out);

/// Whether the distance is at most `distance` (length, finite, >= 0). The true distance is compared, not a rounded one.
GRAZE_API graze_status graze_within(const graze_ref* a, const graze_ref* b, double distance, int* out);

/// Whether the shape contains the point.
GRAZE_API graze_status graze_contains(const graze_ref* solid, const double point[3], int* out);

/// A distance and a pair of closest points.
typedef struct graze_closest_points {
  double distance;  ///< length, >= 0; 0 exactly when the sets intersect; infinite only when a set is empty
  double on_a[3];   ///< witness on A; equal to on_b when the sets intersect
  double on_b[3];
  int64_t triangle_a, triangle_b;  ///< of meshes; -1 for other shapes
} graze_closest_points;

/// The distance, with a relative error of at most 1e-15 or one denormal, and closest points.
GRAZE_API graze_status graze_closest(const graze_ref* a, const graze_ref* b, graze_closest_points* out);

/// How two shapes lie to each other, in the order of Relation in <graze/query/relation.hpp>.
typedef enum graze_relation_kind {
  GRAZE_DISJOINT = 0,
  GRAZE_TOUCHING,     ///< common points, but no inner point of one belongs to the other
  GRAZE_OVERLAPPING,  ///< neither contains the other
  GRAZE_A_IN_B,
  GRAZE_B_IN_A,
  GRAZE_IDENTICAL
} graze_relation_kind;

/// How A lies to B. Exact, with the limits that <graze/query/relation.hpp> states. `progress` may be null.
GRAZE_API graze_status graze_relation(const graze_ref* a, const graze_ref* b, graze_progress progress, void* user, graze_relation_kind* out);
/// Returns "disjoint", "touching", ...; null for an unknown value.
GRAZE_API const char* graze_relation_name(graze_relation_kind relation);

/// Why there is no penetration.
typedef enum graze_no_penetration { GRAZE_PENETRATES = 0, GRAZE_APART, GRAZE_TOUCHES, GRAZE_UNBOUNDED } graze_no_penetration;
typedef struct graze_penetration_result {
  graze_no_penetration reason;  ///< GRAZE_PENETRATES if the following members are set
  double depth;                 ///< length, > 0
  double normal[3];             ///< unit length, from B to A
  double vector[3];             ///< translation of A after which A and B at most touch, verified exactly
} graze_penetration_result;

/// A translation that separates two shapes: of convex ones the least up to a factor of 1 + 1e-9 (1 + 1e-3 for curved ones).
GRAZE_API graze_status graze_penetration(const graze_ref* a, const graze_ref* b, graze_penetration_result* out);

typedef struct graze_contact {
  double point[3];   ///< midpoint of the deepest points of both shapes
  double normal[3];  ///< unit length, from B to A; zero where the depth is infinite
  double depth;      ///< length, >= 0; 0 when the shapes merely touch
  int64_t triangle_a, triangle_b;
} graze_contact;

/// One contact for a convex pair that intersects, and with a mesh one per touching triangle. Free *out by graze_free().
GRAZE_API graze_status graze_contacts(const graze_ref* a, const graze_ref* b, graze_contact** out, size_t* count);

typedef struct graze_manifold_point {
  double point[3];  ///< halfway between the surfaces along the normal
  double depth;     ///< length, >= 0
} graze_manifold_point;
typedef struct graze_contact_manifold {
  double normal[3];  ///< of all points: unit length, from B to A; zero where the depth is infinite
  const graze_manifold_point* points;
  size_t point_count;
  int64_t triangle_a, triangle_b;
} graze_contact_manifold;

/// The points where two shapes meet, at most four of each manifold unless `all_points`. graze_free() of *out frees the points, too.
GRAZE_API graze_status graze_manifold(const graze_ref* a, const graze_ref* b, int all_points, graze_contact_manifold** out, size_t* count);

/// What a query found out about a pair of shapes, for the next call about the same pair in the same order, as in every frame of a simulation: see PairHint in
/// <graze/pair_hint.hpp>. All zeros at first. No answer depends on a hint, to the bit, whatever it holds; its members are an affair of the library.
typedef struct graze_pair_hint {
  uint8_t kind, ends_a[3], ends_b[3];
  uint32_t corner_a[3], corner_b[3];
  double direction[3];
} graze_pair_hint;

/// graze_penetration() with a hint, which the call replaces: faster for two shapes of which one is a hull, frustum or wedge.
GRAZE_API graze_status graze_penetration_with_hint(const graze_ref* a, const graze_ref* b, graze_pair_hint* hint, graze_penetration_result* out);
/// graze_closest() with a hint, which the call replaces: faster for two shapes of which one is a hull, frustum, wedge, triangle or box, as long as they are
/// apart.
GRAZE_API graze_status graze_closest_with_hint(const graze_ref* a, const graze_ref* b, graze_pair_hint* hint, graze_closest_points* out);

/// A manifold of at most four points in a place of fixed size.
typedef struct graze_fixed_manifold {
  double normal[3];  ///< of all points: unit length, from B to A; zero where the depth is infinite
  graze_manifold_point points[4];
  size_t point_count;
  int64_t triangle_a, triangle_b;
} graze_fixed_manifold;

/// The manifolds of graze_manifold() with at most four points each, in memory of the caller: the first `room` ones. *count becomes the number of all: 0 or 1
/// for two shapes of which none is a mesh, solid, height field, polygon or compound. `hint` may be null; else the call replaces it.
GRAZE_API graze_status graze_manifold_into(const graze_ref* a, const graze_ref* b, graze_pair_hint* hint, graze_fixed_manifold* out, size_t room,
                                           size_t* count);

typedef enum graze_side { GRAZE_BEHIND = 0, GRAZE_INTERSECTS_PLANE, GRAZE_IN_FRONT } graze_side;
typedef struct graze_classification {
  graze_side side;
  double distance;  ///< signed, positive on the side of the normal: of a Sphere's centre, else of the nearest point
} graze_classification;
/// The side of the plane on which the shape lies.
GRAZE_API graze_status graze_classify_plane(const graze_ref* shape, const graze_plane* plane, graze_classification* out);

typedef enum graze_visibility { GRAZE_OUTSIDE = 0, GRAZE_CROSSING, GRAZE_INSIDE } graze_visibility;
/// Whether the shape lies outside, across the boundary of or wholly inside a frustum.
GRAZE_API graze_status graze_classify_frustum(const graze_ref* shape, const graze_shape* frustum, graze_visibility* out);

// ---- one shape ---------------------------------------------------------------------------------------------------------------------------

/// The distance of a point from the boundary of a solid: negative inside; the sign is exact. Refuses meshes and height fields, which have no inside.
GRAZE_API graze_status graze_signed_distance(const double point[3], const graze_ref* solid, double* out);
/// The smallest box of doubles that contains the shape. Infinite for unbounded shapes; min > max for an empty mesh.
GRAZE_API graze_status graze_bounding_box(const graze_ref* shape, graze_box* out);
/// A sphere that contains the shape.
GRAZE_API graze_status graze_bounding_sphere(const graze_ref* shape, graze_sphere* out);
/// The minimal enclosing sphere of points.
GRAZE_API graze_status graze_minimal_sphere(const double* points, size_t count, size_t stride, graze_sphere* out);
/// The double nearest to the exact volume (length^3) of a solid, box, oriented box, hull or frustum.
GRAZE_API graze_status graze_volume(const graze_ref* solid, double* out);
/// The integral of the winding number over space (length^3) of a solid.
GRAZE_API graze_status graze_signed_volume(const graze_ref* solid, double* out);
/// The area (length^2).
GRAZE_API graze_status graze_area(const graze_ref* shape, double* out);
/// The centroid; *has is 0, and out unchanged, if the volume or area is exactly 0.
GRAZE_API graze_status graze_centroid(const graze_ref* shape, double out[3], int* has);
/// The plane of a triangle; *has is 0, and out unchanged, for a triangle without area.
GRAZE_API graze_status graze_plane_of(const graze_triangle* triangle, graze_plane* out, int* has);
/// The equation a x + b y + c z + d = 0 of a plane: a b c is exactly its normal, d is rounded once to the nearest double. Where d would overflow, all four are
/// divided by one power of two.
GRAZE_API graze_status graze_plane_equation(const graze_plane* plane, double out[4]);
/// The plane of an equation: the normal is exactly a b c, and the point lies on the axis of its largest component n, at -d / n rounded once. Refuses NaN,
/// infinity, a = b = c = 0, and a point beyond the largest double.
GRAZE_API graze_status graze_plane_from_equation(const double equation[4], graze_plane* out);
/// The unit normal of a triangle on the side of the viewpoint; *has is 0 for a triangle without area.
GRAZE_API graze_status graze_unit_normal(const graze_triangle* triangle, const double viewpoint[3], double out[3], int* has);
/// v mirrored at a plane with that normal. Never longer than v.
GRAZE_API graze_status graze_reflect(const double v[3], const double normal[3], double out[3]);

// ---- rays --------------------------------------------------------------------------------------------------------------------------------

/// The sides from which triangles are hit.
typedef int32_t graze_sides;
enum { GRAZE_SIDES_BOTH = 0, GRAZE_SIDES_FRONT = 1, GRAZE_SIDES_BACK = 2 };

/// A triangle that a ray or sweep is about to hit.
typedef struct graze_target_triangle {
  uint32_t triangle;
  uint32_t user;   ///< 0 where the mesh has none
  int64_t child;   ///< of a compound, else -1
  int64_t member;  ///< of a scene, else -1
} graze_target_triangle;
/// Returns whether the triangle may be hit. Must return the same for the same triangle; called in any order and from several threads.
typedef int (*graze_triangle_filter)(const graze_target_triangle* triangle, void* user);

typedef struct graze_ray_options {
  size_t size;
  double t_max;  ///< inclusive, compared with the true t; not NaN
  graze_sides sides;
  graze_triangle_filter accept;  ///< null: all triangles
  void* accept_user;
  double t_min;  ///< the ray begins at origin + t_min * direction, exactly; a ray and a segment begin at 0 anyway; not NaN. Nothing is hit beyond t_max
} graze_ray_options;
#define GRAZE_RAY_OPTIONS_INIT \
  { sizeof(graze_ray_options), HUGE_VAL, GRAZE_SIDES_BOTH, NULL, NULL, -HUGE_VAL }

/// Where a ray meets a shape. Without a hit, `hit` is 0, t is infinite, indices are -1 and all else is 0.
typedef struct graze_hit {
  int hit;
  int front;              ///< of a triangle, polygon, mesh or plane: the direction is against the normal. Of others: the ray came from outside
  int started_inside;     ///< the closed sets intersect where the ray begins; never set for a line without t_min
  uint32_t user;          ///< of a mesh: the user number of the triangle; 0 where it has none
  double t;               ///< the largest double not above the true parameter, in lengths of the direction (of a segment: 0..1)
  double point[3];        ///< rounded
  int has_normal;         ///< 0 when the ray started inside
  int has_barycentric;    ///< 1 where `triangle` is set
  double normal[3];       ///< unit length, against the ray
  double barycentric[3];  ///< weights of the triangle's corners
  int64_t triangle;       ///< of a mesh, height field or polygon fan: the lowest that is hit first
  int64_t part;           ///< of a mesh
  int64_t child;          ///< of a compound
} graze_hit;

/// What most callers need of a graze_hit. The rest takes a twentieth to a fifth of a ray's time on a mesh.
typedef struct graze_brief_hit {
  double t;           ///< as in graze_hit; infinity: nothing is hit
  uint32_t triangle;  ///< as in graze_hit; UINT32_MAX where that is -1
  uint32_t child;     ///< the same
} graze_brief_hit;

/// The first hit of a ray, segment or line, placed or not. Hit or miss is exact; ties go to the lowest index.
GRAZE_API graze_status graze_raycast(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, graze_hit* out);
/// t and the triangle of the hit that graze_raycast() finds, with the same bits.
GRAZE_API graze_status graze_raycast_brief(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, graze_brief_hit* out);
/// Whether there is a hit. Faster.
GRAZE_API graze_status graze_raycast_any(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, int* out);
/// All hits in exact order of t, then index. Free *out by graze_free().
GRAZE_API graze_status graze_raycast_all(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, graze_hit** out, size_t* count);

// ---- triangles of meshes -----------------------------------------------------------------------------------------------------------------

typedef struct graze_triangle_pair {
  uint32_t a, b;
} graze_triangle_pair;
/// Receives a pair; see the members of graze_pair_options.
typedef int (*graze_pair_function)(uint32_t a, uint32_t b, void* user);

typedef struct graze_pair_options {
  size_t size;
  size_t limit;                ///< maximum number; the first ones in order
  graze_pair_function filter;  ///< drops pairs for which it returns 0; called from several threads
  void* filter_user;
  graze_pair_function visit;  ///< called in order; returning 0 ends the query
  void* visit_user;
  graze_progress progress;
  void* progress_user;
} graze_pair_options;
#define GRAZE_PAIR_OPTIONS_INIT \
  { sizeof(graze_pair_options), SIZE_MAX, NULL, NULL, NULL, NULL, NULL, NULL }

/// All pairs of triangles of A and B that share a point, ascending. A and B are each a mesh, height field or the surface of a solid. Free *out by graze_free().
GRAZE_API graze_status graze_intersecting_triangles(const graze_ref* a, const graze_ref* b, const graze_pair_options* options, graze_triangle_pair** out,
                                                    size_t* count);
/// All pairs of triangles of one mesh that intersect in more than the corners or the edge that both share.
GRAZE_API graze_status graze_self_intersections(const graze_ref* mesh, const graze_pair_options* options, graze_triangle_pair** out, size_t* count);
/// How many pairs those functions list, counted up to `most`; *more is 1 if there are more.
GRAZE_API graze_status graze_count_intersecting_triangles(const graze_ref* a, const graze_ref* b, uint64_t most, graze_progress progress, void* user,
                                                          uint64_t* count, int* more);
GRAZE_API graze_status graze_count_self_intersections(const graze_ref* mesh, uint64_t most, graze_progress progress, void* user, uint64_t* count, int* more);
/// Whether two triangles cross: they lie in different planes and share a point inside both.
GRAZE_API graze_status graze_crosses(const graze_triangle* a, const graze_triangle* b, int* out);
/// The triangles of a mesh within `distance` of a shape, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_triangles_within(const graze_ref* shape, const graze_ref* mesh, double distance, uint32_t** out, size_t* count);
/// The `most` triangles nearest to a shape, none farther than `distance` (HUGE_VAL: any), by distance. Free *out by graze_free().
GRAZE_API graze_status graze_closest_triangles(const graze_ref* shape, const graze_ref* mesh, size_t most, double distance, graze_closest_points** out,
                                               size_t* count);

// ---- guarantees and statistics -----------------------------------------------------------------------------------------------------------

/// What a query guarantees for a pair of kinds, in the order of Guarantee in <graze/guarantees.hpp>.
typedef enum graze_guarantee_kind { GRAZE_REFUSED = 0, GRAZE_EXACT, GRAZE_CERTIFIED, GRAZE_BOUNDED, GRAZE_OF_CHILDREN } graze_guarantee_kind;
/// The guarantee of the query of that name ("closest", "raycast", ...). For a query about one shape both are its kind.
GRAZE_API graze_status graze_guarantee(const char* query, graze_kind a, graze_kind b, graze_guarantee_kind* out);
/// Returns one word, and one sentence; null for an unknown value.
GRAZE_API const char* graze_guarantee_name(graze_guarantee_kind which);
GRAZE_API const char* graze_guarantee_text(graze_guarantee_kind which);
/// Returns the name of query 0, 1, ..., null after the last.
GRAZE_API const char* graze_query_name(int query);

/// Decisions of the calling thread by the tier of arithmetic that made them.
typedef struct graze_tier_counts {
  uint64_t filter, pairs, fixed, big;
} graze_tier_counts;
GRAZE_API graze_status graze_get_tier_counts(graze_tier_counts* out);
GRAZE_API void graze_reset_tier_counts(void);
/// How often the calling thread has entered SIMD tests of tree nodes, at the level in use and at any other.
typedef struct graze_kernel_use {
  const char* level;
  uint64_t entered, elsewhere;
} graze_kernel_use;
GRAZE_API graze_status graze_get_kernel_use(graze_kernel_use* out);

#ifdef __cplusplus
}
#endif

#endif
