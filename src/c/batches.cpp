// The C interface: batches.
#include <graze/graze.h>
#include <algorithm>
#include <cstdint>
#include <graze/query.hpp>
#include <graze/query/batches.hpp>
#include <graze/query/brief_hits.hpp>
#include <graze/sweep.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "c/call.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

/// Answers pieces of a batch by answer(begin, end), a vector of C++ results, and stores them as C ones.
template <class C, class F>
void answer_in_pieces(std::size_t count, C* out, const F& answer) {
  in_pieces(count, [&](std::size_t begin, std::size_t end) {
    const auto& results = answer(begin, end);
    for (std::size_t i = begin; i < end; ++i) out[i] = to_c(results[i - begin]);
  });
}

/// All hits of rays, each converted by `convert`.
template <class Hits, class C, class F>
void give_all(const Call& call, const graze_ray* rays, std::size_t count, std::size_t stride, const graze_ref* target, const graze_ray_options* options,
              std::size_t* offsets, C** out, const F& convert) {
  const auto r = call.array<Ray>("rays", rays, count, stride);
  const ShapeRef t = call.shape("target", target);
  const RayOptions o = ray_options(call, options);
  (void)call.required("offsets", offsets);
  (void)call.required("out", out);
  Hits all;
  raycast_all(ray_span(r.view(), o), t, all);
  std::size_t hits = 0;
  give(out, &hits, all.hits, convert);
  std::copy(all.offsets.begin(), all.offsets.end(), offsets);
}

/// `hints` may be null.
void closest_of_pairs(const Call& call, const graze_ref* a, std::size_t stride_a, const graze_ref* b, std::size_t stride_b, std::size_t count,
                      graze_pair_hint* hints, graze_closest_points* out) {
  const std::vector<ShapeRef> x = call.shapes("a", a, count, stride_a), y = call.shapes("b", b, count, stride_b);
  (void)call.room("out", out, count);
  const std::span<PairHint> hinted = hints_of(hints, count);
  std::vector<Closest> found;
  answer_in_pieces(count, out, [&](std::size_t begin, std::size_t end) -> const std::vector<Closest>& {
    const std::size_t n = end - begin;
    found.resize(n);
    closest(std::span<const ShapeRef>(x).subspan(begin, n), std::span<const ShapeRef>(y).subspan(begin, n), std::span<Closest>(found),
            hints ? hinted.subspan(begin, n) : hinted);
    return found;
  });
}

/// References to an array of packed plain structs.
std::vector<ShapeRef> packed_shapes(const Call& call, const char* argument, graze_kind kind, const void* data, std::size_t count) {
  std::vector<ShapeRef> out;
  if (count == 0) {  // the kind is checked, too
    const graze_point any{};
    const graze_ref ref{kind, &any, nullptr};
    if (kind == GRAZE_HANDLE) call.refuse(argument, "is of kind GRAZE_HANDLE, must be of a kind with a plain struct");
    (void)call.shape(argument, &ref);
    return out;
  }
  if (kind == GRAZE_HANDLE) call.refuse(argument, "is of kind GRAZE_HANDLE, must be of a kind with a plain struct");
  const graze_ref first{kind, data, nullptr};
  const Kind k = call.shape(argument, &first).kind();
  call.require_array(argument, data, count, 0, sizeof(double));
  std::size_t size = 0;
  [&]<class... S>(TypeList<S...>) { ((k == kind_of<S> ? void(size = sizeof(S)) : void()), ...); }(Shapes{});
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(k, static_cast<const char*>(data) + i * size, nullptr);
  return out;
}

/// Calls f(span of A, span of B) if both kinds are a frequent pair in this order; returns whether they are.
template <class... P, class F>
bool as_frequent_pair(TypeList<P...>, graze_kind kind_a, const void* a, graze_kind kind_b, const void* b, std::size_t count, const F& f) {
  return ([&] {
    using A = typename P::first_type;
    using B = typename P::second_type;
    if (kind_a != static_cast<graze_kind>(kind_of<A>) || kind_b != static_cast<graze_kind>(kind_of<B>)) return false;
    f(std::span<const A>(static_cast<const A*>(a), count), std::span<const B>(static_cast<const B*>(b), count));
    return true;
  }() || ...);
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

// ---- points ------------------------------------------------------------------------------------------------------------------------------

graze_status graze_closest_batch(const double* points, size_t count, size_t stride, const graze_ref* target, graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    const ShapeRef t = call.shape("target", target);
    (void)call.room("out", out, count);
    c::answer_in_pieces(count, out, [&](std::size_t begin, std::size_t end) { return closest(p.view().subspan(begin, end - begin), t); });
  });
}
graze_status graze_within_batch(const double* points, size_t count, size_t stride, const graze_ref* target, double distance, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    within(p.view(), call.shape("target", target), distance, call.room("out", out, count));
  });
}
graze_status graze_contains_batch(const graze_ref* solid, const double* points, size_t count, size_t stride, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    contains(call.shape("solid", solid), p.view(), call.room("out", out, count));
  });
}
graze_status graze_signed_distance_batch(const double* points, size_t count, size_t stride, const graze_ref* solid, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    signed_distance(p.view(), call.shape("solid", solid), call.room("out", out, count));
  });
}

