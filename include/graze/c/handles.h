// The C interface: shapes that the library owns (meshes, solids, hulls, ...), their data, and reports on meshes. Include <graze/graze.h>.
#ifndef GRAZE_C_HANDLES_H
#define GRAZE_C_HANDLES_H
#include <graze/c/base.h>
#include <graze/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

// A graze_shape is immutable and counted: each function that returns one returns a reference of the caller's, to be released. Any number of threads may use and
// release it. Copies of meshes, solids, hulls, polygons, frusta, height fields and compounds (in scenes, compounds and solids) share their data.

// ---- any kind ----------------------------------------------------------------------------------------------------------------------------

/// Makes an owned copy of the shape that `ref` refers to, without its pose. Refuses a shape that is not valid, and a placed one.
GRAZE_API graze_status graze_shape_create(const graze_ref* ref, graze_shape** out);

/// Adds a reference; returns the shape. Null is allowed.
GRAZE_API graze_shape* graze_shape_retain(graze_shape* shape);

/// Drops a reference, the last of which frees the shape. Null is allowed.
GRAZE_API void graze_shape_release(graze_shape* shape);

/// The kind: GRAZE_SPHERE, GRAZE_MESH, ..., never GRAZE_HANDLE.
GRAZE_API graze_status graze_shape_kind(const graze_shape* shape, graze_kind* out);

/// Returns the name of a kind as in the query format, such as "sphere"; null for an unknown one.
GRAZE_API const char* graze_kind_name(graze_kind kind);

/// The plain struct of a shape of the simple kind `kind`, in memory of the shape. Refuses a shape of another kind.
GRAZE_API graze_status graze_shape_plain(const graze_shape* shape, graze_kind kind, const void** out);

// ---- boxes -------------------------------------------------------------------------------------------------------------------------------

/// The box with that centre and half size per axis, rounded outward so that it contains the exact one.
GRAZE_API graze_status graze_box_from_center(const double center[3], const double half[3], graze_box* out);
/// The box with that lowest corner and size per axis; `max` is rounded outward.
GRAZE_API graze_status graze_box_from_corner(const double corner[3], const double size[3], graze_box* out);
/// Corner 0 (A) to 7 (H): A min,min,min, B min,max,min, C max,max,min, D max,min,min; E to H the same with max in z.
GRAZE_API graze_status graze_box_corner(const graze_box* box, int corner, double out[3]);
/// The middle of the diagonal, each coordinate correctly rounded.
GRAZE_API graze_status graze_box_center(const graze_box* box, double out[3]);

// ---- shapes of points --------------------------------------------------------------------------------------------------------------------
// Points are three doubles each, `stride` bytes apart.

/// The convex hull of one or more points in any arrangement.
GRAZE_API graze_status graze_hull_create(const double* points, size_t count, size_t stride, graze_progress progress, void* user, graze_shape** out);
/// A polygon. Refuses fewer than 3 corners and a concave or self-crossing outline: graze_triangulate() cuts those.
GRAZE_API graze_status graze_polygon_create(const double* points, size_t count, size_t stride, graze_shape** out);
/// A view frustum of 8 corners: the near face with (left,bottom) (right,bottom) (right,top) (left,top), then the far face in the same order.
GRAZE_API graze_status graze_frustum_create(const double* points, size_t count, size_t stride, graze_shape** out);
/// The frustum of a symmetric perspective view from `eye` towards `target`, by the tangent of half the vertical angle and width / height.
GRAZE_API graze_status graze_frustum_perspective(const double eye[3], const double target[3], const double up[3], double tan_half_height, double aspect,
                                                 double near_distance, double far_distance, graze_shape** out);
/// A plane of a frustum: 0 near, 1 far, 2 left, 3 right, 4 bottom, 5 top. The normal points outwards.
GRAZE_API graze_status graze_frustum_plane(const graze_shape* frustum, int which, graze_plane* out);

