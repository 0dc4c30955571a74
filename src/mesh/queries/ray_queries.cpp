// Rays against surfaces. The kernels decide nearly all triangles, ray_hits the rest. Hits are ordered exactly only where enclosures of their parameters
// overlap.
#include "mesh/queries/ray_queries.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/limits.hpp"
#include "mesh/kernels/ray_kernels.hpp"
#include "mesh/queries/collapsed_rays.hpp"
#include "mesh/queries/leaf.hpp"
#include "platform/expects.hpp"

namespace graze {

using namespace leaf;

namespace {

/// Sign of T(a) - T(b).
int compare(const RayQuery& ray, const Triangle& a, const TimeBounds& ta, const Triangle& b, const TimeBounds& tb) {
  if (ta.hi < tb.lo) return -1;
  if (ta.lo > tb.hi) return 1;
  if (ta.lo == ta.hi && tb.lo == tb.hi) return 0;  // both exact, and equal
  return compare_hits(ray, a, b);
}

void set_tree(RayTraversal& traversal, const MeshView& view) {
  traversal.nodes = &view.mesh->tree.node(0);
  traversal.blocks = view.mesh->blocks.data();
  traversal.vertices = reinterpret_cast<const unsigned char*>(view.mesh->vertices.data());
  traversal.least = kInfinity;
  traversal.found = 0;
  traversal.top = -1;
}

/// Sets up a traversal as the kernels' start does, but for any ray and for placed meshes. Returns false if the ray cannot hit.
[[gnu::noinline]] bool start_any(RayTraversal& traversal, const MeshView& view, const RayQuery& ray) {
  const LocalRay local(placed_tree(view), ray);
  if (local.misses()) return false;
  const QueryRay& lanes = local.lanes();
  RaySlabs& slabs = traversal.slabs;
  for (int i = 0; i < 3; ++i) {
    slabs.inverse[i] = lanes.inverse[i];
    slabs.near_shift[i] = -lanes.o_near[i] * lanes.inverse[i];
    slabs.far_shift[i] = -lanes.o_far[i] * lanes.inverse[i];
    slabs.near_plane[i] = lanes.near_plane[i] * static_cast<std::uint32_t>(sizeof(WideNode::plane[0]));
    slabs.far_plane[i] = lanes.far_plane[i] * static_cast<std::uint32_t>(sizeof(WideNode::plane[0]));
  }
  slabs.t_hi = lanes.t_hi;
  const double *o = local.start(), *d = local.direction(), *inverse = local.inverse_direction();
  const double direction[3] = {std::fabs(d[0]), std::fabs(d[1]), std::fabs(d[2])};
  const unsigned second = direction[1] > direction[0] ? 1u : 0u, z = direction[2] > direction[second] ? 2u : second;
  const std::uint32_t x = (z + 1) % 3, y = (z + 2) % 3;
  constexpr std::uint32_t row = sizeof(TriangleBlock::corner[0]);
  traversal.ray = {x * row,       y * row,           z * row,           o[x],       o[y],
                   o[z],          d[x] * inverse[z], d[y] * inverse[z], inverse[z], 2 * (kBlockError + local.spread()) + 0x1p-46,
                   local.length()};
  // If the unit is not a double, no times are known and candidates are compared exactly.
  traversal.time_unit = local.time_unit();
  traversal.t_in = local.t_in();
  traversal.spread = traversal.time_unit != 0 ? local.spread() : kInfinity;
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
    starts.direction[i][k] = ray.to_point ? ray.direction[i] - ray.origin[i] : ray.direction[i];
  }
  starts.t_min[k] = ray.t_min;
  starts.t_max[k] = ray.t_max;
}
/// Tests whether the kernels' start handles the mesh.
bool ordinary(const MeshView& view) {
  const int e = view.mesh->tree.frame().exponent;
  return view.pose == nullptr && e > -900 && e < 900;
}

/// Transforms a ray for the tree's blocks. Returns false if the ray cannot hit.
bool start(RayTraversal& traversal, const MeshView& view, const RayQuery& ray, const RayKernels& kernels) {
  if (view.mesh->tree.empty()) return false;
  set_tree(traversal, view);
  if (!ordinary(view)) return start_any(traversal, view, ray);
  RayStarts<1> starts;
  set_frame(starts, view.mesh->tree.frame());
  set_lane(starts, 0, ray);
  std::uint32_t misses;
  if (kernels.start_one(starts, &traversal, 1, misses) != 0) return start_any(traversal, view, ray);
  return misses == 0;
}

/// The first of several triangles that are hit, exactly.
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

/// Keeps only candidates that may be first and returns their number.
std::uint32_t leave_out(RayTraversal& traversal) {
  std::uint32_t kept = 0;
  for (std::uint32_t k = 0; k < traversal.found; ++k) {
    if (traversal.candidate[k].lo <= traversal.least) traversal.candidate[kept++] = traversal.candidate[k];
  }
  return traversal.found = kept;
}

/// Returns the triangle of the lowest of `bits`, lanes of the traversal's block.
BlockPlace undecided_place(const RayTraversal& traversal, std::uint32_t bits) {
  return traversal.block * static_cast<std::uint32_t>(kBlock) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

/// Decides the triangles that a traversal for the first hit left undecided. Returns false if the traversal is done.
bool decide_first(RayTraversal& traversal, const MeshView& view, const RayQuery& ray, RayEvent event) {
  const auto make_room = [&] {
    if (leave_out(traversal) < RayTraversal::kCandidates) return;
    // kCandidates hits within the width of an enclosure: keep only the exact first one.
    traversal.candidate[0] = traversal.candidate[first_of(view, ray, traversal.candidate, traversal.found).candidate];
    traversal.found = 1;
  };
  const auto keep = [&](const RayCandidate& c) {
    if (traversal.found == RayTraversal::kCandidates) make_room();
    traversal.candidate[traversal.found++] = c;
    traversal.least = std::min(traversal.least, c.hi);
  };
  if (event == RayEvent::done) return false;
  if (event == RayEvent::full) {
    make_room();
    return true;
  }
  for (std::uint32_t bits = traversal.undecided; bits != 0; bits &= bits - 1) {
    const BlockPlace at = undecided_place(traversal, bits);
    if (const auto time = ray_hits(ray, place(view.pose, view.mesh->triangle_at(at)))) {
      // Times may be infinite, and NaN in a unit of 0; such candidates are never discarded.
      const bool known = traversal.spread < kInfinity;
      const double lo = known ? (time->lo * traversal.time_unit - traversal.t_in) - traversal.spread : -kInfinity;
      const double hi = known ? (time->hi * traversal.time_unit - traversal.t_in) + traversal.spread : kInfinity;
      keep({lo, hi, time->lo, time->hi, at});
    }
  }
  return true;
}

/// Returns the first of the candidates. Requires at least one.
BlockPlace found_first(RayTraversal& traversal, const MeshView& view, const RayQuery& ray) {
  return traversal.candidate[leave_out(traversal) == 1 ? 0 : first_of(view, ray, traversal.candidate, traversal.found).candidate].place;
}

/// Decides the triangles that a traversal for any hit left undecided, and sets the event to `full` if one is hit. Returns false if the traversal is done or
/// full.
bool decide_any(const RayTraversal& traversal, const MeshView& view, const RayQuery& ray, RayEvent& event) {
  if (event != RayEvent::undecided) return false;
  for (std::uint32_t bits = traversal.undecided; bits != 0; bits &= bits - 1) {
    if (ray_hits(ray, place(view.pose, view.mesh->triangle_at(undecided_place(traversal, bits))))) {
      event = RayEvent::full;
      return false;
    }
  }
  return true;
}

/// Rays of at most this length, in the tree's unit, use waves (measured).
constexpr float kShort = 0.5f;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// State of a batch of rays. A set of rays is a bit mask, bit k for ray k.
struct RayBatch {
  static_assert(kRayBatch == RayWave::kRays && kRayBatch % RayTraversal::kTogether == 0);
  RayTraversal traversal[kRayBatch];
  RayEvent event[kRayBatch];
  std::uint64_t stack[RayTraversal::kTogether][kTraversalStack];
  RayWave wave;
  RayStarts<RayTraversal::kTogether> starts{};

  /// Sets up the traversals and returns the set of rays that may hit.
  std::uint64_t start(const MeshView& view, std::span<const RayQuery> rays, const RayKernels& kernels) {
    GRAZE_EXPECTS(rays.size() <= kRayBatch);
    if (rays.empty() || view.mesh->tree.empty()) return 0;
    constexpr std::uint32_t together = RayTraversal::kTogether;
    set_frame(starts, view.mesh->tree.frame());
    const bool in_lanes = ordinary(view);
    const auto count = static_cast<std::uint32_t>(rays.size());
    std::uint64_t missed = 0;
    for (std::uint32_t first = 0; first < count; first += together) {
      const std::uint32_t n = std::min(together, count - first);
      std::uint32_t unaccepted = (1u << n) - 1, misses = 0;
      if (in_lanes) {
        for (std::uint32_t k = 0; k < n; ++k) set_lane(starts, k, rays[first + k]);
        unaccepted &= kernels.start(starts, traversal + first, n, misses);
      }
      for (std::uint32_t k = 0; k < n; ++k) {
        RayTraversal& w = traversal[first + k];
        set_tree(w, view);
        w.stack = stack[k];
        if ((unaccepted >> k & 1) != 0 && !start_any(w, view, rays[first + k])) misses |= 1u << k;
      }
      missed |= std::uint64_t{misses} << first;
    }
    return ~missed & kAll >> (kRayBatch - count);
  }

  /// Runs the short rays of the set as a wave. Returns the remaining set.
  std::uint64_t wave_first(const MeshView& view, std::span<const RayQuery> rays, std::uint64_t which, const RayKernels& kernels) {
    std::uint64_t quick = 0;
    for (std::uint64_t bits = which; bits != 0; bits &= bits - 1) {
      if (traversal[std::countr_zero(bits)].slabs.t_hi < kShort) quick |= bits & (0 - bits);
    }
    if (quick == 0) return which;
    if (!kernels.first_of_wave(traversal, quick, wave)) {
      for (std::uint64_t bits = quick; bits != 0; bits &= bits - 1) set_tree(traversal[std::countr_zero(bits)], view);
      return which;
    }
    for (std::uint32_t i = 0; i < wave.undecided_count; ++i) {
      const RayWave::Undecided& lane = wave.undecided[i];
      traversal[lane.ray].undecided = lane.lanes;
      traversal[lane.ray].block = lane.block;
      decide_first(traversal[lane.ray], view, rays[lane.ray], RayEvent::undecided);
    }
    return which & ~quick;
  }

  /// Runs kTogether traversals at a time. kernel(traversals, which, events) takes each to its next event; decide(traversal, ray, event) returns whether the
  /// traversal continues.
  template <class Decide>
  void in_turns(std::span<const RayQuery> rays, std::uint64_t which, decltype(RayKernels::any_of_each) kernel, const Decide& decide) {
    for (std::uint32_t first = 0; first < rays.size(); first += RayTraversal::kTogether) {
      for (auto active = static_cast<std::uint32_t>(which >> first & ((1u << RayTraversal::kTogether) - 1)); active != 0;) {
        kernel(traversal + first, active, event + first);
        for (std::uint32_t bits = active; bits != 0; bits &= bits - 1) {
          const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
          if (!decide(traversal[first + k], rays[first + k], event[first + k])) active &= ~(1u << k);
        }
      }
    }
  }
};

}  // namespace

FirstTriangle first_triangle(const MeshView& view, BlockPlace at) { return {view.mesh->index_at(at), place(view.pose, view.mesh->triangle_at(at))}; }

std::optional<FirstTriangle> ray_first(const MeshView& view, const RayQuery& ray) {
  if (collapses(view)) {
    const auto first = collapsed_ray_first(view, ray);
    return first ? std::optional(FirstTriangle{*first, view.triangle(*first)}) : std::nullopt;
  }
  const RayKernels& kernels = ray_kernels();
  RayTraversal traversal;
  std::uint64_t stack[kTraversalStack];
  if (!start(traversal, view, ray, kernels)) return std::nullopt;
  traversal.stack = stack;
  while (decide_first(traversal, view, ray, kernels.first(traversal))) {
  }
  if (traversal.found == 0) return std::nullopt;
  return first_triangle(view, found_first(traversal, view, ray));
}

std::size_t ray_first(const MeshView& view, std::span<const RayQuery> rays, std::span<FirstPlace> hits) {
  std::size_t n = 0;
  if (collapses(view)) {
    for (std::uint32_t k = 0; k < rays.size(); ++k)
      if (const auto first = collapsed_ray_first(view, rays[k])) hits[n++] = {k, place_of_triangle(view, *first)};
    return n;
  }
  const RayKernels& kernels = ray_kernels();
  RayBatch batch;
  const std::uint64_t all = batch.start(view, rays, kernels), left = batch.wave_first(view, rays, all, kernels);
  batch.in_turns(rays, left, kernels.first_of_each,
                 [&](RayTraversal& traversal, const RayQuery& ray, RayEvent event) { return decide_first(traversal, view, ray, event); });
  for (std::uint64_t bits = all; bits != 0; bits &= bits - 1) {
    const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
    if (batch.traversal[k].found != 0) hits[n++] = {k, found_first(batch.traversal[k], view, rays[k])};
  }
  return n;
}

bool ray_any(const MeshView& view, const RayQuery& ray) {
  if (collapses(view)) return collapsed_ray_any(view, ray);
  const RayKernels& kernels = ray_kernels();
  RayTraversal traversal;
  std::uint64_t stack[kTraversalStack];
  traversal.stack = stack;
  if (!start(traversal, view, ray, kernels)) return false;
  RayEvent event;
  do {
    event = kernels.any(traversal);
  } while (decide_any(traversal, view, ray, event));
  return event == RayEvent::full;
}

std::uint64_t ray_any(const MeshView& view, std::span<const RayQuery> rays) {
  std::uint64_t hit = 0;
  if (collapses(view)) {
    for (std::size_t k = 0; k < rays.size(); ++k) hit |= std::uint64_t{collapsed_ray_any(view, rays[k])} << k;
    return hit;
  }
  const RayKernels& kernels = ray_kernels();
  RayBatch batch;
  for (std::size_t first = 0; first < rays.size(); first += RayTraversal::kTogether) {
    const auto some = rays.subspan(first, std::min<std::size_t>(RayTraversal::kTogether, rays.size() - first));
    const std::uint64_t all = batch.start(view, some, kernels);
    batch.in_turns(some, all, kernels.any_of_each,
                   [&](RayTraversal& traversal, const RayQuery& ray, RayEvent& event) { return decide_any(traversal, view, ray, event); });
    for (std::uint64_t bits = all; bits != 0; bits &= bits - 1) {
      if (batch.event[std::countr_zero(bits)] == RayEvent::full) hit |= (bits & (0 - bits)) << first;
    }
  }
  return hit;
}

std::vector<RayHit> ray_all(const MeshView& view, const RayQuery& ray) {
  if (collapses(view)) return collapsed_ray_all(view, ray);
  std::vector<RayHit> hits;
  LocalRay local(placed_tree(view), ray);
  for_each_along(
      view.mesh->tree, local,
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t k = first; k < first + count; ++k) {
          if (const auto time = ray_hits(ray, triangle_at(view, k))) hits.push_back({index_at(view, k), *time});
        }
        return false;
      },
      leaf_data(view));
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
