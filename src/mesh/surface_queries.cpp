// Surfaces against surfaces.
#include "core/parallel.hpp"
#include "mesh/distance_bounds.hpp"
#include "pairs/triangle_triangle.hpp"

namespace graze {

using namespace leaf;

namespace {

/// Calls visit(place in a, place in b) for pairs of a leaf pair whose boxes may be within the distance and which are; until it returns true.
template <class Visit>
bool leaf_pairs(const MeshView& a, const MeshView& b, double distance, std::uint32_t fa, std::uint32_t na, std::uint32_t fb, std::uint32_t nb, Visit&& visit) {
  Triangle tb[WideBvh::kLeafItems];
  Box3 bb[WideBvh::kLeafItems];
  for (std::uint32_t j = 0; j < nb; ++j) {
    tb[j] = triangle_at(b, fb + j);
    bb[j] = box_of(tb[j]);
  }
  for (std::uint32_t i = 0; i < na; ++i) {
    const Triangle ta = triangle_at(a, fa + i);
    const Box3 ba = box_of(ta);
    for (std::uint32_t j = 0; j < nb; ++j) {
      if (!maybe_within(ba, bb[j], distance)) continue;
      if (!(distance > 0 ? within(triangle_core(ta), triangle_core(tb[j]), distance) : triangles_intersect(ta, tb[j]))) continue;
      if (visit(fa + i, fb + j)) return true;
    }
  }
  return false;
}

}  // namespace

bool intersects(const MeshView& a, const MeshView& b) { return within(a, b, 0); }

bool within(const MeshView& a, const MeshView& b, double distance) {
  const PlacedTree pa = placed_tree(a), pb = placed_tree(b);
  const PairWalk walk(pa, pb, distance);
  if (walk.empty()) return false;
  return walk.run({kWholeTree, kWholeTree}, [&](std::uint32_t fa, std::uint32_t na, std::uint32_t fb, std::uint32_t nb) {
    return leaf_pairs(a, b, distance, fa, na, fb, nb, [](std::uint32_t, std::uint32_t) { return true; });
  });
}

namespace {

/// The nearest pair so far, exactly, with ties to the lowest.
struct BestPair {
  std::optional<SurfaceClosest> found;
  void ask(const MeshView& a, const MeshView& b, std::uint32_t i, std::uint32_t j) {
    const IndexPair at{index_at(a, i), index_at(b, j)};
    const bool later = found && at > IndexPair{found->triangle_a, found->triangle_b};
    if (found && found->closest.distance == 0 && later) return;
    const CoreClosest c = closest(triangle_core(triangle_at(a, i)), triangle_core(triangle_at(b, j)));
    if (!found || c.distance < found->closest.distance || (c.distance == found->closest.distance && !later)) found = SurfaceClosest{c, at.a, at.b};
  }
};

}  // namespace

// Distances of pairs are enclosed in doubles; only pairs whose enclosures reach the least upper bound are asked exactly. A pair that touches makes the bound 0: then only touching pairs, decided exactly, remain,
// and of them the lowest.
std::optional<SurfaceClosest> closest(const MeshView& a, const MeshView& b) {
  const PlacedTree pa = placed_tree(a), pb = placed_tree(b);
  const PairWalk walk(pa, pb, 0);
  if (walk.empty()) return std::nullopt;
  constexpr std::size_t kWaiting = 32;
  struct {
    double lo;
    std::uint32_t i, j;
  } waiting[kWaiting];
  std::size_t n = 0;
  double least = std::numeric_limits<double>::infinity();
  std::optional<std::pair<IndexPair, std::pair<std::uint32_t, std::uint32_t>>> touching;  // the lowest pair that touches, and its places
  BestPair best;
  float limit_a = local_limit(a.mesh->tree, least), limit_b = local_limit(b.mesh->tree, least);
  const auto lower = [&](double to) {
    least = to;
    limit_a = local_limit(a.mesh->tree, to);
    limit_b = local_limit(b.mesh->tree, to);
  };
  const auto out = [&](double lo) { return lo > least * (1 + 1e-12); };
  walk.run_nearest(limit_a, limit_b, [&](std::uint32_t fa, std::uint32_t na, std::uint32_t fb, std::uint32_t nb) {
    for (std::uint32_t i = fa; i < fa + na; ++i) {
      const Triangle ta = triangle_at(a, i);
      const Box3 ba = box_of(ta);
      for (std::uint32_t j = fb; j < fb + nb; ++j) {
        const Triangle tb = triangle_at(b, j);
        const Box3 bb = box_of(tb);
        const IndexPair at{index_at(a, i), index_at(b, j)};
        if (touching ? at > touching->first || !ba.overlaps(bb) : farther(ba, bb, least)) continue;
        if (ba.overlaps(bb) && triangles_intersect(ta, tb)) {
          touching = {at, {i, j}};
          if (least > 0) lower(0);
          continue;
        }
        if (touching) continue;
        const DistanceBounds d = distance_bounds(ta, tb);
        if (out(d.lo)) continue;
        if (d.hi < least) lower(d.hi);
        if (n == kWaiting) {
          std::size_t kept = 0;
          for (std::size_t k = 0; k < n; ++k) {
            if (!out(waiting[k].lo)) waiting[kept++] = waiting[k];
          }
          n = kept;
        }
        if (n == kWaiting) {
          for (std::size_t k = 0; k < n; ++k) best.ask(a, b, waiting[k].i, waiting[k].j);
          n = 0;
        }
        waiting[n++] = {d.lo, i, j};
      }
    }
    return false;
  });
  if (touching) {
    best.found.reset();
    best.ask(a, b, touching->second.first, touching->second.second);
    return best.found;
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (!out(waiting[k].lo)) best.ask(a, b, waiting[k].i, waiting[k].j);
  }
  return best.found;
}

namespace {

/// Runs work(start, found) for all starts on all threads and puts the findings in order.
template <class Start, class Work>
std::vector<IndexPair> gather(const std::vector<Start>& starts, Work&& work) {
  std::vector<std::vector<IndexPair>> found(starts.size());
  parallel_for(starts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) work(starts[i], found[i]);
  });
  std::size_t total = 0;
  for (const auto& f : found) total += f.size();
  std::vector<IndexPair> all;
  all.reserve(total);
  for (const auto& f : found) all.insert(all.end(), f.begin(), f.end());
  parallel_sort(all);
  return all;
}

