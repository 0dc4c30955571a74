// The C interface: the broad phase.
#include <graze/graze.h>
#include <cstdint>
#include <graze/broad_phase.hpp>
#include <utility>

#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

struct graze_broad_phase {
  mutable graze::c::Lock lock;
  graze::BroadPhase value;
};

namespace graze::c {
namespace {

Changing<BroadPhase> boxes_of(const Call& call, graze_broad_phase* boxes) {
  graze_broad_phase& b = call.required("boxes", boxes);
  return {call, "boxes", b.lock, b.value};
}
Reading<BroadPhase> boxes_of(const Call& call, const graze_broad_phase* boxes, const char* argument = "boxes") {
  const graze_broad_phase& b = call.required(argument, boxes);
  return {call, argument, b.lock, b.value};
}

graze_id_pair plain_pair(const BroadPhase::IdPair& pair) { return {pair.first, pair.second}; }

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_broad_phase_create(graze_broad_phase** out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = new graze_broad_phase; });
}
graze_status graze_broad_phase_copy(const graze_broad_phase* boxes, graze_broad_phase** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto b = c::boxes_of(call, boxes);
    (void)call.required("out", out);
    *out = new graze_broad_phase{{}, *b};
  });
}
void graze_broad_phase_free(graze_broad_phase* boxes) { delete boxes; }

graze_status graze_broad_phase_insert(graze_broad_phase* boxes, const graze_box* box, uint32_t* id) {
  return guarded(__func__, [&](const Call& call) {
    const BroadPhase::Id added = c::boxes_of(call, boxes)->insert(call.plain<Box>("box", box));
    if (id) *id = added;
  });
}
graze_status graze_broad_phase_assign(graze_broad_phase* boxes, const graze_box* all, size_t count, size_t stride) {
  return guarded(__func__, [&](const Call& call) { c::boxes_of(call, boxes)->assign(call.array<Box>("all", all, count, stride).view()); });
}
graze_status graze_broad_phase_remove(graze_broad_phase* boxes, uint32_t id) {
  return guarded(__func__, [&](const Call& call) { c::boxes_of(call, boxes)->remove(id); });
}
graze_status graze_broad_phase_move(graze_broad_phase* boxes, uint32_t id, const graze_box* box) {
  return guarded(__func__, [&](const Call& call) { c::boxes_of(call, boxes)->move(id, call.plain<Box>("box", box)); });
}
graze_status graze_broad_phase_move_all(graze_broad_phase* boxes, const graze_box* all, size_t count, size_t stride) {
  return guarded(__func__, [&](const Call& call) { c::boxes_of(call, boxes)->move_all(call.array<Box>("all", all, count, stride).view()); });
}
graze_status graze_broad_phase_box(const graze_broad_phase* boxes, uint32_t id, graze_box* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::to_c(c::boxes_of(call, boxes)->box(id)); });
}
graze_status graze_broad_phase_size(const graze_broad_phase* boxes, size_t* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::boxes_of(call, boxes)->size(); });
}
graze_status graze_broad_phase_pairs(const graze_broad_phase* boxes, graze_id_pair** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto b = c::boxes_of(call, boxes);
    call.require_list(out, count);
    c::give(out, count, b->pairs(), [](const BroadPhase::IdPair& pair) { return c::plain_pair(pair); });
  });
}
graze_status graze_broad_phase_pairs_with(const graze_broad_phase* boxes, const graze_broad_phase* other, graze_id_pair** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto a = c::boxes_of(call, boxes), b = c::boxes_of(call, other, "other");
    call.require_list(out, count);
    c::give(out, count, a->pairs(*b), [](const BroadPhase::IdPair& pair) { return c::plain_pair(pair); });
  });
}
graze_status graze_broad_phase_overlapping(const graze_broad_phase* boxes, const graze_ref* shape, uint32_t** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto b = c::boxes_of(call, boxes);
    const ShapeRef s = call.shape("shape", shape);
    call.require_list(out, count);
    c::give(out, count, b->overlapping(s));
  });
}
graze_status graze_broad_phase_visible(const graze_broad_phase* boxes, const graze_shape* frustum, uint32_t** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto b = c::boxes_of(call, boxes);
    const Frustum& view = call.held<Frustum>("frustum", frustum);
    call.require_list(out, count);
    c::give(out, count, b->visible(view));
  });
}
graze_status graze_broad_phase_along(const graze_broad_phase* boxes, const graze_ray* ray, double t_max, graze_box_visitor visit, void* user) {
  return guarded(__func__, [&](const Call& call) {
    const auto b = c::boxes_of(call, boxes);
    const Ray& r = call.plain<Ray>("ray", ray);
    if (!visit) call.refuse("visit", "is null");
    b->along(r, t_max, c::as_callback([=](BroadPhase::Id id, double t) { return visit(id, t, user); }));
  });
}
