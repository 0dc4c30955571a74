// Ray queries on a mesh that its pose collapses: each group of equal triangles is tested once.
#include "mesh/queries/collapsed_rays.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/triangle_choice.hpp"

namespace graze {

using namespace leaf;

namespace {

struct RayHit {
  std::uint32_t triangle;
  TimeBounds time;
};

/// Corners in order, compared as bits: triangles equal in them have equal answers.
using Corners = std::array<std::uint64_t, 9>;
struct Hash {
  std::size_t operator()(const Corners& c) const {
    std::uint64_t h = 0;
    for (const std::uint64_t x : c) h = (std::rotl(h, 23) ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
  }
};

/// The distinct triangles that are hit, by the lowest numbers of those that count, and for each triangle of the mesh its entry there (or kNone). The hash table
/// is only looked up, never iterated, so its order has no effect.
struct Distinct {
  static constexpr std::uint32_t kNone = ~0u;
  struct Group {
    std::optional<TimeBounds> time;
    std::uint32_t entry = kNone;
  };
  std::vector<RayHit> hits;
  std::vector<std::uint32_t> of;

  /// `any`: ends at the first hit.
  Distinct(const MeshView& view, const RayQuery& ray, bool any = false) {
    std::unordered_map<Corners, Group, Hash> known;
    view.mesh->complete();
    const auto n = static_cast<std::uint32_t>(view.mesh->triangles.size());
    of.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const Triangle t = view.triangle(i);
      Corners c;
      for (std::size_t k = 0; k < 9; ++k) c[k] = std::bit_cast<std::uint64_t>(t.points[k / 3][static_cast<int>(k % 3)]);
      const auto [at, fresh] = known.try_emplace(c);
      Group& group = at->second;
      if (fresh) group.time = ray_hits(ray, t);
      const bool hit = group.time && counts(ray, t, i, view);
      if (hit && group.entry == kNone) {
        group.entry = static_cast<std::uint32_t>(hits.size());
        hits.push_back({i, *group.time});
      }
      of.push_back(hit ? group.entry : kNone);
      if (any && !hits.empty()) return;
    }
  }
};

int compare(const MeshView& view, const RayQuery& ray, const RayHit& a, const RayHit& b) {
  if (a.time.hi < b.time.lo) return -1;
  if (a.time.lo > b.time.hi) return 1;
  return compare_hits(ray, view.triangle(a.triangle), view.triangle(b.triangle));
}

/// Tests whether the ray comes near the mesh at all.
bool comes_near(const MeshView& view, const RayQuery& ray) { return !LocalRay(placed_tree(view), ray).misses(); }

}  // namespace

// Placed vertices are off by about 10 * 2^-53 of the translation. If the translation is 2^45 times as long as the tree's size, that is about a twenty-fifth of
// the tree's size.
bool pose_collapses(const MeshView& view) {
  if (view.mesh->tree.empty()) return false;
  const LocalFrame& f = view.mesh->tree.frame();
  const Vec3& t = view.pose->translation;
  return !((max_norm(t) * f.scale1) * f.scale2 < 0x1p45);
}

std::vector<BlockPlace> places_of_triangles(const MeshView& view) {
  view.mesh->complete();
  std::vector<BlockPlace> places(view.mesh->triangles.size());
  for (BlockPlace at = static_cast<BlockPlace>(view.mesh->blocks.size() * kBlock); at-- > 0;) places[view.mesh->index_at(at)] = at;
  return places;
}

std::vector<std::uint32_t> collapsed_ray_all(const MeshView& view, const RayQuery& ray) {
  if (!comes_near(view, ray)) return {};
  const Distinct distinct(view, ray);
  const auto count = static_cast<std::uint32_t>(distinct.hits.size());
  std::vector<std::uint32_t> order(count), rank(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  const auto compared = [&](std::uint32_t a, std::uint32_t b) { return compare(view, ray, distinct.hits[a], distinct.hits[b]); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return compared(a, b) < 0; });
  for (std::uint32_t i = 1; i < count; ++i) rank[order[i]] = rank[order[i - 1]] + (compared(order[i - 1], order[i]) < 0 ? 1 : 0);
  std::vector<std::uint32_t> hits;
  for (std::uint32_t i = 0; i < distinct.of.size(); ++i)
    if (distinct.of[i] != Distinct::kNone) hits.push_back(i);
  std::stable_sort(hits.begin(), hits.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[distinct.of[a]] < rank[distinct.of[b]]; });
  return hits;
}

std::optional<std::uint32_t> collapsed_ray_first(const MeshView& view, const RayQuery& ray) {
  if (!comes_near(view, ray)) return std::nullopt;
  const Distinct distinct(view, ray);
  const RayHit* best = nullptr;
  for (const RayHit& h : distinct.hits)  // ascending: ties go to the lowest
    if (best == nullptr || compare(view, ray, h, *best) < 0) best = &h;
  return best ? std::optional(best->triangle) : std::nullopt;
}

bool collapsed_ray_any(const MeshView& view, const RayQuery& ray) { return comes_near(view, ray) && !Distinct(view, ray, true).hits.empty(); }

}  // namespace graze
