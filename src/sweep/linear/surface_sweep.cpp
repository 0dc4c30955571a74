// Sweeps of a convex shape and a surface.
#include "sweep/linear/surface_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "bvh/far_line.hpp"
#include "convex/sets/bounding_volume.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "math/moving_box.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "platform/watch.hpp"
#include "query/ray_targets.hpp"
#include "sweep/linear/moving_search.hpp"

namespace graze {

using namespace leaf;

namespace {

constexpr std::uint32_t kAll = ~0u;  ///< tests

/// A point moves along a ray; only a point that starts on the surface needs the general traversal.
bool point_by_ray(EarliestContact& first, const SurfacePair<ConvexSet>& pair) {
  const Motion& motion = first.motion();
  if (!is_exact(motion)) return false;
  const Vec3 d = rounded(motion);
  if (d == Vec3(0, 0, 0) || !pair.same_sides_along(d)) return false;
  const RayQuery ray{pair.shape.base(0), d, false, 0, first.limit(), pair.choice()};
  const auto hit = ray_first(pair.surface, ray);
  if (!hit) return true;
  const Triangle& t = hit->corners;
  const TimeBounds time = *ray_hits(ray, t);
  if (!(time.lo > 0)) return false;
  const auto public_hit = first_hit(ray.with(nullptr), std::span<const Triangle>(&t, 1));
  PairContact c;
  c.t = public_hit->t;
  c.exact = time.lo == time.hi;
  if (public_hit->normal) c.normal = *public_hit->normal;
  first.offer(c, pair.shape, convex_triangle(t), pair.with(hit->triangle));
  return true;
}

/// A point that is certainly in the convex set.
std::optional<Vec3> inner_point(const ConvexSet& c) {
  Vec3 p = c.base(0);
  bool centered = true;
  for (std::uint32_t k = 0; k < c.segments; ++k) centered = centered && c.lo[k] <= 0 && c.hi[k] >= 0;
  if (centered) return p;
  if (c.points != 1 || c.segments != 3 || p != Vec3(0, 0, 0)) return std::nullopt;
  for (int k = 0; k < 3; ++k) {  // a placed Box: its rounded centre lies between its ends
    Vec3 axis(0, 0, 0);
    axis[k] = 1;
    if (c.segment[k] != axis) return std::nullopt;
    p[k] = c.lo[k] * 0.5 + c.hi[k] * 0.5;
    if (!(p[k] >= c.lo[k] && p[k] <= c.hi[k])) return std::nullopt;
  }
  return p;
}

/// Lowers the limit to an upper bound of the time: that of a ray from within the mover, or from a ball's foremost point; rounded up.
void know_by_ray(EarliestContact& first, const ConvexSet& a, const MeshView& b, const TriangleChoice* choice) {
  constexpr std::size_t kWorth = 64;
  const auto p = b.mesh->triangles.size() < kWorth ? std::nullopt : inner_point(a);
  const Vec3 d = rounded(first.motion());
  if (!p || d == Vec3(0, 0, 0) || !is_exact(first.motion())) return;
  const RayQuery ray{*p, d, false, 0, first.limit(), choice};
  const auto hit = ray_first(b, ray);
  if (!hit) return;
  const double t = hit_time(ray, hit->corners);
  if (first.skips() && !(t > 0)) return;      // the contact at the start may be one that is skipped
  double by = t * (1 + 0x1p-40) + 0x1p-1060;  // t is rounded; the root and the quotient below are off by 4 u
  if (a.is_ball()) {
    const double speed = length(d);
    if (speed > 0x1p-400 && speed < 0x1p400) by = std::max(0.0, by - a.radius / speed * (1 - 0x1p-40));
  }
  first.know(by);
}

/// The same for a curved shape, by a point well within it. Its own decisions have a bound, so nothing is known when starts are skipped.
void know_by_ray(EarliestContact& first, const Curved& a, const MeshView& b, const TriangleChoice* choice) {
  if (a.convex() || first.skips()) return;
  const auto [p, depth] = a.visit([](const auto& kind) { return kind.deep_point(); });
  if (!(depth > 0x1p-40 * max_norm(p)) || !(depth > 0x1p-900)) return;
  know_by_ray(first, convex_point(p), b, choice);
}

/// Tests the triangles whose boxes the shape's box meets on its path, roughly in the order of time. Returns false where that needs more than `tests`, or,
/// unless all are allowed, many leaves.
template <class Shape>
bool sweep_boxes(EarliestContact& first, const SurfacePair<Shape>& pair, std::uint32_t tests) {
  const MeshView& surface = pair.surface;
  const Vec3 d = pair.displacement(first.motion());
  const Box3 box = bounds(pair.shape);
  const MovingBox moving(box, d);
  std::optional<MovingBall> ball;
  if constexpr (std::is_same_v<Shape, ConvexSet>) {
    if (pair.shape.is_ball()) ball.emplace(pair.shape.base(0), pair.shape.radius, d);
  }
  PathSweep sweep(placed_tree(surface), box, d, is_exact(first.motion()));
  sweep.shrink(first.limit());
  const bool all = tests == kAll;
  std::uint32_t leaves = 0;
  return !for_each_along(
      surface.mesh->tree, sweep,
      [&](std::uint32_t at, std::uint32_t count) {
        if (++leaves % 64 == 0) {
          checkpoint();
          if (!all) return true;
        }
        for (std::uint32_t k = at; k < at + count; ++k) {
          const SweepIds named = pair.with(index_at(surface, k));
          if (first.settled(named)) continue;
          const Triangle t = triangle_at(surface, k);
          const Box3 box_of_triangle = box_of(t);
          const double before = first.limit(), entry = moving.entry(box_of_triangle, before);
          if (entry > before) continue;
          if (ball && ball->surely_misses(box_of_triangle, before)) continue;
          if (!pair.counts(t, index_at(surface, k))) continue;
          if (tests-- == 0) return true;
          pair.test(first, t, named);
          if (first.limit() < before) sweep.shrink(first.limit());
        }
        return false;
      },
      leaf_data(surface));
}

// ---- the wide traversal ------------------------------------------------------------------------------------------------------------------

/// One run of the wide traversal.
template <class Shape>
class WideSweep {
 public:
  /// Brings `convex` into the tree's frame: the shape itself, or with `margin` a bounding volume, from which the shape may protrude by this length. `first`
  /// must outlive the object.
  WideSweep(EarliestContact& first, const SurfacePair<Shape>& pair, const ConvexSet& convex, std::optional<double> margin = {});
  /// Returns false when doubles do not suffice; the caller then needs another method.
  bool usable() const { return traversal_.usable(); }
  /// Tests the candidates of the traversal as it finds them. Where a convex set moves, also records the triangles near its path. Returns false where that needs
  /// more than `tests`.
  bool run(std::uint32_t tests);

