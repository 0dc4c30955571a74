// The C interface: scenes, their members and queries.
#include <graze/graze.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <graze/postures.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "c/call.hpp"
#include "c/objects.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

SceneFilter scene_filter(const Call& call, const graze_scene_filter* given) {
  const graze_scene_filter o = call.options("filter", given, graze_scene_filter GRAZE_SCENE_FILTER_INIT);
  SceneFilter out;
  out.groups = o.groups;
  if (o.accept) out.accept = as_callback([o](MemberId id) { return o.accept(id, o.accept_user) != 0; });
  return out;
}

graze_scene_hit plain_hit(const std::optional<SceneHit>& hit) {
  return hit ? graze_scene_hit{std::int64_t{hit->member}, to_c(std::optional<Hit>(hit->hit))} : graze_scene_hit{-1, to_c(std::optional<Hit>())};
}
graze_scene_sweep_hit plain_hit(const std::optional<SceneSweepHit>& hit) {
  return hit ? graze_scene_sweep_hit{std::int64_t{hit->member}, to_c(std::optional<SweepHit>(hit->hit))}
             : graze_scene_sweep_hit{-1, to_c(std::optional<SweepHit>())};
}
graze_scene_pair plain_pair(const ScenePair& pair) {
  graze_scene_pair out;
  out.a = pair.a;
  out.b = pair.b;
  out.distance = pair.distance;
  put(out.on_a, pair.on_a);
  put(out.on_b, pair.on_b);
  out.relation = pair.relation ? static_cast<std::int64_t>(*pair.relation) : -1;
  return out;
}

PairsOptions scene_pair_options(const Call& call, const graze_scene_pair_options* given) {
  const graze_scene_pair_options o = call.options("options", given, graze_scene_pair_options GRAZE_SCENE_PAIR_OPTIONS_INIT);
  PairsOptions out;
  out.within = o.within;
  out.witnesses = o.witnesses != 0;
  out.relations = o.relations != 0;
  if (o.accept) out.accept = as_callback([o](MemberId a, MemberId b) { return o.accept(a, b, o.accept_user) != 0; });
  std::vector<std::pair<MemberId, MemberId>> excluded;
  if (o.excluded_count != 0) (void)call.required("options.excluded", o.excluded);
  for (std::size_t i = 0; i < o.excluded_count; ++i) excluded.emplace_back(o.excluded[i].a, o.excluded[i].b);
  out.excluded = MemberPairs(std::move(excluded));
  return out;
}

void put_pair(const std::optional<ScenePair>& pair, graze_scene_pair* out, int* has) {
  *has = pair.has_value();
  if (pair) *out = plain_pair(*pair);
}

/// The number of poses of so many postures.
std::size_t pose_count(const Call& call, const Postures& postures, std::size_t count) {
  const std::size_t members = postures.members().size();
  if (count > (members == 0 ? 0 : SIZE_MAX / sizeof(Pose) / members))
    call.refuse("count", "is " + std::to_string(count) + ", too many for " + std::to_string(members) + " moving members");
  return count * members;
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

// ---- members -----------------------------------------------------------------------------------------------------------------------------

graze_status graze_scene_create(graze_scene** out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = new c::OwnScene; });
}
graze_status graze_scene_copy(const graze_scene* scene, graze_scene** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    (void)call.required("out", out);
    *out = new c::OwnScene(*s);
  });
}
void graze_scene_free(graze_scene* scene) { delete static_cast<c::OwnScene*>(scene); }

