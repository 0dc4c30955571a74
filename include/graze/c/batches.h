// The C interface: batches of points, rays, poses and pairs. Include <graze/graze.h>.
//
// Element i of the result answers element i of the input, bit for bit as the single function does. Arrays `out` have room for one answer for each element and
// are memory of the caller. Batches run on all cores.
#ifndef GRAZE_C_BATCHES_H
#define GRAZE_C_BATCHES_H
#include <graze/c/query.h>
#include <graze/c/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- many points against one shape: three doubles each, `stride` bytes apart -------------------------------------------------------------

GRAZE_API graze_status graze_closest_batch(const double* points, size_t count, size_t stride, const graze_ref* target, graze_closest_points* out);
GRAZE_API graze_status graze_within_batch(const double* points, size_t count, size_t stride, const graze_ref* target, double distance, uint8_t* out);
GRAZE_API graze_status graze_contains_batch(const graze_ref* solid, const double* points, size_t count, size_t stride, uint8_t* out);
GRAZE_API graze_status graze_signed_distance_batch(const double* points, size_t count, size_t stride, const graze_ref* solid, double* out);

// ---- many rays against one shape ---------------------------------------------------------------------------------------------------------

GRAZE_API graze_status graze_raycast_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                           graze_hit* out);
GRAZE_API graze_status graze_raycast_brief_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                                 graze_brief_hit* out);
GRAZE_API graze_status graze_raycast_any_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                               uint8_t* out);
/// All hits of each ray: those of ray i are (*out)[offsets[i]] .. (*out)[offsets[i + 1] - 1]. `offsets` has room for count + 1. Free *out by graze_free().
GRAZE_API graze_status graze_raycast_all_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                               size_t* offsets, graze_hit** out);
/// The same with t and the triangle of each hit alone.
GRAZE_API graze_status graze_raycast_all_brief_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target,
                                                     const graze_ray_options* options, size_t* offsets, graze_brief_hit** out);

// ---- one shape at many poses, `stride` bytes apart ---------------------------------------------------------------------------------------
// Element i answers `a` at poses[i] against b; `a` itself is not placed.

GRAZE_API graze_status graze_intersects_poses(const graze_ref* a, const graze_pose* poses, size_t count, size_t stride, const graze_ref* b, uint8_t* out);
GRAZE_API graze_status graze_within_poses(const graze_ref* a, const graze_pose* poses, size_t count, size_t stride, const graze_ref* b, double distance,
                                          uint8_t* out);
GRAZE_API graze_status graze_closest_poses(const graze_ref* a, const graze_pose* poses, size_t count, size_t stride, const graze_ref* b,
                                           graze_closest_points* out);

// ---- pairs of shapes, placed or not ------------------------------------------------------------------------------------------------------
// Pair i is a[i] and b[i]. Strides are those of graze_ref; to pair one shape with all of b, see the functions above or fill `a` with it.

GRAZE_API graze_status graze_intersects_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, uint8_t* out);
GRAZE_API graze_status graze_within_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, double distance,
                                          uint8_t* out);
GRAZE_API graze_status graze_closest_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, graze_closest_points* out);
/// The same with one hint for each pair, as graze_closest_with_hint().
GRAZE_API graze_status graze_closest_pairs_with_hints(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count,
                                                      graze_pair_hint* hints, graze_closest_points* out);
/// The error is that of the lowest pair that graze_relation() refuses; all pairs that it accepts have their answers then, the others' elements are unchanged.
GRAZE_API graze_status graze_relation_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, graze_relation_kind* out);
/// graze_manifold_into() of each pair: the manifolds of pair i are out[offsets[i]] .. out[offsets[i + 1] - 1]. `offsets` has room for count + 1, `out` for
/// `room` manifolds. Where there are more, all offsets are set, `out` holds the first `room` manifolds, and a pair i with offsets[i + 1] <= room has all of its
/// own; no call is needed but for the pairs after it. `hints` may be null; else it has one hint for each pair.
GRAZE_API graze_status graze_manifold_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, size_t* offsets,
                                            graze_fixed_manifold* out, size_t room, graze_pair_hint* hints);

// ---- arrays of plain structs -------------------------------------------------------------------------------------------------------------

/// Pairs of plain structs of two kinds, packed: a[i] of kind_a and b[i] of kind_b. The most frequent pairs (spheres, capsules, triangles, boxes, oriented
/// boxes, segments) use SIMD lanes. Refuses kinds without a plain struct.
GRAZE_API graze_status graze_intersects_arrays(graze_kind kind_a, const void* a, graze_kind kind_b, const void* b, size_t count, uint8_t* out);
GRAZE_API graze_status graze_closest_arrays(graze_kind kind_a, const void* a, graze_kind kind_b, const void* b, size_t count, graze_closest_points* out);

// ---- sweeps ------------------------------------------------------------------------------------------------------------------------------

/// graze_sweep() of a[i] by motions[i], three doubles each.
GRAZE_API graze_status graze_sweep_batch(const graze_ref* a, size_t stride, const double* motions, size_t motion_stride, size_t count, const graze_ref* b,
                                         const graze_sweep_options* options, graze_sweep_hit* out);

#ifdef __cplusplus
}
#endif

#endif
