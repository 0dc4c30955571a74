// The C interface: worlds.
#include <graze/graze.h>
#include <cstdint>
#include <graze/world.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "c/call.hpp"
#include "c/objects.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

Emitter emitter_of(const Call& call, const graze_emitter* given) {
  (void)call.required("emitter", given);
  const graze_emitter e = call.options("emitter", given, *given);
  Emitter out;
  out.origin = call.vector("emitter", e.origin);
  out.spread = call.vector("emitter", e.spread);
  out.velocity = call.vector("emitter", e.velocity);
  out.velocity_spread = call.vector("emitter", e.velocity_spread);
  out.slow = e.slow;
  out.floor = e.floor;
  out.life = e.life;
  out.own_origin = e.own_origin != 0;
  return out;
}

BodyOptions body_options(const Call& call, const graze_body_options* given) {
  const graze_body_options o = call.options("options", given, graze_body_options GRAZE_BODY_OPTIONS_INIT);
  BodyOptions out;
  out.velocity = call.vector("options", o.velocity);
  out.material = material_of(&o.material);
  out.drag = o.drag;
  out.gravity_scale = o.gravity_scale;
  out.meets = o.meets;
  out.fuse = o.fuse;
  out.rest_speed = o.rest_speed;
  return out;
}

graze_impact plain_event(const ImpactEvent& e) {
  graze_impact out;
  out.time = e.time;
  out.a = e.a;
  out.b = e.b;
  put(out.point, e.point);
  put(out.normal, e.normal);
  out.speed = e.speed;
  out.triangle = index_of(e.triangle);
  return out;
}
graze_stop plain_event(const StopEvent& e) { return {e.time, e.a, e.b, {e.point.x, e.point.y, e.point.z}}; }
graze_respawn plain_event(const RespawnEvent& e) { return {e.time, e.body}; }
graze_explosion plain_event(const ExplodeEvent& e) { return {e.time, e.body, {e.point.x, e.point.y, e.point.z}}; }

/// An array of the caller's that is written with a stride; null is allowed.
template <class C>
class Room {
 public:
  Room(const Call& call, const char* argument, void* data, std::size_t count, std::size_t stride)
      : data_(static_cast<char*>(data)), stride_(stride == 0 ? sizeof(C) : stride) {
    if (data) call.require_array(argument, data, count, stride, sizeof(C));
  }
  C& operator[](std::size_t i) const { return *reinterpret_cast<C*>(data_ + i * stride_); }

 private:
  char* data_;
  std::size_t stride_;
};

void require_bodies(const Call& call, const World& w, std::size_t count) {
  if (count != w.bodies()) call.refuse("count", "is " + std::to_string(count) + ", must be the number of bodies, " + std::to_string(w.bodies()));
}

/// The events of the last step, which `list` selects.
template <class C, class F>
graze_status events(const char* function, const graze_world* world, C** out, std::size_t* count, const F& list) {
  return guarded(function, [&](const Call& call) {
    const auto w = world_of(call, world);
    call.require_list(out, count);
    give(out, count, list(*w), [](const auto& event) { return plain_event(event); });
  });
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_world_create(const graze_world_options* options, graze_world** out) {
  return guarded(__func__, [&](const Call& call) {
    const graze_world_options o = call.options("options", options, graze_world_options GRAZE_WORLD_OPTIONS_INIT);
    (void)call.required("out", out);
    *out = new graze_world(WorldOptions{call.vector("options", o.gravity), o.seed, o.max_bounces, o.record_impacts != 0});
  });
}
graze_status graze_world_copy(const graze_world* world, graze_world** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    (void)call.required("out", out);
    *out = new graze_world(*w);
  });
}
void graze_world_free(graze_world* world) { delete world; }

// ---- members and bodies ------------------------------------------------------------------------------------------------------------------

