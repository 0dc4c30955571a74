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
#include "mesh/queries/triangle_choice.hpp"
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

// ---- rays in the tree's frame ------------------------------------------------------------------------------------------------------------

/// Puts the traversal at the tree's root.
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

/// Brings up to N rays into the frame of the tree: those of ordinary magnitude in SIMD lanes, all others by LocalRay. Bit k of the result: ray k may hit.
template <std::size_t N>
std::uint32_t start(RayTraversal* traversals, const MeshView& view, std::span<const RayQuery> rays,
                    std::uint32_t (*in_lanes)(const RayStarts<N>&, RayTraversal*, std::uint32_t, std::uint32_t&)) {
  if (view.mesh->tree.empty()) return 0;
  const LocalFrame& frame = view.mesh->tree.frame();
  const auto n = static_cast<std::uint32_t>(rays.size());
  const std::uint32_t all = (1u << n) - 1;
  std::uint32_t others = all, misses = 0;
  if (view.pose == nullptr && frame.exponent > -900 && frame.exponent < 900) {
    RayStarts<N> starts{};
    starts.scale = frame.scale1;
    for (int i = 0; i < 3; ++i) starts.center[i] = frame.center[i];
    for (std::uint32_t k = 0; k < n; ++k) {
      const Vec3 d = rays[k].displacement();
      for (int i = 0; i < 3; ++i) {
        starts.origin[i][k] = rays[k].origin[i];
        starts.direction[i][k] = d[i];
      }
      starts.t_min[k] = rays[k].t_min;
      starts.t_max[k] = rays[k].t_max;
    }
    others &= in_lanes(starts, traversals, n, misses);
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    set_tree(traversals[k], view);
    if ((others >> k & 1) != 0 && !start_any(traversals[k], view, rays[k])) misses |= 1u << k;
  }
  return all & ~misses;
}

// ---- the choice of triangles -------------------------------------------------------------------------------------------------------------

/// The choice as the kernels take it. All rays of a batch have the same one.
class KernelChoice {
 public:
  KernelChoice(const MeshView& view, const TriangleChoice& choice)
      : view_(view), choice_(choice), hits_{choice.sides != Sides::back, choice.sides != Sides::front, choice.filter ? &accepts : nullptr, this} {}
  KernelChoice(const KernelChoice&) = delete;
  const HitChoice& hits() const { return hits_; }

 private:
  static bool accepts(const void* context, BlockPlace place) {
    const auto& own = *static_cast<const KernelChoice*>(context);
    const std::uint32_t triangle = own.view_.mesh->index_at(place);
    return own.choice_.accepts(triangle, own.view_.mesh->user_of(triangle));
  }

  const MeshView& view_;
  const TriangleChoice& choice_;
  const HitChoice hits_;
};

/// Lets the n traversals count what the choice admits, and returns the kernels that run them. `storage` must outlive these runs.
const RayTraversals& choose(const RayKernels& kernels, RayTraversal* traversals, std::size_t n, const MeshView& view, const TriangleChoice* choice,
                            std::optional<KernelChoice>& storage) {
  if (!choice) return kernels.plain;
  storage.emplace(view, *choice);
  for (std::size_t k = 0; k < n; ++k) traversals[k].choice = &storage->hits();
  return kernels.chosen;
}

/// Exact hit or miss of a triangle that counts.
std::optional<TimeBounds> counted_hit(const MeshView& view, const RayQuery& ray, BlockPlace at) {
  const Triangle t = place(view.pose, view.mesh->triangle_at(at));
  const auto time = ray_hits(ray, t);
  return time && counts(ray, t, view.mesh->index_at(at), view) ? time : std::nullopt;
}

// ---- exact decisions ---------------------------------------------------------------------------------------------------------------------

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

/// Makes room for a candidate. Of kCandidates hits within the width of an enclosure, only the exact first one remains.
void make_room(RayTraversal& traversal, const MeshView& view, const RayQuery& ray) {
  if (leave_out(traversal) < RayTraversal::kCandidates) return;
  traversal.candidate[0] = traversal.candidate[first_of(view, ray, traversal.candidate, traversal.found).candidate];
  traversal.found = 1;
}