constexpr std::size_t kTasks = 256;

}  // namespace

std::vector<IndexPair> triangle_pairs(const MeshView& a, const MeshView& b, double distance, const PairFilter& filter) {
  const PlacedTree pa = placed_tree(a), pb = placed_tree(b);
  const PairWalk walk(pa, pb, distance);
  if (walk.empty()) return {};
  return gather(walk.frontier(kTasks), [&](const PairWalk::Pair& start, std::vector<IndexPair>& found) {
    walk.run(start, [&](std::uint32_t fa, std::uint32_t na, std::uint32_t fb, std::uint32_t nb) {
      return leaf_pairs(a, b, distance, fa, na, fb, nb, [&](std::uint32_t i, std::uint32_t j) {
        const IndexPair p{index_at(a, i), index_at(b, j)};
        if (!filter || filter(p.a, p.b)) found.push_back(p);
        return false;
      });
    });
  });
}

std::vector<IndexPair> self_pairs(const MeshView& view, const PairFilter& filter) {
  const PlacedTree placed = placed_tree(view);
  const SelfWalk walk(placed);
  if (walk.empty()) return {};
  return gather(walk.frontier(kTasks), [&](const SelfWalk::Pair& start, std::vector<IndexPair>& found) {
    walk.run(start, [&](std::uint32_t fa, std::uint32_t na, std::uint32_t fb, std::uint32_t nb) {
      for (std::uint32_t i = fa; i < fa + na; ++i) {
        const Triangle ta = triangle_at(view, i);
        const Box3 ba = box_of(ta);
        for (std::uint32_t j = fa == fb ? i + 1 : fb; j < fb + nb; ++j) {
          const Triangle tb = triangle_at(view, j);
          if (!ba.overlaps(box_of(tb)) || !intersect_beyond_shared(ta, tb)) continue;
          const std::uint32_t x = index_at(view, i), y = index_at(view, j);
          const IndexPair p{std::min(x, y), std::max(x, y)};
          if (!filter || filter(p.a, p.b)) found.push_back(p);
        }
      }
      return false;
    });
  });
}

}  // namespace graze