// ---- rays --------------------------------------------------------------------------------------------------------------------------------

graze_status graze_raycast_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                 graze_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = call.array<Ray>("rays", rays, count, stride);
    const ShapeRef t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    (void)call.room("out", out, count);
    c::answer_in_pieces(count, out, [&](std::size_t begin, std::size_t end) { return raycast(c::ray_span(r.view().subspan(begin, end - begin), o), t); });
  });
}
graze_status graze_raycast_brief_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                       graze_brief_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = call.array<Ray>("rays", rays, count, stride);
    const ShapeRef t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    static_assert(c::reads_as<BriefHit, graze_brief_hit>);
    raycast(c::ray_span(r.view(), o), t, std::span<BriefHit>(reinterpret_cast<BriefHit*>(call.room("out", out, count).data()), count));
  });
}
graze_status graze_raycast_any_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                     uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = call.array<Ray>("rays", rays, count, stride);
    const ShapeRef t = call.shape("target", target);
    const RayOptions o = c::ray_options(call, options);
    raycast_any(c::ray_span(r.view(), o), t, call.room("out", out, count));
  });
}
graze_status graze_raycast_all_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                     size_t* offsets, graze_hit** out) {
  return guarded(__func__, [&](const Call& call) {
    c::give_all<RayHits>(call, rays, count, stride, target, options, offsets, out, [](const Hit& hit) { return c::to_c(std::optional<Hit>(hit)); });
  });
}
graze_status graze_raycast_all_brief_batch(const graze_ray* rays, size_t count, size_t stride, const graze_ref* target, const graze_ray_options* options,
                                           size_t* offsets, graze_brief_hit** out) {
  return guarded(__func__, [&](const Call& call) {
    c::give_all<BriefHits>(call, rays, count, stride, target, options, offsets, out, [](const BriefHit& hit) { return c::to_c(hit); });
  });
}

// ---- poses -------------------------------------------------------------------------------------------------------------------------------

graze_status graze_intersects_poses(const graze_ref* a, const graze_pose* poses, size_t count, size_t stride, const graze_ref* b, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Pose>("poses", poses, count, stride);
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    intersects(x, p.view(), y, call.room("out", out, count));
  });
}
graze_status graze_within_poses(const graze_ref* a, const graze_pose* poses, size_t count, size_t stride, const graze_ref* b, double distance, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Pose>("poses", poses, count, stride);
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    within(x, p.view(), y, distance, call.room("out", out, count));
  });
}
graze_status graze_closest_poses(const graze_ref* a, const graze_pose* poses, size_t count, size_t stride, const graze_ref* b, graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Pose>("poses", poses, count, stride);
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    (void)call.room("out", out, count);
    if (count == 0) (void)closest(x, std::span<const Pose>(), y);  // refuses a placed shape
    c::answer_in_pieces(count, out, [&](std::size_t begin, std::size_t end) { return closest(x, p.view().subspan(begin, end - begin), y); });
  });
}

// ---- pairs -------------------------------------------------------------------------------------------------------------------------------