/// Decides the undecided triangles of a traversal, and keeps those that are hit as candidates. remove() is called where there is no room.
template <class Remove>
void decide_candidates(RayTraversal& traversal, const MeshView& view, const RayQuery& ray, const Remove& remove) {
  // Times may be infinite, and NaN in a unit of 0; such candidates are never discarded.
  const bool known = traversal.spread < kInfinity;
  for (std::uint32_t bits = traversal.undecided; bits != 0; bits &= bits - 1) {
    const BlockPlace at = undecided_place(traversal, bits);
    const auto time = counted_hit(view, ray, at);
    if (!time) continue;
    const double lo = known ? (time->lo * traversal.time_unit - traversal.t_in) - traversal.spread : -kInfinity;
    const double hi = known ? (time->hi * traversal.time_unit - traversal.t_in) + traversal.spread : kInfinity;
    if (traversal.found == RayTraversal::kCandidates) remove();
    traversal.candidate[traversal.found++] = {lo, hi, time->lo, time->hi, at};
  }
}
/// The same for the first hit.
void decide_first(RayTraversal& traversal, const MeshView& view, const RayQuery& ray) {
  decide_candidates(traversal, view, ray, [&] { make_room(traversal, view, ray); });
  for (std::uint32_t k = 0; k < traversal.found; ++k) traversal.least = std::min(traversal.least, traversal.candidate[k].hi);
}

/// Does what a traversal for the first hit waits for. Returns whether the traversal continues.
bool resume_first(RayTraversal& traversal, const MeshView& view, const RayQuery& ray, RayEvent event) {
  if (event == RayEvent::full) make_room(traversal, view, ray);
  if (event == RayEvent::undecided) decide_first(traversal, view, ray);
  return event != RayEvent::done;
}

/// Returns the first of the candidates. Requires at least one.
BlockPlace found_first(RayTraversal& traversal, const MeshView& view, const RayQuery& ray) {
  return traversal.candidate[leave_out(traversal) == 1 ? 0 : first_of(view, ray, traversal.candidate, traversal.found).candidate].place;
}

/// The same for a traversal for any hit, which ends at the first one: the event is then `full`.
bool resume_any(const RayTraversal& traversal, const MeshView& view, const RayQuery& ray, RayEvent& event) {
  if (event != RayEvent::undecided) return false;
  for (std::uint32_t bits = traversal.undecided; bits != 0; bits &= bits - 1) {
    if (counted_hit(view, ray, undecided_place(traversal, bits))) {
      event = RayEvent::full;
      return false;
    }
  }
  return true;
}

/// Collects all hits of rays and puts those of each ray in order.
class AllHits {
 public:
  AllHits(const MeshView& view, std::vector<HitPlace>& out) : view_(view), out_(out) {}

  /// Does what the traversal of ray `number` waits for. Returns whether the traversal continues.
  bool resume(RayTraversal& traversal, const RayQuery& ray, std::uint32_t number, RayEvent event) {
    const auto spill = [&] {
      for (std::uint32_t k = 0; k < traversal.found; ++k) spilled_.push_back({number, traversal.candidate[k]});
      traversal.found = 0;
    };
    if (event == RayEvent::full) spill();
    if (event == RayEvent::undecided) decide_candidates(traversal, view_, ray, spill);
    return event != RayEvent::done;
  }
  /// Appends the hits of a ray whose traversal is done.
  void append(RayTraversal& traversal, const RayQuery& ray, std::uint32_t number) {
    std::span<RayCandidate> hits(traversal.candidate, traversal.found);
    if (!spilled_.empty()) {
      many_.assign(hits.begin(), hits.end());
      for (const Spilled& s : spilled_)
        if (s.ray == number) many_.push_back(s.hit);
      hits = many_;
    }
    sort(ray, hits);
    for (const RayCandidate& hit : hits) out_.push_back({number, hit.place});
  }
  /// Forgets what it holds of rays that are appended.
  void clear() { spilled_.clear(); }

 private:
  struct Spilled {
    std::uint32_t ray;
    RayCandidate hit;
  };