/// The points of a hull, polygon or frustum as given, packed, in memory of the shape.
GRAZE_API graze_status graze_shape_points(const graze_shape* shape, const double** points, size_t* count);
/// The extreme points of a hull or frustum as indices into its points, in memory of the shape.
GRAZE_API graze_status graze_hull_corners(const graze_shape* hull, const uint32_t** corners, size_t* count);
/// The triangles of the boundary of a hull or frustum, three indices into its points each, in memory of the shape. `count` is that of triangles.
GRAZE_API graze_status graze_hull_triangles(const graze_shape* hull, const uint32_t** triangles, size_t* count);
/// 0 for a point, 1 for a segment, 2 for a flat hull, 3 for a hull with volume.
GRAZE_API graze_status graze_hull_dimension(const graze_shape* hull, int* out);

// ---- meshes ------------------------------------------------------------------------------------------------------------------------------

typedef int32_t graze_index_type;
enum { GRAZE_UINT32 = 0, GRAZE_INT32 = 1, GRAZE_INT64 = 2 };

/// How the tree of a mesh is built; answers do not depend on it.
typedef int32_t graze_build;
enum {
  GRAZE_BUILD_BEST = 0,
  GRAZE_BUILD_FAST = 1  ///< in a third of the time; rays and closest points are 10 to 15 % slower
};

/// A named run of triangles, [first, first + count).
typedef struct graze_mesh_part {
  const char* name;
  uint32_t first, count;
} graze_mesh_part;

/// A mesh as arrays of the caller's, which are copied.
typedef struct graze_mesh_input {
  size_t size;  ///< sizeof(graze_mesh_input)
  const void* vertices;
  size_t vertex_count, vertex_stride;
  int single_precision;   ///< the coordinates are floats
  const void* triangles;  ///< three vertex numbers each
  size_t triangle_count, triangle_stride;
  graze_index_type index_type;
  const graze_mesh_part* parts;  ///< ascending, without overlap; may be null
  size_t part_count;
  const uint32_t* user;  ///< a number for each triangle, such as a material; may be null
  graze_build build;
  graze_progress progress;  ///< may be null
  void* progress_user;
} graze_mesh_input;
#define GRAZE_MESH_INPUT_INIT \
  { sizeof(graze_mesh_input), NULL, 0, 0, 0, NULL, 0, 0, GRAZE_UINT32, NULL, 0, NULL, GRAZE_BUILD_BEST, NULL, NULL }

/// A surface of triangles. The error lists every defect: an index out of range (`triangle 17 uses vertex 9 of 8`), NaN or infinity, wrong parts.
GRAZE_API graze_status graze_mesh_create(const graze_mesh_input* input, graze_shape** out);
/// A mesh with the same triangles, moved vertices and a refitted tree.
GRAZE_API graze_status graze_mesh_refit(const graze_shape* mesh, const void* vertices, size_t count, size_t stride, int single_precision, graze_shape** out);
/// The solid that a closed mesh bounds: all points of non-zero winding number. Refuses, naming an edge, a mesh that is not closed. Edges that meet others in
/// parts of a straight line, exactly (T-junctions), are no opening.
GRAZE_API graze_status graze_solid_create(const graze_shape* mesh, graze_shape** out);
/// How many triangles without area close the junctions of a solid in any pose: 0 without junctions. They are none of its mesh, and no answer names one.
GRAZE_API graze_status graze_solid_seams(const graze_shape* solid, size_t* count);
/// The surface of a solid or height field as a mesh; a mesh itself.
GRAZE_API graze_status graze_surface_create(const graze_shape* shape, graze_shape** out);
/// A terrain over a grid: rows of `columns` heights one after another, vertex (i, j) at origin + (i dx, j dy, h). NaN is a hole.
GRAZE_API graze_status graze_height_field_create(const double origin[3], double dx, double dy, size_t columns, const double* heights, size_t count,
                                                 graze_shape** out);

/// The grid of a height field, as graze_height_field_create() received it.
typedef struct graze_height_grid {
  double origin[3], dx, dy;
  size_t columns, rows;
  const double* heights;  ///< row by row, in memory of the shape
} graze_height_grid;
GRAZE_API graze_status graze_height_field_grid(const graze_shape* field, graze_height_grid* out);

