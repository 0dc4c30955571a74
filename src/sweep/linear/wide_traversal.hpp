// First contacts of a ball, capsule or box with a surface, one of which moves: the wide tree traversal finds candidates, and exact tests decide them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "mesh/kernels/sweep_kernels.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

namespace wide {

/// The traversal in the tree's coordinates; `slack`: an additional error bound of the path, as a length.
class Traversal {
 public:
  Traversal(const MeshView& view, const ConvexSet& convex, const Vec3& d, double slack, bool encloses = false);
  bool usable() const { return usable_; }
  bool misses() const { return misses_; }
  SweepEvent next() { return go_(state); }
  SweepTraversal state;

 private:
  bool usable_ = false, misses_ = false;
  SweepEvent (*go_)(SweepTraversal&) = nullptr;
};

double slack_of(const ConvexSet& convex, const Vec3& d);

}  // namespace wide

/// Finds all triangles of the surface that `convex` may touch first, as candidates for `first`. Either the convex set moves by first.motion(), or
/// (`surface_moves`) the surface does. `margin`: the convex set is only a bounding volume of what moves, which may protrude from it by this length. The work is
/// split into steps, so that many sweeps may each take one step in turn. The arguments must outlive the object.
class WideSweep {
 public:
  WideSweep(EarliestContact& first, const ConvexSet& convex, const MeshView& surface, bool surface_moves, const SweepIds& ids,
            std::optional<double> margin = {})
      : first_(first),
        convex_(convex),
        surface_(surface),
        surface_moves_(surface_moves),
        ids_(ids),
        encloses_(margin.has_value()),
        motion_(surface_moves ? -rounded(first.motion()) : rounded(first.motion())),
        slack_(wide::slack_of(convex, motion_) + margin.value_or(0)),
        traversal_(surface, convex, motion_, slack_, encloses_) {
    first.near.known = false;
    if (usable() && !traversal_.misses()) traversal_.state.least = first.limit();
  }

  /// Returns false when doubles do not suffice; the caller then needs another method.
  bool usable() const { return traversal_.usable(); }
  /// Runs the traversal until candidates have to be tested.
  void advance() {
    if (!traversal_.misses()) event_ = traversal_.next();
  }
  /// Call after `advance`: calls test(triangle, its ids, a time before which it is not touched); first.limit() falls with the results. Continues the traversal
  /// where needed. For moving balls, it also records the triangles near the path.
  template <class Test>
  void settle(Test&& test);

 private:
  static constexpr BlockPlace kNone = ~0u;
  SweepIds with(std::uint32_t triangle) const {
    SweepIds named = ids_;
    (surface_moves_ ? named.triangle_a : named.triangle_b) = triangle;
    return named;
  }
  Triangle triangle_of(BlockPlace at) const { return leaf::place(surface_.pose, surface_.mesh->triangle_at(at)); }
  std::uint32_t index(const SweepCandidate& c) const { return surface_.mesh->index_at(c.place); }
  template <class Test>
  void test_all(Test&& test, bool in_order_of_time);

  EarliestContact& first_;
  const ConvexSet& convex_;
  const MeshView& surface_;
  const bool surface_moves_;
  const SweepIds ids_;
  const bool encloses_;
  const Vec3 motion_;
  const double slack_;
  wide::Traversal traversal_;
  SweepEvent event_ = SweepEvent::done;
};

template <class Test>
void WideSweep::test_all(Test&& test, bool in_order_of_time) {
  SweepTraversal& w = traversal_.state;
  if (w.deep_place != kNone) {
    PairContact inside;
    inside.inside = true;
    const ConvexSet t = convex_triangle(triangle_of(w.deep_place));
    const SweepIds named = with(w.deep);
    if (surface_moves_)
      first_.offer(inside, t, convex_, named);
    else
      first_.offer(inside, convex_, t, named);
  }
  first_.know(w.least);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < w.found; ++i)
    if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
  w.found = kept;
  std::sort(w.candidate, w.candidate + kept,
            [&](const SweepCandidate& x, const SweepCandidate& y) { return in_order_of_time && x.lo != y.lo ? x.lo < y.lo : index(x) < index(y); });
  for (std::uint32_t i = 0; i < kept; ++i) {
    const SweepCandidate& k = w.candidate[i];
    if (k.lo > first_.limit()) continue;
    const SweepIds named = with(index(k));
    const Triangle t = triangle_of(k.place);
    if (first_.settled(named) || (!surface_moves_ && first_.settled_by_plane(t, named))) continue;
    test(t, named, k.lo);
  }
  w.least = std::min(w.least, first_.limit());
}

template <class Test>
void WideSweep::settle(Test&& test) {
  if (traversal_.misses()) return;
  SweepTraversal& w = traversal_.state;
  bool whole = true;
  for (; event_ != SweepEvent::done; event_ = traversal_.next()) {
    whole = false;
    test_all(test, true);
    w.found = 0;
    // Contact at the start that stays: only lower triangles matter.
    if (first_.found() && first_.contact().inside && !first_.departing() && first_.ids() < with(w.deep) && first_.ids() >= with(0)) {
      w.deep = surface_moves_ ? *first_.ids().triangle_a : *first_.ids().triangle_b;
      w.deep_place = kNone;
    }
  }
  test_all(test, false);
  if (!whole || encloses_ || surface_moves_ || !convex_.is_ball() || w.deep != ~0u || w.found > NearTriangles::kMost) return;
  first_.near.known = true;
  first_.near.slack = slack_;
  first_.near.count = w.found;
  for (std::uint32_t i = 0; i < w.found; ++i) {
    const Triangle t = triangle_of(w.candidate[i].place);
    std::copy(t.points.begin(), t.points.end(), first_.near.triangle[i]);
  }
}

/// Runs a single sweep. Returns false without any test where doubles do not suffice.
template <class Test>
bool sweep_wide(EarliestContact& first, const ConvexSet& convex, const MeshView& surface, bool surface_moves, const SweepIds& ids, Test&& test,
                std::optional<double> margin = {}) {
  WideSweep sweep(first, convex, surface, surface_moves, ids, margin);
  if (!sweep.usable()) return false;
  sweep.advance();
  sweep.settle(test);
  return true;
}

}  // namespace graze
