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

void set_tree(RayWalk& walk, const MeshView& view) {
  walk.nodes = &view.mesh->tree.node(0);
  walk.blocks = view.mesh->blocks.data();
  walk.vertices = reinterpret_cast<const unsigned char*>(view.mesh->vertices.data());
  walk.least = std::numeric_limits<double>::infinity();
  walk.found = 0;
  walk.top = -1;
}

/// What the kernels' start does, for any ray and placed meshes; false if it cannot hit.
[[gnu::noinline]] bool start_any(RayWalk& walk, const MeshView& view, const RayQuery& ray) {
  const LocalRay local(placed_tree(view), input(ray));
  if (local.misses()) return false;
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
  const unsigned second = way[1] > way[0] ? 1u : 0u, z = way[2] > way[second] ? 2u : second;
  const std::uint32_t x = (z + 1) % 3, y = (z + 2) % 3;
  constexpr std::uint32_t row = sizeof(TriangleBlock::corner[0]);
  walk.ray = {x * row, y * row, z * row, o[x], o[y], o[z], d[x] * inverse[z], d[y] * inverse[z], inverse[z], 2 * (kBlockError + local.spread()) + 0x1p-46, local.length()};
  // Where the unit is no double, nothing is known of times: candidates are compared exactly.
  walk.time_unit = local.time_unit();
  walk.t_in = local.t_in();
  walk.spread = walk.time_unit != 0 ? local.spread() : std::numeric_limits<double>::infinity();
  return true;
}

template <std::size_t N>
void set_frame(RayStarts<N>& starts, const LocalFrame& f) {
  for (int i = 0; i < 3; ++i) starts.center[i] = f.center[i];
  starts.scale = f.scale1;
}
template <std::size_t N>
void set_lane(RayStarts<N>& starts, std::size_t k, const RayQuery& ray) {
  for (int i = 0; i < 3; ++i) {
    starts.origin[i][k] = ray.origin[i];
    starts.way[i][k] = ray.to_point ? ray.direction[i] - ray.origin[i] : ray.direction[i];
  }
  starts.t_min[k] = ray.t_min;
  starts.t_max[k] = ray.t_max;
}
/// Whether the kernels' start takes the mesh.
bool ordinary(const MeshView& view) {
  const int e = view.mesh->tree.frame().exponent;
  return view.pose == nullptr && e > -900 && e < 900;
}