// The data of a mesh, solid or height field, in memory of the shape.
/// Three doubles each, packed.
GRAZE_API graze_status graze_mesh_vertices(const graze_shape* shape, const double** vertices, size_t* count);
/// Three vertex numbers each; `count` is that of triangles.
GRAZE_API graze_status graze_mesh_triangles(const graze_shape* shape, const uint32_t** triangles, size_t* count);
/// A number for each triangle; count is 0 where the mesh has none.
GRAZE_API graze_status graze_mesh_user(const graze_shape* shape, const uint32_t** user, size_t* count);
GRAZE_API graze_status graze_mesh_part_count(const graze_shape* shape, size_t* count);
GRAZE_API graze_status graze_mesh_part_at(const graze_shape* shape, size_t index, graze_mesh_part* out);
/// The boxes of the tree `level` steps below its root, for display. Free them by graze_free().
GRAZE_API graze_status graze_tree_boxes(const graze_shape* mesh, unsigned level, graze_box** out, size_t* count);

// ---- compounds ---------------------------------------------------------------------------------------------------------------------------

/// The union of placed shapes, none of which is a compound.
GRAZE_API graze_status graze_compound_create(const graze_ref* children, size_t count, graze_shape** out);
GRAZE_API graze_status graze_compound_count(const graze_shape* compound, size_t* count);
/// A child: its shape, which the caller releases, and its pose.
GRAZE_API graze_status graze_compound_child(const graze_shape* compound, size_t index, graze_shape** shape, graze_pose* pose);

// ---- reports and triangulation -----------------------------------------------------------------------------------------------------------

/// An edge by its two vertex numbers, and one triangle that uses it.
typedef struct graze_edge_at {
  uint32_t v0, v1, triangle;
} graze_edge_at;

/// A corner that misses an edge, most likely by a rounding: were it on the edge, the mesh would be closed there.
typedef struct graze_near_junction {
  uint32_t vertex;     ///< an end of an open edge
  graze_edge_at edge;  ///< another open edge, beside whose inside the corner lies
  double gap;          ///< their distance
  double place[3];     ///< of the corner
} graze_near_junction;

/// The defects of a mesh; every list is ascending. Vertices with equal coordinates count as one.
typedef struct graze_mesh_report {
  const uint32_t* degenerate;  ///< triangles without area, exactly
  size_t degenerate_count;
  const uint32_t* duplicates;         ///< pairs: a triangle, and an earlier one with the same three corners
  size_t duplicate_count;             ///< of pairs
  const graze_edge_at* border_edges;  ///< used by one triangle, and no junction closes them
  size_t border_edge_count;
  const graze_edge_at* non_manifold_edges;  ///< used by more than two triangles
  size_t non_manifold_edge_count;
  const graze_edge_at* inconsistent_edges;  ///< used by two triangles in the same direction
  size_t inconsistent_edge_count;
  const graze_edge_at*
      unbalanced_edges;  ///< used more often in one direction than in the other, and no junction closes them: graze_solid_create() refuses them
  size_t unbalanced_edge_count;
  const uint32_t* unreferenced_vertices;
  size_t unreferenced_vertex_count;
  size_t repeated_vertices;             ///< vertices with the coordinates of an earlier one
  size_t components;                    ///< connected by shared corners
  int closed;                           ///< no border edge
  int solid;                            ///< graze_solid_create() accepts the mesh
  const graze_edge_at* junction_edges;  ///< used more often in one direction than in the other, but closed by a junction that fits exactly: no defect
  size_t junction_edge_count;
  const graze_near_junction* near_junctions;  ///< junctions that do not fit, by edge; may lack some where there are very many
  size_t near_junction_count;
} graze_mesh_report;

/// An exact report, with its lists one array of graze_free().
GRAZE_API graze_status graze_check(const graze_shape* mesh, graze_mesh_report** out);

/// Cuts a polygon, convex or concave, into `count` = n - 2 triangles of three indices each. Exact. The outline may touch itself, as where a bridge leads to a
/// hole and back; there triangles may be without area. Refuses a polygon that crosses itself.
GRAZE_API graze_status graze_triangulate(const double* points, size_t point_count, size_t stride, uint32_t** triangles, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
