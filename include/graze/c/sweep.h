// The C interface: motion. Sweeps along lines and screws, response to contacts, and meshes whose vertices each move. Include <graze/graze.h>.
#ifndef GRAZE_C_SWEEP_H
#define GRAZE_C_SWEEP_H
#include <graze/c/base.h>
#include <graze/c/query.h>
#include <graze/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- sweeps ------------------------------------------------------------------------------------------------------------------------------

/// The first contact of a moving shape A with a shape B. Without one, `hit` is 0, t is infinite, indices are -1 and all else is 0.
typedef struct graze_sweep_hit {
  int hit;
  int started_inside;  ///< the closed sets intersect at t = 0
  int departing;       ///< contact at the start that the motion leaves at once
  int budget_ended;    ///< rotation only: the work limit was reached before the tolerance; t is still not above the true time
  /// 0, with the placement unchanged, when no certified placement in doubles exists.
  int moved;
  int has_normal;  ///< 0 when the start lies deeper than touching
  double t;        ///< fraction 0..1 of the motion; see <graze/sweep/linear.hpp>
  double point[3];
  double normal[3];                ///< unit length, from B to A, against the motion
  int64_t triangle_a, triangle_b;  ///< of meshes, height fields and polygon fans
  int64_t child_a, child_b;        ///< of compounds
  uint32_t user_a, user_b;         ///< of meshes: the user numbers of those triangles
  graze_pose safe;                 ///< a placement of the mover at or a little before the contact, certified after rounding; replaces the pose given
  double safe_point[3];            ///< position of a point at `safe`; for other shapes, of the origin
} graze_sweep_hit;

typedef struct graze_sweep_options {
  size_t size;
  int skip_departing;            ///< ignores contacts at the start that the motion leaves
  int place;                     ///< finds `safe` and `safe_point`; otherwise `moved` is 0, and a hit takes less time
  graze_sides sides;             ///< of the triangles of the target, by the sign of their normals times the displacement
  graze_triangle_filter accept;  ///< the triangles of the target that may be met; null: all
  void* accept_user;
} graze_sweep_options;
#define GRAZE_SWEEP_OPTIONS_INIT \
  { sizeof(graze_sweep_options), 0, 1, GRAZE_SIDES_BOTH, NULL, NULL }

/// The first contact of `a`, which moves by start + t * motion for t in [0, 1], with `b` at rest. Hit or miss is exact, and so is which contact is first; with
/// a curved shape within a bound.
GRAZE_API graze_status graze_sweep(const graze_ref* a, const double motion[3], const graze_ref* b, const graze_sweep_options* options, graze_sweep_hit* out);
/// The same with both shapes in motion. `safe` and `point` are in the frame in which b rests at its start.
GRAZE_API graze_status graze_sweep_both(const graze_ref* a, const double motion_a[3], const graze_ref* b, const double motion_b[3],
                                        const graze_sweep_options* options, graze_sweep_hit* out);

/// A screw motion: a rotation about a line together with a translation, both uniform in t of [0, 1].
typedef struct graze_screw {
  double center[3];        ///< a point of the line
  double axis[3];          ///< direction of the line, of any non-zero length
  double angle;            ///< radians, of any size
  double displacement[3];  ///< length
} graze_screw;

/// The screw about `center` (a world point fixed to the body) that starts at `from` and ends at `to` up to rounding, by the smaller angle.
GRAZE_API graze_status graze_screw_between(const graze_pose* from, const graze_pose* to, const double center[3], graze_screw* out);
/// The pose of the motion at fraction t, rounded. It is applied after the pose of the start.
GRAZE_API graze_status graze_screw_at(const graze_screw* screw, double t, graze_pose* out);

typedef struct graze_rigid_sweep_options {
  size_t size;
  double tolerance;  ///< length, > 0: at the reported t the distance is at most this, unless budget_ended
  size_t budget;     ///< steps of advancement per pair of parts
} graze_rigid_sweep_options;
#define GRAZE_RIGID_SWEEP_OPTIONS_INIT \
  { sizeof(graze_rigid_sweep_options), 1e-6, 10000 }
/// The first contact of `a`, which moves along a screw, with `b` at rest. No contact is missed, and t is never above the true time.
GRAZE_API graze_status graze_sweep_screw(const graze_ref* a, const graze_screw* motion, const graze_ref* b, const graze_rigid_sweep_options* options,
                                         graze_sweep_hit* out);

// ---- response ----------------------------------------------------------------------------------------------------------------------------

