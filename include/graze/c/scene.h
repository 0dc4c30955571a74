// The C interface: scenes of many placed shapes, and the broad phase of boxes. Include <graze/graze.h>.
#ifndef GRAZE_C_SCENE_H
#define GRAZE_C_SCENE_H
#include <graze/c/base.h>
#include <graze/c/query.h>
#include <graze/c/shapes.h>
#include <graze/c/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- scenes ------------------------------------------------------------------------------------------------------------------------------

/// Many placed shapes with ids, which may be added, moved and removed, also while other threads ask about them.
typedef struct graze_scene graze_scene;
/// The id of a member; never used again after the member is removed.
typedef uint32_t graze_member;

typedef struct graze_member_options {
  size_t size;
  uint32_t group;  ///< bits of the groups that the member belongs to
  uint32_t meets;  ///< pairs count two members when the `group` of each shares a bit with the `meets` of the other
} graze_member_options;
#define GRAZE_MEMBER_OPTIONS_INIT \
  { sizeof(graze_member_options), 1, 0xffffffffu }

GRAZE_API graze_status graze_scene_create(graze_scene** out);
/// The copy has the same members with the same ids.
GRAZE_API graze_status graze_scene_copy(const graze_scene* scene, graze_scene** out);
/// Null is allowed.
GRAZE_API void graze_scene_free(graze_scene* scene);

/// Adds a copy of a shape (data of handles is shared) at the pose of the reference. `name` may be null: "". `id` may be null.
GRAZE_API graze_status graze_scene_add(graze_scene* scene, const char* name, const graze_ref* shape, const graze_member_options* options, graze_member* id);
/// Gives a member another pose.
GRAZE_API graze_status graze_scene_move(graze_scene* scene, graze_member id, const graze_pose* pose);
/// Gives member ids[i] the pose poses[i]; moves all or, on an error, none.
GRAZE_API graze_status graze_scene_move_batch(graze_scene* scene, const graze_member* ids, const graze_pose* poses, size_t count, size_t stride);
/// Gives a member another shape at the same pose. The reference is not placed.
GRAZE_API graze_status graze_scene_replace(graze_scene* scene, graze_member id, const graze_ref* shape);
GRAZE_API graze_status graze_scene_remove(graze_scene* scene, graze_member id);
GRAZE_API graze_status graze_scene_has(const graze_scene* scene, graze_member id, int* out);
GRAZE_API graze_status graze_scene_size(const graze_scene* scene, size_t* out);
/// The ids, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_scene_members(const graze_scene* scene, graze_member** out, size_t* count);
/// A copy of the name. Free *out by graze_free().
GRAZE_API graze_status graze_scene_name(const graze_scene* scene, graze_member id, char** out);
/// A new reference to a copy of the shape, which shares the data of handles. The caller releases it.
GRAZE_API graze_status graze_scene_shape(const graze_scene* scene, graze_member id, graze_shape** out);
GRAZE_API graze_status graze_scene_pose(const graze_scene* scene, graze_member id, graze_pose* out);
/// `size` of *out is set, too.
GRAZE_API graze_status graze_scene_options(const graze_scene* scene, graze_member id, graze_member_options* out);

/// Returns whether a member takes part; called from several threads.
typedef int (*graze_member_filter)(graze_member member, void* user);
/// Which members a query considers.
typedef struct graze_scene_filter {
  size_t size;
  uint32_t groups;  ///< members of at least one of these groups
  graze_member_filter accept;
  void* accept_user;
} graze_scene_filter;
#define GRAZE_SCENE_FILTER_INIT \
  { sizeof(graze_scene_filter), 0xffffffffu, NULL, NULL }

/// A hit, with the member; -1 where hit.hit is 0.
typedef struct graze_scene_hit {
  int64_t member;
  graze_hit hit;
} graze_scene_hit;
typedef struct graze_scene_sweep_hit {
  int64_t member;
  graze_sweep_hit hit;
} graze_scene_sweep_hit;

/// The first hit of a ray, segment or line with any member; ties go to the lowest id.
GRAZE_API graze_status graze_scene_raycast(const graze_scene* scene, const graze_ref* ray, const graze_ray_options* options, const graze_scene_filter* filter,
                                           graze_scene_hit* out);
/// All hits with all members in exact order. Free *out by graze_free().
GRAZE_API graze_status graze_scene_raycast_all(const graze_scene* scene, const graze_ref* ray, const graze_ray_options* options,
                                               const graze_scene_filter* filter, graze_scene_hit** out, size_t* count);