graze_status graze_scene_add(graze_scene* scene, const char* name, const graze_ref* shape, const graze_member_options* options, graze_member* id) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    AnyShape owned = call.owned("shape", shape);
    const MemberId added = s->add(name ? name : "", std::move(owned), call.pose_of(shape), c::member_options(call, options));
    if (id) *id = added;
  });
}
graze_status graze_scene_move(graze_scene* scene, graze_member id, const graze_pose* pose) {
  return guarded(__func__, [&](const Call& call) { c::scene_of(call, scene)->move(id, call.pose("pose", pose)); });
}
graze_status graze_scene_move_batch(graze_scene* scene, const graze_member* ids, const graze_pose* poses, size_t count, size_t stride) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    if (count != 0) (void)call.required("ids", ids);
    const auto p = call.array<Pose>("poses", poses, count, stride);
    s->move(std::span<const MemberId>(ids, count), p.view());
  });
}
graze_status graze_scene_replace(graze_scene* scene, graze_member id, const graze_ref* shape) {
  return guarded(__func__, [&](const Call& call) { c::scene_of(call, scene)->replace(id, call.unplaced("shape", shape)); });
}
graze_status graze_scene_remove(graze_scene* scene, graze_member id) {
  return guarded(__func__, [&](const Call& call) { c::scene_of(call, scene)->remove(id); });
}
graze_status graze_scene_has(const graze_scene* scene, graze_member id, int* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::scene_of(call, scene)->has(id); });
}
graze_status graze_scene_size(const graze_scene* scene, size_t* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::scene_of(call, scene)->size(); });
}
graze_status graze_scene_members(const graze_scene* scene, graze_member** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    call.require_list(out, count);
    c::give(out, count, s->members());
  });
}
graze_status graze_scene_name(const graze_scene* scene, graze_member id, char** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const std::string& name = s->name(id);
    (void)call.required("out", out);
    *out = c::allocate<char>(name.size() + 1);
    std::memcpy(*out, name.c_str(), name.size() + 1);
  });
}
graze_status graze_scene_shape(const graze_scene* scene, graze_member id, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const AnyShape& shape = s->shape(id);
    (void)call.required("out", out);
    *out = c::make_shape(shape);
  });
}
graze_status graze_scene_pose(const graze_scene* scene, graze_member id, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::to_c(c::scene_of(call, scene)->pose(id)); });
}
graze_status graze_scene_options(const graze_scene* scene, graze_member id, graze_member_options* out) {
  return guarded(__func__, [&](const Call& call) {
    const MemberOptions o = c::scene_of(call, scene)->options(id);
    call.required("out", out) = {sizeof(graze_member_options), o.group, o.meets};
  });
}

// ---- queries -----------------------------------------------------------------------------------------------------------------------------

graze_status graze_scene_raycast(const graze_scene* scene, const graze_ref* ray, const graze_ray_options* options, const graze_scene_filter* filter,
                                 graze_scene_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef r = call.shape("ray", ray);
    const RayOptions o = c::ray_options(call, options);
    const SceneFilter f = c::scene_filter(call, filter);
    call.required("out", out) = c::plain_hit(s->raycast(r, o, f));
  });
}
graze_status graze_scene_raycast_all(const graze_scene* scene, const graze_ref* ray, const graze_ray_options* options, const graze_scene_filter* filter,
                                     graze_scene_hit** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef r = call.shape("ray", ray);
    const RayOptions o = c::ray_options(call, options);
    const SceneFilter f = c::scene_filter(call, filter);
    call.require_list(out, count);
    c::give(out, count, s->raycast_all(r, o, f), [](const SceneHit& hit) { return c::plain_hit(std::optional<SceneHit>(hit)); });
  });
}
graze_status graze_scene_raycast_batch(const graze_scene* scene, const graze_ray* rays, size_t count, size_t stride, const graze_ray_options* options,
                                       const graze_scene_filter* filter, graze_scene_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const auto r = call.array<Ray>("rays", rays, count, stride);
    const RayOptions o = c::ray_options(call, options);
    const SceneFilter f = c::scene_filter(call, filter);
    (void)call.room("out", out, count);
    c::in_pieces(count, [&](std::size_t begin, std::size_t end) {
      const std::vector<std::optional<SceneHit>> hits = s->raycast(c::ray_span(r.view().subspan(begin, end - begin), o), f);
      for (std::size_t i = begin; i < end; ++i) out[i] = c::plain_hit(hits[i - begin]);
    });
  });
}
graze_status graze_scene_sweep(const graze_scene* scene, const graze_ref* a, const double motion[3], const graze_sweep_options* options,
                               const graze_scene_filter* filter, graze_scene_sweep_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef x = call.shape("a", a);
    const Vec3 m = call.vector("motion", motion);
    const SweepOptions o = c::sweep_options(call, options);
    const SceneFilter f = c::scene_filter(call, filter);
    call.required("out", out) = c::plain_hit(s->sweep(x, m, o, f));
  });
}
graze_status graze_scene_sweep_between(const graze_scene* scene, const graze_ref* a, const double from[3], const double to[3],
                                       const graze_sweep_options* options, const graze_scene_filter* filter, graze_scene_sweep_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef x = call.shape("a", a);
    const SweepPath path{call.vector("from", from), call.vector("to", to)};
    const SweepOptions o = c::sweep_options(call, options);
    const SceneFilter f = c::scene_filter(call, filter);
    call.required("out", out) = c::plain_hit(s->sweep(x, path, o, f));
  });
}
graze_status graze_scene_sweep_all(const graze_scene* scene, const graze_ref* a, const double motion[3], const graze_sweep_options* options,
                                   const graze_scene_filter* filter, graze_scene_sweep_hit** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef x = call.shape("a", a);
    const Vec3 m = call.vector("motion", motion);
    const SweepOptions o = c::sweep_options(call, options);
    const SceneFilter f = c::scene_filter(call, filter);
    call.require_list(out, count);
    c::give(out, count, s->sweep_all(x, m, o, f), [](const SceneSweepHit& hit) { return c::plain_hit(std::optional<SceneSweepHit>(hit)); });
  });
}
graze_status graze_scene_overlapping(const graze_scene* scene, const graze_ref* shape, const graze_scene_filter* filter, graze_member** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef x = call.shape("shape", shape);
    const SceneFilter f = c::scene_filter(call, filter);
    call.require_list(out, count);
    c::give(out, count, s->overlapping(x, f));
  });
}
graze_status graze_scene_intersects(const graze_scene* scene, const graze_ref* shape, const graze_scene_filter* filter, int* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef x = call.shape("shape", shape);
    const SceneFilter f = c::scene_filter(call, filter);
    call.required("out", out) = s->intersects(x, f);
  });
}
graze_status graze_scene_closest(const graze_scene* scene, const graze_ref* shape, const graze_scene_filter* filter, int64_t* member,
                                 graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const ShapeRef x = call.shape("shape", shape);
    const SceneFilter f = c::scene_filter(call, filter);
    (void)call.required("member", member);
    (void)call.required("out", out);
    const std::optional<SceneClosest> found = s->closest(x, f);
    *member = found ? std::int64_t{found->member} : -1;
    if (found) *out = c::to_c(found->closest);
  });
}
graze_status graze_scene_visible(const graze_scene* scene, const graze_shape* frustum, const graze_scene_filter* filter, graze_member** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const Frustum& view = call.held<Frustum>("frustum", frustum);
    const SceneFilter f = c::scene_filter(call, filter);
    call.require_list(out, count);
    c::give(out, count, s->visible(view, f));
  });
}