graze_status graze_intersects_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<ShapeRef> x = call.shapes("a", a, count, stride_a), y = call.shapes("b", b, count, stride_b);
    (void)call.room("out", out, count);
    const std::vector<std::uint8_t> answers = intersects(x, y);
    std::copy(answers.begin(), answers.end(), out);
  });
}
graze_status graze_within_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, double distance, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<ShapeRef> x = call.shapes("a", a, count, stride_a), y = call.shapes("b", b, count, stride_b);
    within(x, y, distance, call.room("out", out, count));
  });
}
graze_status graze_closest_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) { c::closest_of_pairs(call, a, stride_a, b, stride_b, count, nullptr, out); });
}
graze_status graze_closest_pairs_with_hints(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, graze_pair_hint* hints,
                                            graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    (void)call.room("hints", hints, count);
    c::closest_of_pairs(call, a, stride_a, b, stride_b, count, hints, out);
  });
}
graze_status graze_relation_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, graze_relation_kind* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<ShapeRef> x = call.shapes("a", a, count, stride_a), y = call.shapes("b", b, count, stride_b);
    (void)call.room("out", out, count);
    constexpr auto kUnanswered = static_cast<Relation>(255);
    std::vector<Relation> answers(count, kUnanswered);
    const auto store = [&] {
      for (std::size_t i = 0; i < count; ++i)
        if (answers[i] != kUnanswered) out[i] = static_cast<graze_relation_kind>(answers[i]);
    };
    try {
      relation(x, y, std::span<Relation>(answers));
    } catch (...) {
      store();
      throw;
    }
    store();
  });
}
graze_status graze_manifold_pairs(const graze_ref* a, size_t stride_a, const graze_ref* b, size_t stride_b, size_t count, size_t* offsets,
                                  graze_fixed_manifold* out, size_t room, graze_pair_hint* hints) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<ShapeRef> x = call.shapes("a", a, count, stride_a), y = call.shapes("b", b, count, stride_b);
    (void)call.required("offsets", offsets);
    const std::span<graze_fixed_manifold> to = call.room("out", out, room);
    const std::span<PairHint> hinted = c::hints_of(hints, count);
    std::vector<FixedManifold> found;
    offsets[0] = 0;
    c::in_pieces(count, [&](std::size_t begin, std::size_t end) {
      const std::size_t n = end - begin, first = offsets[begin];
      const auto of = [&](const std::vector<ShapeRef>& s) { return std::span<const ShapeRef>(s).subspan(begin, n); };
      const auto find = [&] {
        return manifold(of(x), of(y), std::span<std::size_t>(offsets + begin, n + 1), found, hints ? hinted.subspan(begin, n) : hinted);
      };
      found.resize(std::max(found.size(), n));
      if (const std::size_t all = find(); all > found.size() && first + found.size() < room) {
        found.resize(all);
        (void)find();
      }
      for (std::size_t i = 0; i < offsets[end] && first + i < room && i < found.size(); ++i) to[first + i] = c::to_c(found[i]);
      for (std::size_t i = begin; i <= end; ++i) offsets[i] += first;
    });
  });
}

// ---- arrays of plain structs -------------------------------------------------------------------------------------------------------------

graze_status graze_intersects_arrays(graze_kind kind_a, const void* a, graze_kind kind_b, const void* b, size_t count, uint8_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<std::uint8_t> room = call.room("out", out, count);
    call.require_array("a", a, count, 0, sizeof(double));
    call.require_array("b", b, count, 0, sizeof(double));
    const auto lanes = [&](auto x, auto y) { intersects(x, y, room); };
    if (c::as_frequent_pair(FrequentPairs{}, kind_a, a, kind_b, b, count, lanes) || c::as_frequent_pair(FrequentPairs{}, kind_b, b, kind_a, a, count, lanes))
      return;  // symmetric
    const std::vector<ShapeRef> x = c::packed_shapes(call, "a", kind_a, a, count), y = c::packed_shapes(call, "b", kind_b, b, count);
    const std::vector<std::uint8_t> answers = intersects(x, y);
    std::copy(answers.begin(), answers.end(), out);
  });
}
graze_status graze_closest_arrays(graze_kind kind_a, const void* a, graze_kind kind_b, const void* b, size_t count, graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    (void)call.room("out", out, count);
    call.require_array("a", a, count, 0, sizeof(double));
    call.require_array("b", b, count, 0, sizeof(double));
    const auto lanes = [&](auto x, auto y) {
      c::answer_in_pieces(count, out,
                          [&](std::size_t begin, std::size_t end) { return closest(x.subspan(begin, end - begin), y.subspan(begin, end - begin)); });
    };
    if (c::as_frequent_pair(FrequentPairs{}, kind_a, a, kind_b, b, count, lanes)) return;
    const std::vector<ShapeRef> x = c::packed_shapes(call, "a", kind_a, a, count), y = c::packed_shapes(call, "b", kind_b, b, count);
    c::answer_in_pieces(count, out, [&](std::size_t begin, std::size_t end) {
      return closest(std::span<const ShapeRef>(x).subspan(begin, end - begin), std::span<const ShapeRef>(y).subspan(begin, end - begin));
    });
  });
}

// ---- sweeps ------------------------------------------------------------------------------------------------------------------------------

graze_status graze_sweep_batch(const graze_ref* a, size_t stride, const double* motions, size_t motion_stride, size_t count, const graze_ref* b,
                               const graze_sweep_options* options, graze_sweep_hit* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<ShapeRef> x = call.shapes("a", a, count, stride);
    const auto m = call.array<Vec3>("motions", motions, count, motion_stride);
    const ShapeRef y = call.shape("b", b);
    const SweepOptions o = c::sweep_options(call, options);
    (void)call.room("out", out, count);
    c::answer_in_pieces(count, out, [&](std::size_t begin, std::size_t end) {
      return sweep(std::span<const ShapeRef>(x).subspan(begin, end - begin), m.view().subspan(begin, end - begin), y, o);
    });
  });
}
