// Rays against surfaces: the kernels decide nearly all triangles, ray_hits the rest, and exact order is asked for only where enclosures of the parameters overlap.
#include <bit>
#include <cmath>

#include "mesh/leaf.hpp"
#include "mesh/ray_kernels.hpp"

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

LocalRay local_ray(const MeshView& view, const RayQuery& ray) {
  return view.pose == nullptr ? LocalRay(view.mesh->tree, input(ray)) : LocalRay(placed_tree(view), input(ray));
}

/// Brings a ray to the tree's blocks; false if it cannot hit.
bool start(RayWalk& walk, const MeshView& view, const LocalRay& local) {
  const WideBvh& tree = view.mesh->tree;
  if (tree.empty() || local.misses()) return false;
  walk.nodes = &tree.node(0);
  walk.blocks = view.mesh->blocks.data();
  walk.vertices = reinterpret_cast<const unsigned char*>(view.mesh->vertices.data());
  const QueryRay& lanes = local.lanes();
  RaySlabs& slabs = walk.slabs;
  for (int i = 0; i < 3; ++i) {
    slabs.inverse[i] = lanes.inverse[i];
    slabs.near_shift[i] = -lanes.o_near[i] * lanes.inverse[i];
    slabs.far_shift[i] = -lanes.o_far[i] * lanes.inverse[i];
    slabs.near_plane[i] = lanes.near_plane[i] * static_cast<std::uint32_t>(sizeof(WideNode::plane[0]));
    slabs.far_plane[i] = lanes.far_plane[i] * static_cast<std::uint32_t>(sizeof(WideNode::plane[0]));
  }
  slabs.t_hi = lanes.t_hi;
  const double *o = local.start(), *d = local.way(), *inverse = local.inverse_way();
  const double way[3] = {std::fabs(d[0]), std::fabs(d[1]), std::fabs(d[2])};
  const unsigned second = way[1] > way[0] ? 1u : 0u, z = way[2] > way[second] ? 2u : second;  // no branches: as good as random
  static constexpr std::uint32_t next[5] = {0, 1, 2, 0, 1};
  const std::uint32_t x = next[z + 1], y = next[z + 2];
  constexpr std::uint32_t row = sizeof(TriangleBlock::corner[0]);
  walk.ray = {x * row, y * row, z * row, o[x], o[y], o[z], d[x] * inverse[z], d[y] * inverse[z], inverse[z], 2 * (kBlockError + local.spread()) + 0x1p-46, local.length()};
  walk.least = std::numeric_limits<double>::infinity();
  walk.found = 0;
  walk.top = -1;
  return true;
}

/// The first among triangles that are hit, exactly.
struct FirstHit {
  std::uint32_t triangle;
  TimeBounds time;
  std::uint32_t candidate;
};
FirstHit first_of(const MeshView& view, const RayQuery& ray, const RayCandidate* candidate, std::uint32_t n) {
  std::optional<FirstHit> best;
  Triangle best_triangle;
  for (std::uint32_t k = 0; k < n; ++k) {
    const Triangle t = place(view.pose, view.mesh->triangle_at(candidate[k].place));
    const TimeBounds time = *ray_hits(ray, t);
    const std::uint32_t index = view.mesh->index_at(candidate[k].place);
    if (best) {
      const int order = compare(ray, t, time, best_triangle, best->time);
      if (order > 0 || (order == 0 && index > best->triangle)) continue;
    }
    best = FirstHit{index, time, k};
    best_triangle = t;
  }
  return *best;
}

/// Only those that may be first.
std::uint32_t leave_out(RayWalk& walk) {
  std::uint32_t kept = 0;
  for (std::uint32_t k = 0; k < walk.found; ++k) {
    if (walk.candidate[k].lo <= walk.least) walk.candidate[kept++] = walk.candidate[k];
  }
  return walk.found = kept;
}

