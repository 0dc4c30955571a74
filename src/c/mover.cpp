// The C interface: movers.
#include <graze/graze.h>
#include <cstdint>
#include <graze/mover.hpp>
#include <span>

#include "c/call.hpp"
#include "c/objects.hpp"
#include "c/results.hpp"

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_mover_create(const graze_scene* scene, const graze_ref* body, const double position[3], const graze_mover_options* options,
                                graze_mover** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    AnyShape shape = call.unplaced("body", body);
    const Vec3 at = call.vector("position", position);
    const graze_mover_options o = call.options("options", options, graze_mover_options GRAZE_MOVER_OPTIONS_INIT);
    (void)call.required("out", out);
    const MoverOptions mover_options{call.vector("options", o.up), o.step_height, o.steepest_slope, o.max_slides};
    *out = new graze_mover{{}, *scene, Mover(*s, std::move(shape), at, mover_options)};
  });
}
graze_status graze_mover_copy(const graze_mover* mover, graze_mover** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto m = c::mover_of(call, mover);
    (void)call.required("out", out);
    *out = new graze_mover{{}, mover->scene, *m.mover};
  });
}
void graze_mover_free(graze_mover* mover) { delete mover; }

graze_status graze_mover_move(graze_mover* mover, const double wish[3], graze_mover_result* out) {
  return guarded(__func__, [&](const Call& call) {
    const MoverResult r = c::mover_of(call, mover)->move(call.vector("wish", wish));
    if (!out) return;
    out->grounded = r.grounded;
    c::put(out->ground_normal, r.ground_normal);
    out->ground = c::index_of(r.ground);
    out->contacts = r.contacts;
    c::put(out->carried, r.carried);
    out->enclosed = r.enclosed;
  });
}
graze_status graze_mover_pose(const graze_mover* mover, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::to_c(c::mover_of(call, mover)->pose()); });
}
graze_status graze_mover_enclosed(const graze_mover* mover, int* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::mover_of(call, mover)->enclosed(); });
}
graze_status graze_mover_set_position(graze_mover* mover, const double position[3]) {
  return guarded(__func__, [&](const Call& call) { c::mover_of(call, mover)->set_position(call.vector("position", position)); });
}
graze_status graze_mover_snapshot(const graze_mover* mover, uint8_t** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto m = c::mover_of(call, mover);
    call.require_list(out, count);
    c::give(out, count, m->snapshot());
  });
}
graze_status graze_mover_restore(graze_mover* mover, const uint8_t* snapshot, size_t count) {
  return guarded(__func__, [&](const Call& call) {
    const auto m = c::mover_of(call, mover);
    if (count != 0) (void)call.required("snapshot", snapshot);
    m->restore(std::span<const std::uint8_t>(snapshot, count));
  });
}