/// For each ray what graze_scene_raycast() answers; `out` has room for `count` answers.
GRAZE_API graze_status graze_scene_raycast_batch(const graze_scene* scene, const graze_ray* rays, size_t count, size_t stride, const graze_ray_options* options,
                                                 const graze_scene_filter* filter, graze_scene_hit* out);
/// The first contact of a moving shape with any member.
GRAZE_API graze_status graze_scene_sweep(const graze_scene* scene, const graze_ref* a, const double motion[3], const graze_sweep_options* options,
                                         const graze_scene_filter* filter, graze_scene_sweep_hit* out);
/// The same for the exact motion to - from.
GRAZE_API graze_status graze_scene_sweep_between(const graze_scene* scene, const graze_ref* a, const double from[3], const double to[3],
                                                 const graze_sweep_options* options, const graze_scene_filter* filter, graze_scene_sweep_hit* out);
/// The first contact with each member that the moving shape meets, in exact order. Free *out by graze_free().
GRAZE_API graze_status graze_scene_sweep_all(const graze_scene* scene, const graze_ref* a, const double motion[3], const graze_sweep_options* options,
                                             const graze_scene_filter* filter, graze_scene_sweep_hit** out, size_t* count);
/// The members that share a point with the shape, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_scene_overlapping(const graze_scene* scene, const graze_ref* shape, const graze_scene_filter* filter, graze_member** out,
                                               size_t* count);
/// Whether any member shares a point with the shape.
GRAZE_API graze_status graze_scene_intersects(const graze_scene* scene, const graze_ref* shape, const graze_scene_filter* filter, int* out);
/// The member nearest to the shape; *member is -1, and out unchanged, when there is none.
GRAZE_API graze_status graze_scene_closest(const graze_scene* scene, const graze_ref* shape, const graze_scene_filter* filter, int64_t* member,
                                           graze_closest_points* out);
/// The members inside or crossing the frustum, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_scene_visible(const graze_scene* scene, const graze_shape* frustum, const graze_scene_filter* filter, graze_member** out,
                                           size_t* count);

// ---- pairs of members --------------------------------------------------------------------------------------------------------------------

typedef struct graze_member_pair {
  graze_member a, b;
} graze_member_pair;
/// Two members that touch, or lie within a distance.
typedef struct graze_scene_pair {
  graze_member a, b;        ///< a < b
  double distance;          ///< 0 when they touch
  double on_a[3], on_b[3];  ///< witnesses
  int64_t relation;         ///< a graze_relation_kind if requested; -1 if not, and where the members touch and graze_relation() refuses the pair
} graze_scene_pair;

typedef struct graze_scene_pair_options {
  size_t size;
  double within;               ///< length, finite, >= 0: the greatest distance of a pair
  int witnesses;               ///< compute distance and witnesses; otherwise they stay 0
  int relations;               ///< compute relations
  graze_pair_function accept;  ///< pairs (a < b) for which it returns non-zero; called from several threads; null: all
  void* accept_user;
  const graze_member_pair* excluded;  ///< pairs that do not count, in any order
  size_t excluded_count;
} graze_scene_pair_options;
#define GRAZE_SCENE_PAIR_OPTIONS_INIT \
  { sizeof(graze_scene_pair_options), 0, 1, 0, NULL, NULL, NULL, 0 }

/// All pairs at most `within` apart, ascending; by default those that touch. Free *out by graze_free().
GRAZE_API graze_status graze_scene_pairs(const graze_scene* scene, const graze_scene_pair_options* options, graze_scene_pair** out, size_t* count);
/// One of those pairs, always the same; *has is 0, and out unchanged, when there is none. Faster.
GRAZE_API graze_status graze_scene_any_pair(const graze_scene* scene, const graze_scene_pair_options* options, graze_scene_pair* out, int* has);
/// The pair at the least distance; `within` is not used.
GRAZE_API graze_status graze_scene_least_distance(const graze_scene* scene, const graze_scene_pair_options* options, graze_scene_pair* out, int* has);

// ---- many postures of moving members -----------------------------------------------------------------------------------------------------

/// Some members of a scene that move together, such as the links of a robot, among the others, which rest: a copy, which later changes do not concern. May be
/// used by many threads at once.
typedef struct graze_postures graze_postures;

