// A ball, capsule or box and a surface, one of which moves: the wide walk, and exact answers for what it leaves.
#pragma once
#include "mesh/mesh_queries.hpp"
#include "mesh/leaf.hpp"
#include "mesh/sweep_kernels.hpp"
#include "sweep/first.hpp"

namespace graze {

/// Calls ask(triangle, its ids, a time before which it is not touched) for all triangles of the surface that `core` may touch first; first.limit() falls as it learns. Either the core moves by first.motion(), or (`surface_moves`) the surface does.
/// For balls that move, what is near the way is noted, too. False, and nothing asked, where doubles do not reach. `around`: the core only encloses what moves, which may be farther out by so much.
template <class Ask>
bool sweep_wide(First& first, const Core& core, const MeshView& surface, bool surface_moves, const SweepIds& ids, Ask&& ask, std::optional<double> around = {});

namespace wide {

/// The walk, brought into the tree's coordinates; `slack`: a length that the path may be off besides.
class Walk {
 public:
  Walk(const MeshView& view, const Core& core, const Vec3& d, double slack, bool encloses = false);
  bool usable() const { return usable_; }
  bool misses() const { return misses_; }
  SweepEvent next() { return go_(state); }
  SweepWalk state;

 private:
  bool usable_ = false, misses_ = false;
  SweepEvent (*go_)(SweepWalk&) = nullptr;
};

double slack_of(const Core& core, const Vec3& d);

}  // namespace wide

template <class Ask>
bool sweep_wide(First& first, const Core& core, const MeshView& surface, bool surface_moves, const SweepIds& ids, Ask&& ask, std::optional<double> around) {
  first.near.known = false;
  const Vec3 d = surface_moves ? -rounded(first.motion()) : rounded(first.motion());
  const double slack = wide::slack_of(core, d) + around.value_or(0);
  wide::Walk walk(surface, core, d, slack, around.has_value());
  if (!walk.usable()) return false;
  if (walk.misses()) return true;
  SweepWalk& w = walk.state;
  w.least = first.limit();
  constexpr BlockPlace kNone = ~0u;
  const auto with = [&](std::uint32_t triangle) {
    SweepIds named = ids;
    (surface_moves ? named.triangle_a : named.triangle_b) = triangle;
    return named;
  };
  const auto triangle_of = [&](BlockPlace at) { return leaf::place(surface.pose, surface.mesh->triangle_at(at)); };
  const auto ask_all = [&](bool in_order_of_time) {
    if (w.deep_place != kNone) {
      PairContact inside;
      inside.inside = true;
      const Core t = triangle_core(triangle_of(w.deep_place));
      const SweepIds named = with(w.deep);
      if (surface_moves) first.offer(inside, t, core, named);
      else first.offer(inside, core, t, named);
    }
    first.know(w.least);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < w.found; ++i)
      if (w.candidate[i].lo <= w.least) w.candidate[kept++] = w.candidate[i];
    w.found = kept;
    const auto index = [&](const SweepCandidate& c) { return surface.mesh->index_at(c.place); };
    std::sort(w.candidate, w.candidate + kept, [&](const SweepCandidate& x, const SweepCandidate& y) { return in_order_of_time && x.lo != y.lo ? x.lo < y.lo : index(x) < index(y); });
    for (std::uint32_t i = 0; i < kept; ++i) {
      const SweepCandidate& k = w.candidate[i];
      if (k.lo > first.limit()) continue;
      const SweepIds named = with(index(k));
      const Triangle t = triangle_of(k.place);
      if (first.settled(named) || (!surface_moves && first.settled_by_plane(t, named))) continue;
      ask(t, named, k.lo);
    }
    w.least = std::min(w.least, first.limit());
  };
  bool whole = true;
  for (SweepEvent event; (event = walk.next()) != SweepEvent::done;) {
    whole = false;
    ask_all(true);
    w.found = 0;
    // Contact at the start that stays: only lower triangles matter.
    if (first.found() && first.contact().inside && !first.departing() && first.ids() < with(w.deep) && first.ids() >= with(0)) {
      w.deep = surface_moves ? *first.ids().triangle_a : *first.ids().triangle_b;
      w.deep_place = kNone;
    }
  }
  ask_all(false);
  if (!whole || around || surface_moves || !core.is_ball() || w.deep != ~0u || w.found > NearTriangles::kMost) return true;
  first.near.known = true;
  first.near.slack = slack;
  first.near.count = w.found;
  for (std::uint32_t i = 0; i < w.found; ++i) first.near.triangle[i] = triangle_of(w.candidate[i].place);
  return true;
}

}  // namespace graze