graze_status graze_world_add_fixed(graze_world* world, const graze_ref* shape, const graze_material* material, const graze_member_options* options,
                                   graze_member* id) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    AnyShape owned = call.owned("shape", shape);
    const MemberId added = w->add_fixed(std::move(owned), call.pose_of(shape), c::material_of(material), c::member_options(call, options));
    if (id) *id = added;
  });
}
graze_status graze_world_move_fixed(graze_world* world, graze_member id, const graze_pose* pose) {
  return guarded(__func__, [&](const Call& call) { c::world_of(call, world)->move_fixed(id, call.pose("pose", pose)); });
}
graze_status graze_world_fixed(const graze_world* world, const graze_scene** out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = &call.required("world", world).fixed; });
}
graze_status graze_world_options_of(const graze_world* world, graze_world_options* out) {
  return guarded(__func__, [&](const Call& call) {
    const WorldOptions o = c::world_of(call, world)->options();
    graze_world_options& to = call.required("out", out);
    to.size = sizeof(graze_world_options);
    c::put(to.gravity, o.gravity);
    to.seed = o.seed;
    to.max_bounces = o.max_bounces;
    to.record_impacts = o.record_impacts;
  });
}
graze_status graze_world_add_moving(graze_world* world, const graze_ref* shape, const graze_body_options* options, graze_body* id) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    AnyShape owned = call.owned("shape", shape);
    const BodyId added = w->add_moving(std::move(owned), call.pose_of(shape), c::body_options(call, options));
    if (id) *id = added;
  });
}
graze_status graze_world_add_emitter(graze_world* world, const graze_ref* shape, size_t count, const graze_emitter* emitter, const graze_body_options* options,
                                     graze_body* first) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    const BodyId added = w->add_emitter(call.unplaced("shape", shape), count, c::emitter_of(call, emitter), c::body_options(call, options));
    if (first) *first = added;
  });
}
graze_status graze_world_remove(graze_world* world, graze_body id) {
  return guarded(__func__, [&](const Call& call) { c::world_of(call, world)->remove(id); });
}
graze_status graze_world_bodies(const graze_world* world, size_t* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::world_of(call, world)->bodies(); });
}
graze_status graze_world_alive(const graze_world* world, graze_body id, int* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::world_of(call, world)->alive(id); });
}
graze_status graze_world_shape(const graze_world* world, graze_body id, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    const AnyShape& shape = w->shape(id);
    (void)call.required("out", out);
    *out = c::make_shape(shape);
  });
}
graze_status graze_world_pose(const graze_world* world, graze_body id, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::to_c(c::world_of(call, world)->pose(id)); });
}
graze_status graze_world_position(const graze_world* world, graze_body id, double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 p = c::world_of(call, world)->position(id);
    c::put_to(&call.required("out", out), p);
  });
}
graze_status graze_world_velocity(const graze_world* world, graze_body id, double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 v = c::world_of(call, world)->velocity(id);
    c::put_to(&call.required("out", out), v);
  });
}
graze_status graze_world_states(const graze_world* world, size_t count, graze_pose* poses, size_t pose_stride, double* velocities, size_t velocity_stride,
                                uint8_t* alive) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    c::require_bodies(call, *w, count);
    const c::Room<graze_pose> pose_room(call, "poses", poses, count, pose_stride);
    const c::Room<double[3]> velocity_room(call, "velocities", velocities, count, velocity_stride);
    for (std::size_t i = 0; i < count; ++i) {
      const auto id = static_cast<BodyId>(i);
      const bool lives = w->alive(id);
      if (alive) alive[i] = lives;
      if (!lives) continue;
      if (poses) pose_room[i] = c::to_c(w->pose(id));
      if (velocities) c::put(velocity_room[i], w->velocity(id));
    }
  });
}
graze_status graze_world_positions(const graze_world* world, size_t count, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    c::require_bodies(call, *w, count);
    const auto room = call.room("out", out, 3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto id = static_cast<BodyId>(i);
      if (w->alive(id)) c::put_to(&room[3 * i], w->position(id));
    }
  });
}
graze_status graze_world_set_velocity(graze_world* world, graze_body id, const double velocity[3]) {
  return guarded(__func__, [&](const Call& call) { c::world_of(call, world)->set_velocity(id, call.vector("velocity", velocity)); });
}

// ---- time and events ---------------------------------------------------------------------------------------------------------------------

graze_status graze_world_step(graze_world* world, double dt) {
  return guarded(__func__, [&](const Call& call) { c::world_of(call, world)->step(dt); });
}
graze_status graze_world_time(const graze_world* world, double* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::world_of(call, world)->time(); });
}
graze_status graze_world_steps(const graze_world* world, uint64_t* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::world_of(call, world)->steps(); });
}
graze_status graze_world_kinetic_energy(const graze_world* world, double* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::world_of(call, world)->kinetic_energy(); });
}
graze_status graze_world_impacts(const graze_world* world, graze_impact** out, size_t* count) {
  return c::events(
      __func__, world, out, count, [](const World& w) -> const auto& { return w.impacts(); });
}
graze_status graze_world_stops(const graze_world* world, graze_stop** out, size_t* count) {
  return c::events(
      __func__, world, out, count, [](const World& w) -> const auto& { return w.stops(); });
}
graze_status graze_world_respawns(const graze_world* world, graze_respawn** out, size_t* count) {
  return c::events(
      __func__, world, out, count, [](const World& w) -> const auto& { return w.respawns(); });
}
graze_status graze_world_explosions(const graze_world* world, graze_explosion** out, size_t* count) {
  return c::events(
      __func__, world, out, count, [](const World& w) -> const auto& { return w.explosions(); });
}
graze_status graze_world_shoot(const graze_world* world, const graze_ray* ray, double t_max, graze_shot_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    const Ray& r = call.plain<Ray>("ray", ray);
    graze_shot_hit& to = call.required("out", out);
    const std::optional<ShotHit> hit = w->shoot(r, t_max);
    to.body = hit && hit->body;
    to.id = hit ? hit->id : 0;
    to.hit = c::to_c(hit ? std::optional<Hit>(hit->hit) : std::nullopt);
  });
}
graze_status graze_world_snapshot(const graze_world* world, uint8_t** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    call.require_list(out, count);
    c::give(out, count, w->snapshot());
  });
}
graze_status graze_world_restore(graze_world* world, const uint8_t* snapshot, size_t count) {
  return guarded(__func__, [&](const Call& call) {
    const auto w = c::world_of(call, world);
    if (count != 0) (void)call.required("snapshot", snapshot);
    w->restore(std::span<const std::uint8_t>(snapshot, count));
  });
}