/// `moving` are the moving members, without repetition. Of the options `witnesses` and `relations` are not used, and `accept` is called before the function
/// returns, once for each pair that it may admit.
GRAZE_API graze_status graze_postures_create(const graze_scene* scene, const graze_member* moving, size_t count, const graze_scene_pair_options* options,
                                             graze_postures** out);
/// Null is allowed.
GRAZE_API void graze_postures_free(graze_postures* postures);
/// The moving members in the order of the poses of a posture. Free *out by graze_free().
GRAZE_API graze_status graze_postures_members(const graze_postures* postures, graze_member** out, size_t* count);
/// Whether any pair touches (or comes within `within`) in each posture: out[i] = 1 or 0. `poses` are `count` postures after each other, each a pose for every
/// moving member; `stride` is that of poses. Exactly what graze_scene_pairs() would answer after graze_scene_move_batch().
GRAZE_API graze_status graze_postures_touching(const graze_postures* postures, const graze_pose* poses, size_t count, size_t stride, uint8_t* out);
/// All pairs that touch, of which at least one member moves: those of posture i are (*out)[offsets[i]] .. (*out)[offsets[i + 1] - 1], ascending. `offsets` has
/// room for count + 1 numbers. Free *out by graze_free().
GRAZE_API graze_status graze_postures_pairs(const graze_postures* postures, const graze_pose* poses, size_t count, size_t stride, size_t* offsets,
                                            graze_member_pair** out);

// ---- broad phase -------------------------------------------------------------------------------------------------------------------------

/// Axis-aligned boxes that may all move every frame. Answers are exact on the boxes of doubles.
typedef struct graze_broad_phase graze_broad_phase;
typedef struct graze_id_pair {
  uint32_t a, b;
} graze_id_pair;

GRAZE_API graze_status graze_broad_phase_create(graze_broad_phase** out);
GRAZE_API graze_status graze_broad_phase_copy(const graze_broad_phase* boxes, graze_broad_phase** out);
/// Null is allowed.
GRAZE_API void graze_broad_phase_free(graze_broad_phase* boxes);
/// Adds a box. Ids count from 0; those of removed boxes are used again, lowest first. `id` may be null.
GRAZE_API graze_status graze_broad_phase_insert(graze_broad_phase* boxes, const graze_box* box, uint32_t* id);
/// Replaces the contents by these boxes, with the ids 0 .. count - 1.
GRAZE_API graze_status graze_broad_phase_assign(graze_broad_phase* boxes, const graze_box* all, size_t count, size_t stride);
GRAZE_API graze_status graze_broad_phase_remove(graze_broad_phase* boxes, uint32_t id);
GRAZE_API graze_status graze_broad_phase_move(graze_broad_phase* boxes, uint32_t id, const graze_box* box);
/// Replaces the box of id i by all[i], for all ids at once. After an error for an invalid box some of the others may have moved.
GRAZE_API graze_status graze_broad_phase_move_all(graze_broad_phase* boxes, const graze_box* all, size_t count, size_t stride);
GRAZE_API graze_status graze_broad_phase_box(const graze_broad_phase* boxes, uint32_t id, graze_box* out);
GRAZE_API graze_status graze_broad_phase_size(const graze_broad_phase* boxes, size_t* out);
/// All pairs (a < b) whose boxes share a point, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_broad_phase_pairs(const graze_broad_phase* boxes, graze_id_pair** out, size_t* count);
/// All pairs (id of the first, id of the second) whose boxes share a point, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_broad_phase_pairs_with(const graze_broad_phase* boxes, const graze_broad_phase* other, graze_id_pair** out, size_t* count);
/// The ids of the boxes that intersect a shape, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_broad_phase_overlapping(const graze_broad_phase* boxes, const graze_ref* shape, uint32_t** out, size_t* count);
/// The ids of the boxes inside or crossing the frustum, ascending. Free *out by graze_free().
GRAZE_API graze_status graze_broad_phase_visible(const graze_broad_phase* boxes, const graze_shape* frustum, uint32_t** out, size_t* count);
/// Returns the t_max to continue with: a lower one after a hit, the same one to continue, a negative one to stop.
typedef double (*graze_box_visitor)(uint32_t id, double t_max, void* user);
/// Calls `visit` for each box that the ray meets up to t_max, in no promised order, on the calling thread.
GRAZE_API graze_status graze_broad_phase_along(const graze_broad_phase* boxes, const graze_ray* ray, double t_max, graze_box_visitor visit, void* user);

#ifdef __cplusplus
}
#endif

#endif