/// How a surface reflects a body.
typedef struct graze_material {
  double restitution;  ///< 0..1: the share of the normal speed that is kept
  double friction;     ///< >= 0: Coulomb's coefficient
  double speed_kept;   ///< 0..1: the share of the whole speed that is kept at each hit
} graze_material;
#define GRAZE_MATERIAL_INIT \
  { 1, 0, 1 }

/// The velocity after a hit at a surface with that normal. Never longer than v. A null material is GRAZE_MATERIAL_INIT, here and below.
GRAZE_API graze_status graze_respond(const double v[3], const double normal[3], const graze_material* material, double out[3]);
/// v without its component into the surface. Never longer than v.
GRAZE_API graze_status graze_slide(const double v[3], const double normal[3], double out[3]);

typedef struct graze_bounce_options {
  size_t size;
  int max_bounces;  ///< reflections; at the next contact the body is stopped, with velocity 0
  int sliding;      ///< slide along surfaces instead of bouncing
} graze_bounce_options;
#define GRAZE_BOUNCE_OPTIONS_INIT \
  { sizeof(graze_bounce_options), 10, 0 }
/// One reflection within a step.
typedef struct graze_bounce_hit {
  double time;  ///< within the step, 0..dt
  double point[3];
  double normal[3];  ///< unit length, against the motion
  double velocity_before[3], velocity_after[3];
  int64_t triangle;
} graze_bounce_hit;
/// The state of a body after a step.
typedef struct graze_bounce_step {
  graze_pose pose;     ///< certified as graze_sweep_hit.safe is
  double position[3];  ///< of a point; else the translation of `pose`
  double velocity[3];
  int stopped;  ///< velocity 0: at the contact after `max_bounces` reflections, or deep inside from the start
} graze_bounce_step;
/// Moves a shape with a velocity for the time `dt` among `target`, bouncing off what it meets. `hits` may be null; otherwise free it by graze_free().
GRAZE_API graze_status graze_bounce(const graze_ref* body, const double velocity[3], double dt, const graze_ref* target, const graze_material* material,
                                    const graze_bounce_options* options, graze_bounce_step* out, graze_bounce_hit** hits, size_t* hit_count);

// ---- vertices that move ------------------------------------------------------------------------------------------------------------------

/// The first time in [0, 1] at which a vertex and a face share a point: the largest double not above it. The corners (v, f0, f1, f2), twelve doubles, move
/// linearly from t0 to t1. Exact in all cases. *hit is 0, and *t unchanged, when they do not meet.
GRAZE_API graze_status graze_ccd_vertex_face(const double t0[12], const double t1[12], double* t, int* hit);
/// The same for two edges, with the corners (a0, a1, b0, b1).
GRAZE_API graze_status graze_ccd_edge_edge(const double t0[12], const double t1[12], double* t, int* hit);

typedef enum graze_feature_pair { GRAZE_VERTEX_FACE = 0, GRAZE_FACE_VERTEX, GRAZE_EDGE_EDGE } graze_feature_pair;
/// A pair of features that meet.
typedef struct graze_deforming_contact {
  double t;
  graze_feature_pair kind;          ///< the feature of A, then that of B
  uint32_t triangle_a, triangle_b;  ///< the lowest triangles that contain the features
  uint32_t vertices[4];             ///< the vertex and the face, the face and the vertex, or the edges
} graze_deforming_contact;
/// Returns 0 for a contact to be dropped; called from several threads.
typedef int (*graze_deforming_filter)(const graze_deforming_contact* contact, void* user);

typedef struct graze_deforming_options {
  size_t size;
  int first_only;  ///< only the first contact in time
  size_t limit;    ///< maximum number; the first ones in order
  graze_deforming_filter filter;
  void* filter_user;
  graze_progress progress;
  void* progress_user;
} graze_deforming_options;
#define GRAZE_DEFORMING_OPTIONS_INIT \
  { sizeof(graze_deforming_options), 0, SIZE_MAX, NULL, NULL, NULL, NULL }

/// All pairs of features of the meshes A and B that meet while the vertices move linearly from those of the mesh to `a1` (`b1`), by t, then kind, then
/// vertices. Vertices are three doubles each, packed or `stride` bytes apart. Exact. Free *out by graze_free().
GRAZE_API graze_status graze_ccd(const graze_shape* a, const double* a1, size_t count_a, size_t stride_a, const graze_shape* b, const double* b1,
                                 size_t count_b, size_t stride_b, const graze_deforming_options* options, graze_deforming_contact** out, size_t* count);
/// The same for a mesh against itself. Pairs of features that share a vertex do not count.
GRAZE_API graze_status graze_ccd_self(const graze_shape* mesh, const double* end, size_t vertex_count, size_t stride, const graze_deforming_options* options,
                                      graze_deforming_contact** out, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
