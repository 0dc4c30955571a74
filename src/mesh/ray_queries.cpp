// Rays against surfaces: the tree discards, ray_hits decides, and exact order is asked for only where enclosures of the parameters overlap.
#include "mesh/leaf.hpp"

namespace graze {

using namespace leaf;

namespace {

RayInput input(const RayQuery& ray) { return {ray.origin, ray.direction, ray.to_point, ray.t_min, ray.t_max}; }

/// Sign of T(a) - T(b).
int compare(const RayQuery& ray, const Triangle& a, const TimeBounds& ta, const Triangle& b, const TimeBounds& tb) {
  if (ta.hi < tb.lo) return -1;
  if (ta.lo > tb.hi) return 1;
  if (ta.lo == ta.hi && tb.lo == tb.hi) return 0;  // both exact, and equal
  return compare_hits(ray, a, b);
}

}  // namespace

std::optional<RayHit> ray_first(const MeshView& view, const RayQuery& ray) {
  std::optional<RayHit> best;
  Triangle best_triangle, scratch;
  LocalRay local(placed_tree(view), input(ray));
  for_each_along(view.mesh->tree, local, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle& t = triangle_at(view, k, scratch);
      const std::optional<TimeBounds> time = ray_hits(ray, t);
      if (!time) continue;
      const std::uint32_t index = index_at(view, k);
      if (best) {
        const int order = compare(ray, t, *time, best_triangle, best->time);
        if (order > 0 || (order == 0 && index > best->triangle)) continue;
      }
      best = RayHit{index, *time};
      best_triangle = t;
      local.shrink(time->hi);
    }
    return false;
  }, leaf_data(view));
  return best;
}

bool ray_any(const MeshView& view, const RayQuery& ray) {
  Triangle scratch;
  LocalRay local(placed_tree(view), input(ray));
  return for_each_along(view.mesh->tree, local, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      if (ray_hits(ray, triangle_at(view, k, scratch))) return true;
    }
    return false;
  }, leaf_data(view));
}

std::vector<RayHit> ray_all(const MeshView& view, const RayQuery& ray) {
  std::vector<RayHit> hits;
  LocalRay local(placed_tree(view), input(ray));
  for_each_along(view.mesh->tree, local, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      if (const auto time = ray_hits(ray, triangle_at(view, k))) hits.push_back({index_at(view, k), *time});
    }
    return false;
  }, leaf_data(view));
  std::sort(hits.begin(), hits.end(), [&](const RayHit& x, const RayHit& y) {
    if (x.triangle == y.triangle) return false;
    if (x.time.hi < y.time.lo) return true;
    if (x.time.lo > y.time.hi) return false;
    const int order = compare(ray, view.triangle(x.triangle), x.time, view.triangle(y.triangle), y.time);
    return order != 0 ? order < 0 : x.triangle < y.triangle;
  });
  return hits;
}

}  // namespace graze
