// The C interface: status codes and errors, memory, version, threads, poses, and references to shapes. Include <graze/graze.h>.
#ifndef GRAZE_C_BASE_H
#define GRAZE_C_BASE_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#ifdef GRAZE_C_BUILD
#define GRAZE_API __declspec(dllexport)
#else
#define GRAZE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GRAZE_API __attribute__((visibility("default")))
#else
#define GRAZE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- status ------------------------------------------------------------------------------------------------------------------------------

/// What a function returns that can fail: GRAZE_OK, or the kind of input that it refuses. The order is that of ErrorCode in <graze/error.hpp>.
typedef enum graze_status {
  GRAZE_OK = 0,
  GRAZE_INVALID_ARGUMENT,   ///< an argument, option or size that the function does not accept; also a null pointer
  GRAZE_INVALID_SHAPE,      ///< a shape, mesh or pose that is not valid
  GRAZE_UNSUPPORTED_SHAPE,  ///< a shape of a kind for which the function has no answer
  GRAZE_UNKNOWN_ID,         ///< an id that no member, body or box has
  GRAZE_OVERFLOW,           ///< valid input whose result is beyond the largest double, or beyond 32-bit numbers
  GRAZE_UNREADABLE_FILE,    ///< a file that is missing, or cannot be opened or read
  GRAZE_MALFORMED_FILE,     ///< a file whose content is not valid, or of an unknown format
  GRAZE_TOO_LARGE,          ///< a file or model beyond the limit on its size
  GRAZE_UNWRITABLE_FILE,    ///< a file that cannot be written
  GRAZE_BAD_SNAPSHOT,       ///< bytes that are no snapshot, or one of another world
  GRAZE_CANCELLED,          ///< the caller's progress function ended the call
  GRAZE_INTERNAL,           ///< a defect of the library: please report it
  GRAZE_OUT_OF_MEMORY
} graze_status;

/// Returns the name of a status, such as "invalid_shape". Never null.
GRAZE_API const char* graze_status_name(graze_status status);

/// Returns the text of the calling thread's last error: that of the C++ exception, which names the place, the value and what was expected. "" before the first
/// error. A call that succeeds does not change it. Valid until the next error of the thread.
GRAZE_API const char* graze_last_error(void);

// ---- library -----------------------------------------------------------------------------------------------------------------------------

/// Returns the version of the linked library, "major.minor.patch".
GRAZE_API const char* graze_version(void);

/// Returns the CPU level in use: "scalar", "sse4", "avx2", "avx512" or "neon". Answers never depend on it.
GRAZE_API const char* graze_cpu_level(void);

/// Sets how many threads the library uses from now on; 0 means all cores. Results never depend on it. Callable at any time.
GRAZE_API void graze_set_threads(int n);

/// Frees an array that a function returned. Null is allowed.
GRAZE_API void graze_free(void* memory);

/// Receives the fraction of a call's work that is done, from 0 to 1 and never decreasing. Returning 0 ends the call with GRAZE_CANCELLED. Never called
/// concurrently, but from any of the library's threads.
typedef int (*graze_progress)(double done, void* user);

/// Sets the function to which the calls of this thread report from now on, and by which they are cancelled: all batches and scene queries, construction,
/// reading, and whatever else may take long. Null ends that. `user` must live until then.
///
/// A function with a graze_progress of its own reports to that instead; the thread's function decides as well. Other calls report each of their passes over
/// their data from 0 to 1. Once the function has returned 0, further calls of the thread end, too, until another one is set. Arrays that a cancelled call was
/// to fill hold some of the answers. Functions that change an object (graze_scene_move(), graze_world_step(), ...) are never interrupted. The function may
/// call the library, but not graze_set_progress().
GRAZE_API graze_status graze_set_progress(graze_progress progress, void* user);

/// Asked some fifty times a second by a thread that waits for an object that another call uses; returning 0 ends its call with GRAZE_CANCELLED.
typedef int (*graze_waiting)(void* user);

/// Sets the function that all threads ask from now on while they wait for a scene, world, mover, broad phase, report or plan (see "Threads" in
/// <graze/graze.h>), such as one that looks for signals. Null ends that. It may be called concurrently. A thread that waits outside callbacks asks the function
/// of graze_set_progress(), too.
GRAZE_API graze_status graze_set_waiting(graze_waiting function, void* user);

// ---- poses -------------------------------------------------------------------------------------------------------------------------------

/// A rotation matrix by rows, and a translation. A vertex (x, y, z) moves to ((R_i0 x + R_i1 y) + R_i2 z) + T_i, every operation rounded to double. Exact
/// decisions are about the resulting coordinates.
typedef struct graze_pose {
  double rotation[3][3];
  double translation[3];  ///< length
} graze_pose;

#define GRAZE_POSE_IDENTITY                        \
  {                                                \
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, { 0, 0, 0 } \
  }

/// The pose of a quaternion of any non-zero length. Equal components give exact quarter, half and third turns.
GRAZE_API graze_status graze_pose_from_quaternion(double w, double x, double y, double z, const double translation[3], graze_pose* out);