 private:
  static constexpr BlockPlace kNone = ~0u;
  Triangle triangle_of(BlockPlace at) const { return place(pair_.surface.pose, pair_.surface.mesh->triangle_at(at)); }
  std::uint32_t index(const SweepCandidate& c) const { return pair_.surface.mesh->index_at(c.place); }
  void offer_inside();
  bool test_candidates(bool in_order_of_time);
  void remember_candidates();
  void record_near();

  EarliestContact& first_;
  const SurfacePair<Shape> pair_;
  const ConvexSet& convex_;
  const bool encloses_;
  const Vec3 motion_;
  const double slack_;
  wide::Traversal traversal_;
  /// Candidates of all tests so far that may be near the path: for record_near(). More than `kRemembered` are none.
  static constexpr std::uint32_t kRemembered = 2 * NearTriangles::kMost;  ///< a choice
  SweepCandidate remembered_[kRemembered];
  std::uint32_t remembered_count_ = 0;
  std::uint32_t tests_ = 0;  ///< that are left
};

template <class Shape>
WideSweep<Shape>::WideSweep(EarliestContact& first, const SurfacePair<Shape>& pair, const ConvexSet& convex, std::optional<double> margin)
    : first_(first),
      pair_(pair),
      convex_(convex),
      encloses_(margin.has_value()),
      motion_(pair.displacement(first.motion())),
      slack_(wide::slack_of(convex, motion_) + margin.value_or(0)),
      traversal_(pair.surface, convex, motion_, slack_, encloses_) {
  first.near.known = false;
  if (usable() && !traversal_.misses()) traversal_.state.least = first.limit();
}

/// Adds the lowest triangle that is certainly deeper than touching at the start.
template <class Shape>
void WideSweep<Shape>::offer_inside() {
  const SweepTraversal& w = traversal_.state;
  if (w.deep_place == kNone) return;
  PairContact inside;
  inside.inside = true;
  const ConvexSet t = convex_triangle(triangle_of(w.deep_place));
  if (pair_.surface_moves)
    first_.offer(inside, t, convex_, pair_.with(w.deep));
  else
    first_.offer(inside, convex_, t, pair_.with(w.deep));
}

template <class Shape>
bool WideSweep<Shape>::test_candidates(bool in_order_of_time) {
  SweepTraversal& w = traversal_.state;
  offer_inside();
  first_.know(w.least);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < w.found; ++i)
    if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
  w.found = kept;
  remember_candidates();
  std::sort(w.candidate, w.candidate + kept,
            [&](const SweepCandidate& x, const SweepCandidate& y) { return in_order_of_time && x.lo != y.lo ? x.lo < y.lo : index(x) < index(y); });
  for (std::uint32_t i = 0; i < kept; ++i) {
    const SweepCandidate& k = w.candidate[i];
    if (k.lo > first_.limit()) continue;
    const SweepIds named = pair_.with(index(k));
    const Triangle t = triangle_of(k.place);
    if (first_.settled(named) || (!pair_.surface_moves && first_.settled_by_plane(t, named)) || !pair_.counts(t, index(k))) continue;
    if (tests_-- == 0) return false;
    pair_.test(first_, t, named, k.lo);
  }
  w.least = std::min(w.least, first_.limit());
  return true;
}

template <class Shape>
void WideSweep<Shape>::remember_candidates() {
  const SweepTraversal& w = traversal_.state;
  for (std::uint32_t i = 0; i < w.found && remembered_count_ <= kRemembered; ++i) {
    if (remembered_count_ == kRemembered) {
      const auto later = [&](const SweepCandidate& c) { return c.lo > w.least; };
      remembered_count_ = static_cast<std::uint32_t>(std::remove_if(remembered_, remembered_ + kRemembered, later) - remembered_);
    }
    if (remembered_count_ < kRemembered) remembered_[remembered_count_] = w.candidate[i];
    ++remembered_count_;
  }
}

template <class Shape>
void WideSweep<Shape>::record_near() {
  const SweepTraversal& w = traversal_.state;
  if (encloses_ || pair_.surface_moves || w.deep != ~0u || remembered_count_ > kRemembered) return;
  NearTriangles& near = first_.near;
  near.count = 0;
  for (std::uint32_t i = 0; i < remembered_count_; ++i) {
    if (remembered_[i].lo > w.least) continue;
    if (near.count == NearTriangles::kMost) return;
    const Triangle t = triangle_of(remembered_[i].place);
    std::copy(t.points.begin(), t.points.end(), near.triangle[near.count++]);
  }
  near.known = true;
  near.slack = slack_;
}

template <class Shape>
bool WideSweep<Shape>::run(std::uint32_t tests) {
  if (traversal_.misses()) return true;
  tests_ = tests;
  SweepTraversal& w = traversal_.state;
  constexpr std::uint32_t kVisits = 1000;  // a choice, about the time of the search in order of times
  if (tests != kAll) w.visits = kVisits;
  for (SweepEvent event; (event = traversal_.next()) != SweepEvent::done;) {
    checkpoint();
    if (!test_candidates(true) || event == SweepEvent::spent) return false;
    w.found = 0;
    // Contact at the start that stays: only lower triangles matter.
    if (first_.found() && first_.contact().inside && !first_.departing() && first_.ids() < pair_.with(w.deep) && first_.ids() >= pair_.with(0)) {
      w.deep = pair_.surface_moves ? *first_.ids().triangle_a : *first_.ids().triangle_b;
      w.deep_place = kNone;
    }
  }
  if (!test_candidates(false)) return false;
  record_near();
  return true;
}

}  // namespace