  /// Enclosures order most hits; the others are compared exactly.
  void sort(const RayQuery& ray, std::span<RayCandidate> hits) const {
    std::sort(hits.begin(), hits.end(), [](const RayCandidate& a, const RayCandidate& b) { return a.lo < b.lo; });
    for (std::size_t begin = 0, end; begin < hits.size(); begin = end) {
      double hi = hits[begin].hi;
      for (end = begin + 1; end < hits.size() && hits[end].lo <= hi; ++end) hi = std::max(hi, hits[end].hi);
      if (end - begin > 1) sort_exactly(ray, hits.subspan(begin, end - begin));
    }
  }
  void sort_exactly(const RayQuery& ray, std::span<RayCandidate> hits) const {
    const auto triangle = [&](const RayCandidate& hit) { return place(view_.pose, view_.mesh->triangle_at(hit.place)); };
    for (RayCandidate& hit : hits) {
      if (hit.true_lo <= hit.true_hi) continue;
      const TimeBounds time = *ray_hits(ray, triangle(hit));
      hit.true_lo = time.lo, hit.true_hi = time.hi;
    }
    std::sort(hits.begin(), hits.end(), [&](const RayCandidate& a, const RayCandidate& b) {
      if (a.place == b.place) return false;
      const TimeBounds ta{a.true_lo, a.true_hi}, tb{b.true_lo, b.true_hi};
      if (ta.hi < tb.lo) return true;
      const int order = ta.lo > tb.hi ? 1 : compare(ray, triangle(a), ta, triangle(b), tb);
      return order != 0 ? order < 0 : view_.mesh->index_at(a.place) < view_.mesh->index_at(b.place);
    });
  }

  const MeshView& view_;
  std::vector<HitPlace>& out_;
  std::vector<Spilled> spilled_;    // hits beyond the room of their traversals
  std::vector<RayCandidate> many_;  // of one ray with such hits
};

// ---- batches -----------------------------------------------------------------------------------------------------------------------------

/// Rays of at most this length, in the tree's unit, use waves (measured).
constexpr float kShort = 0.5f;
/// So do all rays on a tree of so few nodes, where the order of leaves saves little (measured).
constexpr std::size_t kFewNodes = 3;

/// State of a batch of rays. A set of rays is a bit mask, bit k for ray k.
struct RayBatch {
  static_assert(kRayBatch == RayWave::kRays && kRayBatch % RayTraversal::kTogether == 0);
  RayTraversal traversal[kRayBatch];
  RayEvent event[kRayBatch];
  std::uint64_t stack[RayTraversal::kTogether][kTraversalStack];
  RayWave wave;

  /// Brings the rays into the tree's frame and returns the set of those that may hit.
  std::uint64_t start_all(const MeshView& view, std::span<const RayQuery> rays, const RayKernels& kernels) {
    GRAZE_EXPECTS(rays.size() <= kRayBatch);
    std::uint64_t started = 0;
    for (std::size_t first = 0; first < rays.size(); first += RayTraversal::kTogether) {
      const std::size_t n = std::min<std::size_t>(RayTraversal::kTogether, rays.size() - first);
      started |= std::uint64_t{start(traversal + first, view, rays.subspan(first, n), kernels.start)} << first;
      for (std::size_t k = 0; k < n; ++k) traversal[first + k].stack = stack[k];
    }
    return started;
  }