/// The pose of a matrix by rows. Refused unless every entry of R^T R differs from the identity's by at most 1e-12, and if it is a reflection.
GRAZE_API graze_status graze_pose_from_matrix(const double rows[9], const double translation[3], graze_pose* out);

/// The pose of the rotation nearest to a matrix by rows, for matrices in single precision or of products: a rounding step, with the same bits everywhere. A
/// matrix that graze_pose_from_matrix() accepts is kept as it is. Otherwise each entry of the result differs from the given one by at most `tolerance`, from 0
/// to 0.1, or the matrix is refused. 1e-6 is enough for single precision.
GRAZE_API graze_status graze_pose_nearest(const double rows[9], double tolerance, const double translation[3], graze_pose* out);

/// The pose of a 4x4 matrix by rows, for column vectors. With `tolerance` 0 the rotation is read as by graze_pose_from_matrix(), otherwise as by
/// graze_pose_nearest(). The last row must be 0 0 0 1.
GRAZE_API graze_status graze_pose_from_matrix4(const double rows[16], double tolerance, graze_pose* out);

/// graze_pose_from_quaternion() of many: quaternions w x y z, and three doubles of each translation; null translations are 0. Strides are in bytes, 0 if
/// packed. An error names the index; the poses before it are set then.
GRAZE_API graze_status graze_poses_from_quaternions(const double* quaternions, size_t quaternion_stride, const double* translations, size_t translation_stride,
                                                    size_t count, graze_pose* out);

/// graze_pose_from_matrix4() of many, 16 doubles each. An error names the index; the poses before it are set then.
GRAZE_API graze_status graze_poses_from_matrices4(const double* matrices, size_t stride, size_t count, double tolerance, graze_pose* out);

/// The 4x4 matrix of a pose by rows.
GRAZE_API graze_status graze_pose_matrix4(const graze_pose* pose, double out[16]);

/// `n` exact quarter turns about axis 0 (x), 1 (y) or 2 (z), counter-clockwise seen from its positive end. n may be negative.
GRAZE_API graze_status graze_pose_quarter_turn(int axis, int n, const double translation[3], graze_pose* out);

/// The pose that places by `inner` and then by `outer`, rounded. Applying it is not applying both in turn to the bit.
GRAZE_API graze_status graze_pose_compose(const graze_pose* outer, const graze_pose* inner, graze_pose* out);

/// The pose that undoes a pose up to rounding.
GRAZE_API graze_status graze_pose_inverse(const graze_pose* pose, graze_pose* out);

/// The placed point.
GRAZE_API graze_status graze_pose_apply(const graze_pose* pose, const double point[3], double out[3]);

/// The rotated direction, without the translation.
GRAZE_API graze_status graze_pose_rotate(const graze_pose* pose, const double direction[3], double out[3]);

// ---- references to shapes ----------------------------------------------------------------------------------------------------------------

/// A shape in memory of the library: of any kind, immutable, counted. See graze_shape_create() and the other functions of <graze/c/handles.h>.
typedef struct graze_shape graze_shape;

/// The kind of a shape: GRAZE_POINT, GRAZE_SPHERE, ... of <graze/c/shapes.h>. An int32_t, as all enumerations that a caller passes, so that a wrong value is an
/// error and not undefined behaviour.
typedef int32_t graze_kind;
enum {
  GRAZE_HANDLE = 255  ///< in a graze_ref: a graze_shape of whatever kind
};

/// Refers to a shape: the parameter of every query. Of a simple kind (GRAZE_SPHERE, ...) `shape` points to its plain struct in memory of the caller; for
/// GRAZE_HANDLE to a graze_shape. `pose` is null unless the shape is placed. All that it points to must live until the call returns.
///
/// Queries do not validate shapes. On an invalid one (NaN, a zero direction, a negative radius, a matrix that is no rotation) their answer is meaningless, but
/// they end and do not crash. graze_validate() tells.
typedef struct graze_ref {
  graze_kind kind;
  const void* shape;
  const graze_pose* pose;
} graze_ref;

/// Refuses a shape that is not valid, placed or not; graze_last_error() names the field and the value ("sphere: radius is -1, must be >= 0").
GRAZE_API graze_status graze_validate(const graze_ref* shape);

/// Refers to a plain struct: graze_plain(GRAZE_SPHERE, &sphere).
static inline graze_ref graze_plain(graze_kind kind, const void* shape) {
  graze_ref ref;
  ref.kind = kind;
  ref.shape = shape;
  ref.pose = NULL;
  return ref;
}

/// Refers to an owned shape.
static inline graze_ref graze_handle(const graze_shape* shape) { return graze_plain(GRAZE_HANDLE, shape); }

/// Returns the same shape placed by a pose, which must outlive the reference.
static inline graze_ref graze_at(graze_ref shape, const graze_pose* pose) {
  shape.pose = pose;
  return shape;
}

#ifdef __cplusplus
}
#endif

#endif
