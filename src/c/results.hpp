// Conversion of results and options between C++ and C.
#pragma once
#include <graze/graze.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/query/manifold.hpp>
#include <graze/query/penetration.hpp>
#include <graze/response.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>

#include "c/call.hpp"
#include "c/lock.hpp"

namespace graze::c {

inline void put(double (&out)[3], const Vec3& v) {
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}
/// To an array parameter of the caller, which is not null.
inline void put_to(double* out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}
inline std::int64_t index_of(const std::optional<std::uint32_t>& index) { return index ? std::int64_t{*index} : -1; }

inline graze_pose to_c(const Pose& pose) {
  graze_pose out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.rotation[i][j] = pose.rotation[i][j];
    out.translation[i] = pose.translation[i];
  }
  return out;
}
inline graze_box to_c(const Box& box) {
  graze_box out;
  put(out.min, box.min);
  put(out.max, box.max);
  return out;
}
inline graze_sphere to_c(const Sphere& sphere) {
  graze_sphere out;
  put(out.center, sphere.center);
  out.radius = sphere.radius;
  return out;
}
inline graze_plane to_c(const Plane& plane) {
  graze_plane out;
  put(out.point, plane.point);
  put(out.normal, plane.normal);
  return out;
}
inline graze_closest_points to_c(const Closest& c) {
  graze_closest_points out;
  out.distance = c.distance;
  put(out.on_a, c.on_a);
  put(out.on_b, c.on_b);
  out.triangle_a = index_of(c.triangle_a);
  out.triangle_b = index_of(c.triangle_b);
  return out;
}
inline graze_fixed_manifold to_c(const FixedManifold& m) {
  graze_fixed_manifold out{};
  put(out.normal, m.normal);
  for (const ManifoldPoint& p : m.points()) {
    put(out.points[out.point_count].point, p.point);
    out.points[out.point_count++].depth = p.depth;
  }
  out.triangle_a = index_of(m.triangle_a);
  out.triangle_b = index_of(m.triangle_b);
  return out;
}
inline graze_penetration_result to_c(const PenetrationResult& r) {
  graze_penetration_result out{};
  out.reason = static_cast<graze_no_penetration>(r.reason);
  if (!r.value) return out;
  out.depth = r.value->depth;
  put(out.normal, r.value->normal);
  put(out.vector, r.value->vector);
  return out;
}
/// Hints of the caller, read and written in place; null is none.
inline std::span<PairHint> hints_of(graze_pair_hint* hints, std::size_t count) {
  static_assert(reads_as<PairHint, graze_pair_hint>);
  return std::span<PairHint>(reinterpret_cast<PairHint*>(hints), hints ? count : 0);
}
inline graze_hit to_c(const std::optional<Hit>& hit) {
  graze_hit out{};
  out.triangle = out.part = out.child = -1;
  out.t = HUGE_VAL;
  if (!hit) return out;
  out.hit = 1;
  out.front = hit->front;
  out.started_inside = hit->started_inside;
  out.user = hit->user;
  out.t = hit->t;
  put(out.point, hit->point);
  out.has_normal = hit->normal.has_value();
  if (hit->normal) put(out.normal, *hit->normal);
  out.has_barycentric = hit->barycentric.has_value();
  if (hit->barycentric) put(out.barycentric, *hit->barycentric);
  out.triangle = index_of(hit->triangle);
  out.part = index_of(hit->part);
  out.child = index_of(hit->child);
  return out;
}
inline graze_brief_hit to_c(const BriefHit& hit) { return {hit.t, hit.triangle, hit.child}; }
inline graze_sweep_hit to_c(const std::optional<SweepHit>& hit) {
  graze_sweep_hit out{};
  out.triangle_a = out.triangle_b = out.child_a = out.child_b = -1;
  out.t = HUGE_VAL;
  if (!hit) return out;
  out.hit = 1;
  out.started_inside = hit->started_inside;
  out.departing = hit->departing;
  out.budget_ended = hit->budget_ended;
  out.moved = hit->moved;
  out.has_normal = hit->normal.has_value();
  out.t = hit->t;
  put(out.point, hit->point);
  if (hit->normal) put(out.normal, *hit->normal);
  out.triangle_a = index_of(hit->triangle_a);
  out.triangle_b = index_of(hit->triangle_b);
  out.child_a = index_of(hit->child_a);
  out.child_b = index_of(hit->child_b);
  out.user_a = hit->user_a;
  out.user_b = hit->user_b;
  out.safe = to_c(hit->safe);
  put(out.safe_point, hit->safe_point);
  return out;
}

/// Calls part(begin, end) for pieces of a batch, so that the C++ results that wait to be converted need bounded memory.
template <class F>
void in_pieces(std::size_t count, const F& part) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;  // batches sort as many points at a time
  for (std::size_t begin = 0; begin < count; begin += kPiece) part(begin, std::min(count, begin + kPiece));
}

inline TriangleFilter filter_of(graze_triangle_filter accept, void* user) {
  if (!accept) return {};
  return as_callback([=](const TargetTriangle& t) {
    const graze_target_triangle triangle{t.triangle, t.user, index_of(t.child), index_of(t.member)};
    return accept(&triangle, user) != 0;
  });
}
inline RayOptions ray_options(const Call& call, const graze_ray_options* given) {
  const graze_ray_options o = call.options("options", given, graze_ray_options GRAZE_RAY_OPTIONS_INIT);
  return {o.t_max, call.enumerator<Sides>("options.sides", o.sides, 3), filter_of(o.accept, o.accept_user), o.t_min};
}
inline RaySpan ray_span(std::span<const Ray> rays, const RayOptions& options) { return {rays, options.t_max, options.sides, options.accept, options.t_min}; }
inline SweepOptions sweep_options(const Call& call, const graze_sweep_options* given) {
  const graze_sweep_options o = call.options("options", given, graze_sweep_options GRAZE_SWEEP_OPTIONS_INIT);
  return {o.skip_departing != 0, o.place != 0, call.enumerator<Sides>("options.sides", o.sides, 3), filter_of(o.accept, o.accept_user)};
}
inline Material material_of(const graze_material* m) { return m ? Material{m->restitution, m->friction, m->speed_kept} : Material{}; }

}  // namespace graze::c
