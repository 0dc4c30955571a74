// The C interface: worlds of bodies that fly and bounce, and movers for cameras and characters. Include <graze/graze.h>.
#ifndef GRAZE_C_WORLD_H
#define GRAZE_C_WORLD_H
#include <graze/c/base.h>
#include <graze/c/query.h>
#include <graze/c/scene.h>
#include <graze/c/shapes.h>
#include <graze/c/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- worlds ------------------------------------------------------------------------------------------------------------------------------

/// Fixed members (a scene) and moving bodies. The result of a step is the same, bit for bit, for any number of threads.
typedef struct graze_world graze_world;
/// The id of a body; never used again after the body is removed.
typedef uint32_t graze_body;

typedef struct graze_world_options {
  size_t size;
  double gravity[3];   ///< length/s^2
  uint64_t seed;       ///< of the emitters' random numbers
  int max_bounces;     ///< reflections of a body in one step, >= 0
  int record_impacts;  ///< 0: impacts and stops stay empty
} graze_world_options;
#define GRAZE_WORLD_OPTIONS_INIT \
  { sizeof(graze_world_options), {0, 0, -9.81}, 1, 10, 1 }

typedef struct graze_body_options {
  size_t size;
  double velocity[3];  ///< length/s
  graze_material material;
  double drag;           ///< 1/s, >= 0
  double gravity_scale;  ///< factor on the gravity of the world
  uint32_t meets;        ///< groups of fixed members that the body collides with
  double fuse;           ///< s: age at which the body explodes and is removed
  double rest_speed;     ///< length/s, >= 0: a body slower than this just after a hit rests until disturbed
} graze_body_options;
#define GRAZE_BODY_OPTIONS_INIT \
  { sizeof(graze_body_options), {0, 0, 0}, GRAZE_MATERIAL_INIT, 0, 1, 0xffffffffu, HUGE_VAL, 0 }

/// Where bodies start, and when they restart.
typedef struct graze_emitter {
  size_t size;
  double origin[3];           ///< start of a point, a sphere's centre, or the origin of another shape's frame
  double spread[3];           ///< half sizes of the box of start points, >= 0
  double velocity[3];         ///< length/s
  double velocity_spread[3];  ///< half sizes of the box of start velocities, >= 0
  double slow;                ///< length/s, >= 0: slower bodies restart
  double floor;               ///< height against the direction of gravity below which bodies restart
  double life;                ///< s, > 0: age at which bodies restart
  int own_origin;             ///< each body restarts as at its own first start; otherwise with new random numbers
} graze_emitter;
#define GRAZE_EMITTER_INIT \
  { sizeof(graze_emitter), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, -HUGE_VAL, HUGE_VAL, 0 }

GRAZE_API graze_status graze_world_create(const graze_world_options* options, graze_world** out);
/// The copy continues with the same bits.
GRAZE_API graze_status graze_world_copy(const graze_world* world, graze_world** out);
/// Null is allowed.
GRAZE_API void graze_world_free(graze_world* world);

/// Adds a member that does not move by itself, at the pose of the reference. Null material and options are defaults; `id` may be null.
GRAZE_API graze_status graze_world_add_fixed(graze_world* world, const graze_ref* shape, const graze_material* material, const graze_member_options* options,
                                             graze_member* id);
/// Moves a fixed member and wakes all bodies at rest.
GRAZE_API graze_status graze_world_move_fixed(graze_world* world, graze_member id, const graze_pose* pose);
/// The fixed members, in memory of the world; for queries.
GRAZE_API graze_status graze_world_fixed(const graze_world* world, const graze_scene** out);
/// `size` of *out is set, too.
GRAZE_API graze_status graze_world_options_of(const graze_world* world, graze_world_options* out);

/// Adds a body of a bounded, non-empty shape, at the pose of the reference. `id` may be null.
GRAZE_API graze_status graze_world_add_moving(graze_world* world, const graze_ref* shape, const graze_body_options* options, graze_body* id);
/// Adds `count` bodies of one shape, not placed, that start at the emitter. `first` may be null; the other ids follow it.
GRAZE_API graze_status graze_world_add_emitter(graze_world* world, const graze_ref* shape, size_t count, const graze_emitter* emitter,
                                               const graze_body_options* options, graze_body* first);
GRAZE_API graze_status graze_world_remove(graze_world* world, graze_body id);
/// The number of ids in use, including those of removed bodies.
GRAZE_API graze_status graze_world_bodies(const graze_world* world, size_t* out);
GRAZE_API graze_status graze_world_alive(const graze_world* world, graze_body id, int* out);
/// A new reference to a copy of the shape. The caller releases it.
GRAZE_API graze_status graze_world_shape(const graze_world* world, graze_body id, graze_shape** out);
GRAZE_API graze_status graze_world_pose(const graze_world* world, graze_body id, graze_pose* out);
GRAZE_API graze_status graze_world_position(const graze_world* world, graze_body id, double out[3]);
GRAZE_API graze_status graze_world_velocity(const graze_world* world, graze_body id, double out[3]);
/// The positions of all bodies, by id, three doubles each, into room for graze_world_bodies() of them, `count`. Those of removed bodies are unchanged.
GRAZE_API graze_status graze_world_positions(const graze_world* world, size_t count, double* out);
/// Poses and velocities (three doubles) of all bodies, by id, into arrays of the caller's with room for graze_world_bodies() elements, `count`. Strides are in
/// bytes, 0 if packed. `alive` is 1 for each body and 0 for a removed one, whose other elements are unchanged. Each array may be null.
GRAZE_API graze_status graze_world_states(const graze_world* world, size_t count, graze_pose* poses, size_t pose_stride, double* velocities,
                                          size_t velocity_stride, uint8_t* alive);
