// Rays among members: the first hit of all, decided exactly, all hits in exact order, and batches.
#include <algorithm>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "exact/double_parts.hpp"
#include "mesh/queries/triangle_choice.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"
#include "query/ray_order.hpp"
#include "scene/scene_state.hpp"

namespace graze {

std::optional<SceneHit> Scene::raycast(ShapeRef ray, const RayOptions& options, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  const TriangleChoice choice(options);
  const RayQuery query = ray_query(ray, options.t_min, options.t_max, choice.or_null());
  // Members are compared by their true parameters. Each member reports the largest double not above its parameter. Therefore the limit is the next double after
  // the best, and hits with equal reports are compared exactly.
  std::optional<SceneHit> best;
  RayQuery now = query;
  state_->for_each_along_ray(query, filter, [&](const SceneMember& m) {
    const ShapeRef target = m.ref();
    std::optional<Hit> hit = for_member(now, m.id, [&](const RayQuery& own) { return graze::raycast(own, target); });
    if (!hit) return now.t_max;
    if (best) {
      const int order = compare_hits(query, target, *hit, state_->by_id[best->member]->ref(), best->hit);
      if (order > 0 || (order == 0 && m.id > best->member)) return now.t_max;
    }
    best = SceneHit{m.id, std::move(*hit)};
    return now.t_max = std::min(query.t_max, next_up(best->hit.t));
  });
  return best;
}

std::vector<SceneHit> Scene::raycast_all(ShapeRef ray, const RayOptions& options, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  const TriangleChoice choice(options);
  const RayQuery query = ray_query(ray, options.t_min, options.t_max, choice.or_null());
  std::vector<SceneHit> all;
  state_->for_each_along_ray(query, filter, [&](const SceneMember& m) {
    for (Hit& hit : for_member(query, m.id, [&](const RayQuery& own) { return graze::raycast_all(own, m.ref()); })) all.push_back({m.id, std::move(hit)});
    return query.t_max;
  });
  // By member first: the sort by time keeps the order of ties.
  std::stable_sort(all.begin(), all.end(), [](const SceneHit& x, const SceneHit& y) { return x.member < y.member; });
  std::stable_sort(all.begin(), all.end(), [&](const SceneHit& x, const SceneHit& y) {
    return compare_hits(query, state_->by_id[x.member]->ref(), x.hit, state_->by_id[y.member]->ref(), y.hit) < 0;
  });
  return all;
}

void Scene::raycast(const RaySpan& rays, std::span<std::optional<SceneHit>> out, const SceneFilter& filter) const {
  if (rays.rays.size() != out.size())
    throw Error(ErrorCode::invalid_argument, "raycast: " + std::to_string(rays.rays.size()) + " rays, room for " + std::to_string(out.size()) + " answers");
  constexpr std::size_t kGrain = 64;  // rays of a task; a choice
  const RayOptions options = rays.options();
  parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      checkpoint();  // among thousands of meshes a ray may take milliseconds
      out[i] = raycast(rays.rays[i], options, filter);
    }
  });
}

std::vector<std::optional<SceneHit>> Scene::raycast(const RaySpan& rays, const SceneFilter& filter) const {
  std::vector<std::optional<SceneHit>> out(rays.rays.size());
  raycast(rays, out, filter);
  return out;
}

}  // namespace graze