// ---- pairs of members --------------------------------------------------------------------------------------------------------------------

graze_status graze_scene_pairs(const graze_scene* scene, const graze_scene_pair_options* options, graze_scene_pair** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const PairsOptions o = c::scene_pair_options(call, options);
    call.require_list(out, count);
    c::give(out, count, s->pairs(o), [](const ScenePair& pair) { return c::plain_pair(pair); });
  });
}
graze_status graze_scene_any_pair(const graze_scene* scene, const graze_scene_pair_options* options, graze_scene_pair* out, int* has) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const PairsOptions o = c::scene_pair_options(call, options);
    (void)call.required("out", out);
    (void)call.required("has", has);
    c::put_pair(s->any_pair(o), out, has);
  });
}
graze_status graze_scene_least_distance(const graze_scene* scene, const graze_scene_pair_options* options, graze_scene_pair* out, int* has) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    const PairsOptions o = c::scene_pair_options(call, options);
    (void)call.required("out", out);
    (void)call.required("has", has);
    c::put_pair(s->least_distance(o), out, has);
  });
}

// ---- many postures -----------------------------------------------------------------------------------------------------------------------

graze_status graze_postures_create(const graze_scene* scene, const graze_member* moving, size_t count, const graze_scene_pair_options* options,
                                   graze_postures** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto s = c::scene_of(call, scene);
    if (count != 0) (void)call.required("moving", moving);
    const PairsOptions o = c::scene_pair_options(call, options);
    (void)call.required("out", out);
    *out = new graze_postures{Postures(*s, std::span<const MemberId>(moving, count), o)};
  });
}
void graze_postures_free(graze_postures* postures) { delete postures; }
graze_status graze_postures_members(const graze_postures* postures, graze_member** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const Postures& p = call.required("postures", postures).value;
    call.require_list(out, count);
    c::give(out, count, p.members());
  });
}
graze_status graze_postures_touching(const graze_postures* postures, const graze_pose* poses, size_t count, size_t stride, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const Postures& p = call.required("postures", postures).value;
    const auto all = call.array<Pose>("poses", poses, c::pose_count(call, p, count), stride);
    p.touching(all.view(), call.room("out", out, count));
  });
}
graze_status graze_postures_pairs(const graze_postures* postures, const graze_pose* poses, size_t count, size_t stride, size_t* offsets,
                                  graze_member_pair** out) {
  return guarded(__func__, [&](const Call& call) {
    const Postures& p = call.required("postures", postures).value;
    const auto all = call.array<Pose>("poses", poses, c::pose_count(call, p, count), stride);
    (void)call.required("offsets", offsets);
    (void)call.required("out", out);
    const PosturePairs found = p.pairs(all.view());
    std::size_t pairs = 0;
    c::give(out, &pairs, found.pairs, [](const std::pair<MemberId, MemberId>& pair) { return graze_member_pair{pair.first, pair.second}; });
    std::copy(found.offsets.begin(), found.offsets.end(), offsets);
  });
}