// ---- all methods -------------------------------------------------------------------------------------------------------------------------

template <class Shape>
bool sweep_in_order(EarliestContact& first, const SurfacePair<Shape>& pair) {
  const MeshView& surface = pair.surface;
  const Vec3 d = pair.displacement(first.motion());
  const Box3 box = bounds(pair.shape);
  double size = max_norm(d);
  for (int i = 0; i < 3; ++i) size += std::max(std::fabs(box.lo[i]), std::fabs(box.hi[i]));
  const double slack = 0x1p-44 * size;  // covers that curved shapes' times are doubles, too
  MovingSearch search(surface, pair.shape, box, d, slack + distance_slack(pair.shape, box));
  first.near.known = false;
  if (!search.usable()) return false;
  std::vector<std::pair<double, Triangle>> visited;
  double limit = first.limit();
  search.run(
      limit, [&](std::uint32_t lowest) { return first.settled(pair.with(lowest)); },
      [&](BlockPlace at, double start) {
        const std::uint32_t index = surface.mesh->index_at(at);
        const SweepIds named = pair.with(index);
        const Triangle t = place(surface.pose, surface.mesh->triangle_at(at));
        if (visited.size() <= NearTriangles::kMost) visited.emplace_back(start, t);
        if ((!pair.surface_moves && first.settled_by_plane(t, named)) || !pair.counts(t, index)) return;
        pair.test(first, t, named, start);
        limit = first.limit();
      });
  if (pair.surface_moves || pair.line || !first.found() || first.contact().inside || visited.size() > NearTriangles::kMost) return true;
  first.near.known = true;
  first.near.slack = slack;
  first.near.count = 0;
  for (const auto& [start, t] : visited)
    if (start <= limit) std::copy(t.points.begin(), t.points.end(), first.near.triangle[first.near.count++]);
  return true;
}