  /// Runs the short rays of the set as a wave, or on a small tree all of them. Returns the remaining set.
  std::uint64_t wave_first(const MeshView& view, std::span<const RayQuery> rays, std::uint64_t which, const RayKernels& kernels) {
    std::uint64_t quick = view.mesh->tree.node_count() <= kFewNodes ? which : 0;
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
      decide_first(traversal[lane.ray], view, rays[lane.ray]);
    }
    return which & ~quick;
  }

  /// Runs the rays of the set to their ends, kTogether at a time: `run` takes each to its next event, resume(k, event) does what ray k waits for, and
  /// ended(set) is called when the rays of a set are done.
  template <class Run, class Resume, class Ended>
  void in_turns(std::uint32_t n, std::uint64_t which, Run run, const Resume& resume, const Ended& ended) {
    for (std::uint32_t first = 0; first < n; first += RayTraversal::kTogether) {
      const auto all = static_cast<std::uint32_t>(which >> first & ((1u << RayTraversal::kTogether) - 1));
      for (std::uint32_t active = all; active != 0;) {
        run(traversal + first, active, event + first);
        for (std::uint32_t bits = active; bits != 0; bits &= bits - 1) {
          const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
          if (!resume(first + k, event[first + k])) active &= ~(1u << k);
        }
      }
      ended(std::uint64_t{all} << first);
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
  if (start(&traversal, view, {&ray, 1}, kernels.start_one) == 0) return std::nullopt;
  std::optional<KernelChoice> choice;
  const RayTraversals& run = choose(kernels, &traversal, 1, view, ray.choice, choice);
  traversal.stack = stack;
  while (resume_first(traversal, view, ray, run.first(traversal))) {
  }
  if (traversal.found == 0) return std::nullopt;
  return first_triangle(view, found_first(traversal, view, ray));
}

std::size_t ray_first(const MeshView& view, std::span<const RayQuery> rays, std::span<HitPlace> hits) {
  std::size_t n = 0;
  if (collapses(view)) {
    const std::vector<BlockPlace> places = places_of_triangles(view);
    for (std::uint32_t k = 0; k < rays.size(); ++k)
      if (const auto first = collapsed_ray_first(view, rays[k])) hits[n++] = {k, places[*first]};
    return n;
  }
  const RayKernels& kernels = ray_kernels();
  RayBatch batch;
  const TriangleChoice* const chosen = rays.empty() ? nullptr : rays[0].choice;
  std::optional<KernelChoice> choice;
  const RayTraversals& run = choose(kernels, batch.traversal, rays.size(), view, chosen, choice);
  const std::uint64_t all = batch.start_all(view, rays, kernels), left = chosen ? all : batch.wave_first(view, rays, all, kernels);
  batch.in_turns(
      static_cast<std::uint32_t>(rays.size()), left, run.first_of_each,
      [&](std::uint32_t k, RayEvent event) { return resume_first(batch.traversal[k], view, rays[k], event); }, [](std::uint64_t) {});
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
  if (start(&traversal, view, {&ray, 1}, kernels.start_one) == 0) return false;
  std::optional<KernelChoice> choice;
  const RayTraversals& run = choose(kernels, &traversal, 1, view, ray.choice, choice);
  traversal.stack = stack;
  RayEvent event;
  do {
    event = run.any(traversal);
  } while (resume_any(traversal, view, ray, event));
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
  std::optional<KernelChoice> choice;
  const RayTraversals& run =
      choose(kernels, batch.traversal, std::min<std::size_t>(RayTraversal::kTogether, rays.size()), view, rays.empty() ? nullptr : rays[0].choice, choice);
  for (std::size_t first = 0; first < rays.size(); first += RayTraversal::kTogether) {
    const auto some = rays.subspan(first, std::min<std::size_t>(RayTraversal::kTogether, rays.size() - first));
    const std::uint64_t all = batch.start_all(view, some, kernels);
    batch.in_turns(
        static_cast<std::uint32_t>(some.size()), all, run.any_of_each,
        [&](std::uint32_t k, RayEvent& event) { return resume_any(batch.traversal[k], view, some[k], event); }, [](std::uint64_t) {});
    for (std::uint64_t bits = all; bits != 0; bits &= bits - 1) {
      if (batch.event[std::countr_zero(bits)] == RayEvent::full) hit |= (bits & (0 - bits)) << first;
    }
  }
  return hit;
}

void ray_all(const MeshView& view, std::span<const RayQuery> rays, std::vector<HitPlace>& hits) {
  if (rays.empty()) return;
  if (collapses(view)) {
    const std::vector<BlockPlace> places = places_of_triangles(view);
    for (std::uint32_t k = 0; k < rays.size(); ++k)
      for (const std::uint32_t triangle : collapsed_ray_all(view, rays[k])) hits.push_back({k, places[triangle]});
    return;
  }
  const RayKernels& kernels = ray_kernels();
  std::optional<KernelChoice> choice;
  AllHits all(view, hits);
  if (rays.size() == 1) {
    RayTraversal traversal;
    std::uint64_t stack[kTraversalStack];
    if (start(&traversal, view, rays, kernels.start_one) == 0) return;
    const RayTraversals& run = choose(kernels, &traversal, 1, view, rays[0].choice, choice);
    traversal.stack = stack;
    while (all.resume(traversal, rays[0], 0, run.all(traversal))) {
    }
    all.append(traversal, rays[0], 0);
    return;
  }
  RayBatch batch;
  const RayTraversals& run = choose(kernels, batch.traversal, rays.size(), view, rays[0].choice, choice);
  batch.in_turns(
      static_cast<std::uint32_t>(rays.size()), batch.start_all(view, rays, kernels), run.all_of_each,
      [&](std::uint32_t k, RayEvent event) { return all.resume(batch.traversal[k], rays[k], k, event); },
      [&](std::uint64_t ended) {
        for (; ended != 0; ended &= ended - 1) {
          const auto k = static_cast<std::uint32_t>(std::countr_zero(ended));
          all.append(batch.traversal[k], rays[k], k);
        }
        all.clear();
      });
}

}  // namespace graze