/// Sets the velocity and wakes the body.
GRAZE_API graze_status graze_world_set_velocity(graze_world* world, graze_body id, const double velocity[3]);

/// Advances all bodies by dt seconds, on all cores.
GRAZE_API graze_status graze_world_step(graze_world* world, double dt);
GRAZE_API graze_status graze_world_time(const graze_world* world, double* out);
GRAZE_API graze_status graze_world_steps(const graze_world* world, uint64_t* out);
/// Of unit masses.
GRAZE_API graze_status graze_world_kinetic_energy(const graze_world* world, double* out);

/// A body bounced off a fixed member.
typedef struct graze_impact {
  double time;  ///< s since the world's start
  graze_member a;
  graze_body b;
  double point[3], normal[3];
  double speed;  ///< along the normal, before the impact
  int64_t triangle;
} graze_impact;
/// A body stopped after `max_bounces` reflections in this step.
typedef struct graze_stop {
  double time;
  graze_member a;
  graze_body b;
  double point[3];
} graze_stop;
/// A body restarted at its emitter.
typedef struct graze_respawn {
  double time;
  graze_body body;
} graze_respawn;
/// The fuse of a body ended.
typedef struct graze_explosion {
  double time;
  graze_body body;
  double point[3];
} graze_explosion;

// Events of the last step, ordered by time, then body; respawns by body. Free *out by graze_free().
GRAZE_API graze_status graze_world_impacts(const graze_world* world, graze_impact** out, size_t* count);
GRAZE_API graze_status graze_world_stops(const graze_world* world, graze_stop** out, size_t* count);
GRAZE_API graze_status graze_world_respawns(const graze_world* world, graze_respawn** out, size_t* count);
GRAZE_API graze_status graze_world_explosions(const graze_world* world, graze_explosion** out, size_t* count);

/// The first hit of a shot: with body `id` if `body` is 1, else with member `id`. hit.hit is 0 without one.
typedef struct graze_shot_hit {
  int body;
  uint32_t id;
  graze_hit hit;
} graze_shot_hit;
GRAZE_API graze_status graze_world_shoot(const graze_world* world, const graze_ray* ray, double t_max, graze_shot_hit* out);

/// Time, seed, poses, velocities and ages as bytes. Free *out by graze_free().
GRAZE_API graze_status graze_world_snapshot(const graze_world* world, uint8_t** out, size_t* count);
/// Continues from a snapshot of a world that was built alike with the same bits; changes nothing on an error.
GRAZE_API graze_status graze_world_restore(graze_world* world, const uint8_t* snapshot, size_t count);

// ---- movers ------------------------------------------------------------------------------------------------------------------------------

/// A camera or character: a sphere or upright capsule that slides along walls, climbs steps and is never inside a wall. Refers to its scene, which must outlive
/// it.
typedef struct graze_mover graze_mover;

typedef struct graze_mover_options {
  size_t size;
  double up[3];           ///< any non-zero length
  double step_height;     ///< length, >= 0: ledges up to this height are climbed
  double steepest_slope;  ///< 0..1: least cosine between `up` and the normal of a floor that the body stands on
  int max_slides;         ///< per move, >= 1
} graze_mover_options;
#define GRAZE_MOVER_OPTIONS_INIT \
  { sizeof(graze_mover_options), {0, 0, 1}, 0.3, 0.7, 6 }
typedef struct graze_mover_result {
  int grounded;
  double ground_normal[3];
  int64_t ground;  ///< the member that the body stands on, or -1
  int contacts;
  double carried[3];  ///< length: displacement by moved members, before the requested motion
  int enclosed;       ///< a member meets the body and no push frees it; the body did not move
} graze_mover_result;

/// Refuses a body that is not a sphere or capsule, that is placed, or that meets the scene at `position`.
GRAZE_API graze_status graze_mover_create(const graze_scene* scene, const graze_ref* body, const double position[3], const graze_mover_options* options,
                                          graze_mover** out);
/// The copy continues with the same bits.
GRAZE_API graze_status graze_mover_copy(const graze_mover* mover, graze_mover** out);
/// Null is allowed.
GRAZE_API void graze_mover_free(graze_mover* mover);
/// Follows the members that have moved, then moves the body by `wish` (length). `out` may be null.
GRAZE_API graze_status graze_mover_move(graze_mover* mover, const double wish[3], graze_mover_result* out);
GRAZE_API graze_status graze_mover_pose(const graze_mover* mover, graze_pose* out);
GRAZE_API graze_status graze_mover_enclosed(const graze_mover* mover, int* out);
/// Puts the body at `position`; refuses, without moving it, a place where it would meet the scene.
GRAZE_API graze_status graze_mover_set_position(graze_mover* mover, const double position[3]);
GRAZE_API graze_status graze_mover_snapshot(const graze_mover* mover, uint8_t** out, size_t* count);
GRAZE_API graze_status graze_mover_restore(graze_mover* mover, const uint8_t* snapshot, size_t count);

#ifdef __cplusplus
}
#endif

#endif