template <class Shape>
Swept sweep_wide(EarliestContact& first, const SurfacePair<Shape>& pair, std::uint32_t tests) {
  const auto run = [&](const ConvexSet& convex, std::optional<double> margin) {
    WideSweep<Shape> sweep(first, pair, convex, margin);
    if (!sweep.usable()) return Swept::unusable;
    return sweep.run(tests) ? Swept::done : Swept::unfinished;
  };
  // Where not all triangles count, hits give no upper bound on the time either, so the shape passes as its own bounding volume.
  const std::optional<double> margin = pair.line ? std::optional(0.0) : std::nullopt;
  if constexpr (std::is_same_v<Shape, ConvexSet>) {
    return run(pair.shape, margin);
  } else {
    if (const auto& convex = pair.shape.convex()) return run(*convex, margin);
    const auto volume = bounding_volume(pair.shape);
    return volume ? run(volume->convex, volume->more) : Swept::unusable;
  }
}

template <class Shape>
void sweep_surface(EarliestContact& first, const SurfacePair<Shape>& pair) {
  constexpr bool curved = std::is_same_v<Shape, Curved>;
  if constexpr (!curved) {
    if (!pair.surface_moves && pair.shape.is_point() && point_by_ray(first, pair)) return;
  }
  // Bounding volumes prove no contact, so a curved shape needs an upper bound on the time from the beginning, and so does any shape where there is a choice.
  const bool bound_first = curved || pair.line;
  if (bound_first && !pair.surface_moves && pair.same_sides_along(rounded(first.motion()))) know_by_ray(first, pair.shape, pair.surface, pair.choice());
  std::uint32_t few = 6;  // here and below choices: less than the time of the search in order of times
  if constexpr (!curved) few = pair.shape.points > 4 ? 16 : 40;
  const Swept swept = sweep_wide(first, pair, few);
  if (swept == Swept::done) return;
  if (swept == Swept::unusable) {
    if (!bound_first && !pair.surface_moves) know_by_ray(first, pair.shape, pair.surface, nullptr);
    if (sweep_boxes(first, pair, few)) return;
  }
  if (sweep_in_order(first, pair)) return;
  if (swept == Swept::unusable || sweep_wide(first, pair, kAll) == Swept::unusable) sweep_boxes(first, pair, kAll);
}

template Swept sweep_wide(EarliestContact& first, const SurfacePair<ConvexSet>& pair, std::uint32_t tests);
template bool sweep_in_order(EarliestContact& first, const SurfacePair<ConvexSet>& pair);
template bool sweep_in_order(EarliestContact& first, const SurfacePair<Curved>& pair);
template void sweep_surface(EarliestContact& first, const SurfacePair<ConvexSet>& pair);
template void sweep_surface(EarliestContact& first, const SurfacePair<Curved>& pair);

}  // namespace graze
