// The C interface: sweeps along lines and screws, and the response to contacts.
#include <graze/graze.h>
#include <graze/response.hpp>
#include <graze/sweep.hpp>
#include <optional>

#include "c/call.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

Screw screw_of(const Call& call, const char* argument, const graze_screw* s) {
  (void)call.required(argument, s);
  return {call.vector(argument, s->center), call.vector(argument, s->axis), s->angle, call.vector(argument, s->displacement)};
}

graze_bounce_hit plain_hit(const BounceHit& hit) {
  graze_bounce_hit out;
  out.time = hit.time;
  put(out.point, hit.point);
  put(out.normal, hit.normal);
  put(out.velocity_before, hit.velocity_before);
  put(out.velocity_after, hit.velocity_after);
  out.triangle = index_of(hit.triangle);
  return out;
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_sweep(const graze_ref* a, const double motion[3], const graze_ref* b, const graze_sweep_options* options, graze_sweep_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    const Vec3 m = call.vector("motion", motion);
    const SweepOptions o = c::sweep_options(call, options);
    call.required("out", out) = c::to_c(sweep(x, m, y, o));
  });
}
graze_status graze_sweep_both(const graze_ref* a, const double motion_a[3], const graze_ref* b, const double motion_b[3], const graze_sweep_options* options,
                              graze_sweep_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    const Vec3 m = call.vector("motion_a", motion_a), n = call.vector("motion_b", motion_b);
    const SweepOptions o = c::sweep_options(call, options);
    call.required("out", out) = c::to_c(sweep(x, m, y, n, o));
  });
}
graze_status graze_screw_between(const graze_pose* from, const graze_pose* to, const double center[3], graze_screw* out) {
  return guarded(__func__, [&](const Call& call) {
    const Screw s = Screw::between(call.pose("from", from), call.pose("to", to), call.vector("center", center));
    graze_screw& screw = call.required("out", out);
    c::put(screw.center, s.center);
    c::put(screw.axis, s.axis);
    screw.angle = s.angle;
    c::put(screw.displacement, s.displacement);
  });
}
graze_status graze_screw_at(const graze_screw* screw, double t, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const Pose pose = c::screw_of(call, "screw", screw).at(t);
    call.required("out", out) = c::to_c(pose);
  });
}
graze_status graze_sweep_screw(const graze_ref* a, const graze_screw* motion, const graze_ref* b, const graze_rigid_sweep_options* options,
                               graze_sweep_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    const Screw m = c::screw_of(call, "motion", motion);
    const graze_rigid_sweep_options o = call.options("options", options, graze_rigid_sweep_options GRAZE_RIGID_SWEEP_OPTIONS_INIT);
    call.required("out", out) = c::to_c(sweep(x, m, y, RigidSweepOptions{o.tolerance, o.budget}));
  });
}

// ---- response ----------------------------------------------------------------------------------------------------------------------------

graze_status graze_respond(const double v[3], const double normal[3], const graze_material* material, double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 r = respond(call.vector("v", v), call.vector("normal", normal), c::material_of(material));
    c::put_to(&call.required("out", out), r);
  });
}
graze_status graze_slide(const double v[3], const double normal[3], double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 r = slide(call.vector("v", v), call.vector("normal", normal));
    c::put_to(&call.required("out", out), r);
  });
}
graze_status graze_bounce(const graze_ref* body, const double velocity[3], double dt, const graze_ref* target, const graze_material* material,
                          const graze_bounce_options* options, graze_bounce_step* out, graze_bounce_hit** hits, size_t* hit_count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("body", body), y = call.shape("target", target);
    const Vec3 v = call.vector("velocity", velocity);
    const graze_bounce_options o = call.options("options", options, graze_bounce_options GRAZE_BOUNCE_OPTIONS_INIT);
    graze_bounce_step& to = call.required("out", out);
    if (hits) (void)call.required("hit_count", hit_count);
    const BounceStep step = bounce(x, v, dt, y, c::material_of(material), {o.max_bounces, o.sliding != 0});
    if (hits) c::give(hits, hit_count, step.hits, [](const BounceHit& hit) { return c::plain_hit(hit); });
    to.pose = c::to_c(step.pose);
    c::put(to.position, step.position);
    c::put(to.velocity, step.velocity);
    to.stopped = step.stopped;
  });
}