/// From the first event of a walk to its end.
std::optional<FirstTriangle> finish_first(RayWalk& walk, const MeshView& view, const RayQuery& ray, const LocalRay& local, const RayKernels& kernels, RayEvent event) {
  const auto make_room = [&] {
    if (leave_out(walk) < RayWalk::kCandidates) return;
    // As many as that within an enclosure's width: the first of them, exactly, stands for all.
    walk.candidate[0] = walk.candidate[first_of(view, ray, walk.candidate, walk.found).candidate];
    walk.found = 1;
  };
  const auto keep = [&](const RayCandidate& c) {
    if (walk.found == RayWalk::kCandidates) make_room();
    walk.candidate[walk.found++] = c;
    walk.least = std::min(walk.least, c.hi);
  };
  for (; event != RayEvent::done; event = kernels.first(walk)) {
    if (event == RayEvent::full) {
      make_room();
      continue;
    }
    for (std::uint32_t bits = walk.unsure; bits != 0; bits &= bits - 1) {
      const BlockPlace at = walk.block * static_cast<std::uint32_t>(kBlock) + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (const auto time = ray_hits(ray, place(view.pose, view.mesh->triangle_at(at)))) keep({local.local_time(time->lo) - local.spread(), local.local_time(time->hi) + local.spread(), at});
    }
  }
  if (walk.found == 0) return std::nullopt;
  const RayCandidate& first = walk.candidate[leave_out(walk) == 1 ? 0 : first_of(view, ray, walk.candidate, walk.found).candidate];
  return FirstTriangle{view.mesh->index_at(first.place), place(view.pose, view.mesh->triangle_at(first.place))};
}

bool finish_any(RayWalk& walk, const MeshView& view, const RayQuery& ray, const RayKernels& kernels, RayEvent event) {
  for (; event != RayEvent::done; event = kernels.any(walk)) {
    if (event == RayEvent::full) return true;
    for (std::uint32_t bits = walk.unsure; bits != 0; bits &= bits - 1) {
      if (ray_hits(ray, place(view.pose, view.mesh->triangle_at(walk.block * static_cast<std::uint32_t>(kBlock) + static_cast<std::uint32_t>(std::countr_zero(bits)))))) return true;
    }
  }
  return false;
}

/// Walks up to their first events, as many at a time as the kernels take; tell(i, finish(...)) for each in order, tell(i, none) for those that miss the tree.
template <class None, class Tell, class Finish>
void in_turns(const MeshView& view, std::span<const RayQuery> rays, void (*kernel)(RayWalk*, std::uint32_t, RayEvent*), const None& none, const Tell& tell, const Finish& finish) {
  constexpr std::size_t together = RayWalk::kTogether;
  RayWalk walk[together];
  RayEvent event[together];
  std::optional<LocalRay> local[together];
  std::size_t number[together];
  for (std::size_t next = 0, i = 0; next < rays.size();) {
    std::uint32_t n = 0;
    for (; next < rays.size() && n < together; ++next) {
      local[n].emplace(local_ray(view, rays[next]));
      if (start(walk[n], view, *local[n])) number[n++] = next;
    }
    kernel(walk, n, event);
    for (std::uint32_t k = 0; i < next; ++i) {
      if (k < n && number[k] == i) {
        tell(i, finish(walk[k], rays[i], *local[k], event[k]));
        ++k;
      } else {
        tell(i, none);
      }
    }
  }
}

}  // namespace

std::optional<FirstTriangle> ray_first(const MeshView& view, const RayQuery& ray) {
  const LocalRay local = local_ray(view, ray);
  RayWalk walk;
  if (!start(walk, view, local)) return std::nullopt;
  const RayKernels& kernels = ray_kernels();
  return finish_first(walk, view, ray, local, kernels, kernels.first(walk));
}

void ray_first(const MeshView& view, std::span<const RayQuery> rays, const std::function<void(std::size_t, const FirstTriangle*)>& tell) {
  const RayKernels& kernels = ray_kernels();
  in_turns(view, rays, kernels.first_of_each, std::optional<FirstTriangle>(), [&](std::size_t i, const std::optional<FirstTriangle>& first) { tell(i, first ? &*first : nullptr); },
           [&](RayWalk& walk, const RayQuery& ray, const LocalRay& local, RayEvent event) { return finish_first(walk, view, ray, local, kernels, event); });
}

bool ray_any(const MeshView& view, const RayQuery& ray) {
  const LocalRay local = local_ray(view, ray);
  RayWalk walk;
  if (!start(walk, view, local)) return false;
  const RayKernels& kernels = ray_kernels();
  return finish_any(walk, view, ray, kernels, kernels.any(walk));
}

void ray_any(const MeshView& view, std::span<const RayQuery> rays, const std::function<void(std::size_t, bool)>& tell) {
  const RayKernels& kernels = ray_kernels();
  in_turns(view, rays, kernels.any_of_each, false, tell, [&](RayWalk& walk, const RayQuery& ray, const LocalRay&, RayEvent event) { return finish_any(walk, view, ray, kernels, event); });
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
