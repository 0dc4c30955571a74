// The C interface: rays against one shape.
#include <graze/graze.h>
#include <graze/query/brief_hits.hpp>
#include <graze/query/raycast.hpp>

#include "c/call.hpp"
#include "c/results.hpp"

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_raycast(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, graze_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef r = call.shape("ray", ray), t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    call.required("out", out) = c::to_c(raycast(r, t, o));
  });
}
graze_status graze_raycast_brief(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, graze_brief_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef r = call.shape("ray", ray), t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    call.required("out", out) = c::to_c(raycast_brief(r, t, o));
  });
}
graze_status graze_raycast_any(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, int* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef r = call.shape("ray", ray), t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    call.required("out", out) = raycast_any(r, t, o);
  });
}
graze_status graze_raycast_all(const graze_ref* ray, const graze_ref* target, const graze_ray_options* options, graze_hit** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef r = call.shape("ray", ray), t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    call.require_list(out, count);
    c::give(out, count, raycast_all(r, t, o), [](const Hit& hit) { return c::to_c(std::optional<Hit>(hit)); });
  });
}