/// Brings a ray to the tree's blocks; false if it cannot hit.
bool start(RayWalk& walk, const MeshView& view, const RayQuery& ray, const RayKernels& kernels) {
  if (view.mesh->tree.empty()) return false;
  set_tree(walk, view);
  if (!ordinary(view)) return start_any(walk, view, ray);
  RayStarts<1> starts;
  set_frame(starts, view.mesh->tree.frame());
  set_lane(starts, 0, ray);
  std::uint32_t misses;
  if (kernels.start_one(starts, &walk, 1, misses) != 0) return start_any(walk, view, ray);
  return misses == 0;
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
    const TimeBounds time = candidate[k].true_lo <= candidate[k].true_hi ? TimeBounds{candidate[k].true_lo, candidate[k].true_hi} : *ray_hits(ray, t);
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

/// The triangle of the lowest of `bits`, lanes of the walk's block.
BlockPlace unsure_place(const RayWalk& walk, std::uint32_t bits) { return walk.block * static_cast<std::uint32_t>(kBlock) + static_cast<std::uint32_t>(std::countr_zero(bits)); }

/// What a walk to the first triangle left to decide; false if it is done.
bool decide_first(RayWalk& walk, const MeshView& view, const RayQuery& ray, RayEvent event) {
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
  if (event == RayEvent::done) return false;
  if (event == RayEvent::full) {
    make_room();
    return true;
  }
  for (std::uint32_t bits = walk.unsure; bits != 0; bits &= bits - 1) {
    const BlockPlace at = unsure_place(walk, bits);
    if (const auto time = ray_hits(ray, place(view.pose, view.mesh->triangle_at(at)))) keep({(time->lo * walk.time_unit - walk.t_in) - walk.spread, (time->hi * walk.time_unit - walk.t_in) + walk.spread, time->lo, time->hi, at});
  }
  return true;
}

std::optional<FirstTriangle> found_first(RayWalk& walk, const MeshView& view, const RayQuery& ray) {
  if (walk.found == 0) return std::nullopt;
  const RayCandidate& first = walk.candidate[leave_out(walk) == 1 ? 0 : first_of(view, ray, walk.candidate, walk.found).candidate];
  return FirstTriangle{view.mesh->index_at(first.place), place(view.pose, view.mesh->triangle_at(first.place))};
}

/// What a walk to any triangle left to decide, which may make it `full`: certainly hit. False if it is done, or full.
bool decide_any(const RayWalk& walk, const MeshView& view, const RayQuery& ray, RayEvent& event) {
  if (event != RayEvent::unsure) return false;
  for (std::uint32_t bits = walk.unsure; bits != 0; bits &= bits - 1) {
    if (ray_hits(ray, place(view.pose, view.mesh->triangle_at(unsure_place(walk, bits))))) {
      event = RayEvent::full;
      return false;
    }
  }
  return true;
}

/// As many walks at a time as the kernels take, in turns: kernel(walks, which, events) takes each to its next event, decide(walk, ray, event) tells whether it goes on then; tell(i, walk, event) for each in order,
/// tell(i, null, done) for those that miss the tree.
template <class Decide, class Tell>
void in_turns(const MeshView& view, std::span<const RayQuery> rays, const RayKernels& kernels, decltype(RayKernels::any_of_each) kernel, const Decide& decide, const Tell& tell) {
  constexpr std::size_t together = RayWalk::kTogether;
  if (view.mesh->tree.empty()) {
    for (std::size_t i = 0; i < rays.size(); ++i) tell(i, nullptr, RayEvent::done);
    return;
  }
  RayWalk walk[together];
  RayEvent event[together];
  RayStarts<together> starts{};
  set_frame(starts, view.mesh->tree.frame());
  const bool in_lanes = ordinary(view);
  for (std::size_t first = 0; first < rays.size(); first += together) {
    const auto n = static_cast<std::uint32_t>(std::min(together, rays.size() - first));
    const RayQuery* const ray = &rays[first];
    const std::uint32_t all = (1u << n) - 1;
    std::uint32_t odd = all, misses = 0;
    if (in_lanes) {
      for (std::uint32_t k = 0; k < n; ++k) set_lane(starts, k, ray[k]);
      odd &= kernels.start(starts, walk, n, misses);
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      set_tree(walk[k], view);
      if ((odd >> k & 1) != 0 && !start_any(walk[k], view, ray[k])) misses |= 1u << k;
    }
    for (std::uint32_t active = all & ~misses; active != 0;) {
      kernel(walk, active, event);
      for (std::uint32_t bits = active; bits != 0; bits &= bits - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
        if (!decide(walk[k], ray[k], event[k])) active &= ~(1u << k);
      }
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      if ((misses >> k & 1) != 0) tell(first + k, nullptr, RayEvent::done);
      else tell(first + k, &walk[k], event[k]);
    }
  }
}

}  // namespace

std::optional<FirstTriangle> ray_first(const MeshView& view, const RayQuery& ray) {
  const RayKernels& kernels = ray_kernels();
  RayWalk walk;
  if (!start(walk, view, ray, kernels)) return std::nullopt;
  while (decide_first(walk, view, ray, kernels.first(walk))) {
  }
  return found_first(walk, view, ray);
}

void ray_first(const MeshView& view, std::span<const RayQuery> rays, const std::function<void(std::size_t, const FirstTriangle*)>& tell) {
  const RayKernels& kernels = ray_kernels();
  in_turns(view, rays, kernels, kernels.first_of_each, [&](RayWalk& walk, const RayQuery& ray, RayEvent event) { return decide_first(walk, view, ray, event); },
           [&](std::size_t i, RayWalk* walk, RayEvent) {
             const auto first = walk != nullptr ? found_first(*walk, view, rays[i]) : std::nullopt;
             tell(i, first ? &*first : nullptr);
           });
}

bool ray_any(const MeshView& view, const RayQuery& ray) {
  const RayKernels& kernels = ray_kernels();
  RayWalk walk;
  if (!start(walk, view, ray, kernels)) return false;
  RayEvent event;
  do {
    event = kernels.any(walk);
  } while (decide_any(walk, view, ray, event));
  return event == RayEvent::full;
}

void ray_any(const MeshView& view, std::span<const RayQuery> rays, const std::function<void(std::size_t, bool)>& tell) {
  const RayKernels& kernels = ray_kernels();
  in_turns(view, rays, kernels, kernels.any_of_each, [&](RayWalk& walk, const RayQuery& ray, RayEvent& event) { return decide_any(walk, view, ray, event); },
           [&](std::size_t i, const RayWalk*, RayEvent event) { tell(i, event == RayEvent::full); });
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
