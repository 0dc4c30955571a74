// Graze in C (C99): exact collision queries. Link with graze::c of CMake, or by pkg-config with graze-c. docs/c.md is the guide.
//
// Units: lengths have one unit, which the caller chooses; angles are radians; time is in seconds. Results are in the frame of the arguments (the world).
// Guarantees: every function answers as the C++ function of the same name, bit for bit; docs/accuracy.md states what is exact. Sets are closed: touching shapes
// intersect.
// Errors: a function that can fail returns a graze_status; graze_last_error() has the text. After an error `out` arguments are unchanged, unless the function
// says otherwise. Required pointers that are null, unknown enumerators and sizes are errors, not crashes.
// Absence: numbers of triangles, parts and children are -1, vectors have a flag `has_...`, hits a flag `hit`.
// Ownership: arrays that a function returns are freed by graze_free(); objects by the function `..._free` or `..._release` of their type. Nothing that is
// passed in is kept, unless the function says so. Options: structs whose first member is their size. Begin with the initialiser (GRAZE_RAY_OPTIONS_INIT, ...),
// which sets it and the defaults; null means all defaults. Batches: element i answers as a single call would, bit for bit. They run on all cores. A stride is
// in bytes from one element to the next, 0 if they are packed; it is a multiple of the alignment of a double. Callbacks may be called from any of
// the library's threads; those of filters also concurrently.
// Threads: all functions may be called concurrently, but for the one that frees an object. Shapes are immutable. A scene, world, mover, broad phase, report or
// plan is read by many calls at a time, or changed by one, which has it to itself: a call waits for those that came before it, in order, and answers for the
// object as it is then. The functions on a const object read it, the others change it; a mover reads its scene. A callback may ask about the object of the call
// that it belongs to, and may change others; changing the object of the call is an error, and so is what would wait for the call in any other way. A callback
// must not wait for another thread that uses the object. graze_set_waiting() ends waiting. In a child of fork() an object that another thread was using is
// refused.
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H
#include <graze/c/assembly.h>
#include <graze/c/base.h>
#include <graze/c/batches.h>
#include <graze/c/clash.h>
#include <graze/c/handles.h>
#include <graze/c/io.h>
#include <graze/c/query.h>
#include <graze/c/scene.h>
#include <graze/c/shapes.h>
#include <graze/c/sweep.h>
#include <graze/c/world.h>

#endif
