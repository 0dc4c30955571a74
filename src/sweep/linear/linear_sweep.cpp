// First contact of a moving part with a part at rest: all pairs of kinds, two surfaces, and containment in solids.
#include "sweep/linear/linear_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "math/moving_box.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "platform/watch.hpp"
#include "shapes/placement.hpp"
#include "sweep/linear/surface_sweep.hpp"

namespace graze {

using namespace leaf;

namespace {

// ---- two surfaces ------------------------------------------------------------------------------------------------------------------------

/// World boxes of a placed tree's nodes, rounded outward.
class WorldBoxes {
 public:
  explicit WorldBoxes(const MeshView& view) : view_(view), frame_(view.mesh->tree.frame()) {}
  Box3 operator()(const QueryBox& q) const {
    constexpr double u = kUnitRoundoff;
    Box3 b;
    for (int i = 0; i < 3; ++i) {
      const double lo = scaled(q.lo[i], -frame_.exponent), hi = scaled(q.hi[i], -frame_.exponent), c = frame_.center[i];
      // two sums and the pad's own rounding: below 4 u of the sizes
      const double pad = 8 * u * (std::fabs(c) + std::max(std::fabs(lo), std::fabs(hi))) + 0x1p-1060;
      b.lo[i] = c + lo - pad;
      b.hi[i] = c + hi + pad;
    }
    if (view_.pose) return placed_box(b, *view_.pose);
    for (int i = 0; i < 3; ++i)
      if (!(std::fabs(b.lo[i]) < 0x1p1000 && std::fabs(b.hi[i]) < 0x1p1000)) {
        b.lo[i] = -kInfinity;
        b.hi[i] = kInfinity;
      }
    return b;
  }

 private:
  const MeshView& view_;
  const LocalFrame& frame_;
};

double extent(const Box3& b) { return std::max({b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2]}); }

struct Side {
  Box3 box;
  std::uint32_t child, count;  // count 0: inner node
};

void leaf_against_leaf(EarliestContact& first, const MeshView& a, const Side& sa, const MeshView& b, const Side& sb, const Vec3& d, const SweepIds& ids,
                       const RayQuery* line) {
  for (std::uint32_t i = sa.child; i < sa.child + sa.count; ++i) {
    const Triangle ta = triangle_at(a, i);
    const MovingBox ba(box_of(ta), d);
    if (ba.entry(sb.box, first.limit()) > first.limit()) continue;
    const ConvexSet convex = convex_triangle(ta);
    for (std::uint32_t j = sb.child; j < sb.child + sb.count; ++j) {
      const Triangle tb = triangle_at(b, j);
      if (ba.entry(box_of(tb), first.limit()) > first.limit()) continue;
      if (line && !counts(*line, tb, index_at(b, j), b)) continue;
      SweepIds named = ids;
      named.triangle_a = index_at(a, i);
      named.triangle_b = index_at(b, j);
      test_pair(first, convex, convex_triangle(tb), named);
    }
  }
}

/// Two surfaces, the pairs of nodes whose boxes meet first at the top.
class SurfacesTraversal {
 public:
  SurfacesTraversal(EarliestContact& first, const MeshView& a, const MeshView& b, const SweepIds& ids, const RayQuery* line)
      : first_(first), a_(a), b_(b), ids_(ids), line_(line), d_(rounded(first.motion())), world_a_(a), world_b_(b) {
    push({world_a_(a.mesh->tree.root_box()), 0, 0}, {world_b_(b.mesh->tree.root_box()), 0, 0});
  }
  bool next() {
    while (!stack_.empty()) {
      if (++turns_ % 64 == 0) checkpoint();
      at_ = stack_.back();
      stack_.pop_back();
      if (at_.key <= first_.limit()) return true;
    }
    return false;
  }
  bool at_leaf() const { return at_.a.count != 0 && at_.b.count != 0; }
  bool leaf() {
    leaf_against_leaf(first_, a_, at_.a, b_, at_.b, d_, ids_, line_);
    return false;
  }
  bool node() {
    const std::size_t base = stack_.size();
    const bool in_a = at_.a.count == 0 && (at_.b.count != 0 || extent(at_.a.box) >= extent(at_.b.box));
    const WideBvh& tree = in_a ? a_.mesh->tree : b_.mesh->tree;
    const std::uint32_t number = in_a ? at_.a.child : at_.b.child;
    for (std::uint32_t s = 0; s < tree.node(number).used; ++s) {
      const RefView below = view_of(tree, number * kWidth + s);
      const Side side{in_a ? world_a_(below.box) : world_b_(below.box), below.child, below.count};
      if (in_a)
        push(side, at_.b);
      else
        push(at_.a, side);
    }
    std::stable_sort(stack_.begin() + static_cast<std::ptrdiff_t>(base), stack_.end(), [](const Entry& x, const Entry& y) { return x.key > y.key; });
    return false;
  }

 private:
  struct Entry {
    double key;
    Side a, b;
  };
  void push(const Side& a, const Side& b) {
    const double key = MovingBox(a.box, d_).entry(b.box, first_.limit());
    if (key <= first_.limit()) stack_.push_back({key, a, b});
  }

  EarliestContact& first_;
  const MeshView &a_, &b_;
  const SweepIds& ids_;
  const RayQuery* const line_;
  const Vec3 d_;
  const WorldBoxes world_a_, world_b_;
  std::vector<Entry> stack_;
  Entry at_;
  std::uint32_t turns_ = 0;
};

void traverse_surfaces(EarliestContact& first, const MeshView& a, const MeshView& b, const SweepIds& ids, const RayQuery* line) {
  if (a.mesh->tree.empty() || b.mesh->tree.empty()) return;
  SurfacesTraversal surfaces(first, a, b, ids, line);
  run_traversal(surfaces);
}

// ---- all pairs of parts: a missing pair does not compile ----------------------------------------------------------------------------------

template <class P>
concept Convex = std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>;

template <Convex A, Convex B>
void traverse(EarliestContact& first, const A& a, const B& b, const SweepIds& ids, const RayQuery*) {
  test_pair(first, a, b, ids);
}
template <Convex A>
void traverse(EarliestContact& first, const A& a, const MeshView& b, const SweepIds& ids, const RayQuery* line) {
  sweep_surface(first, SurfacePair<A>{a, b, false, ids, line});
}
template <Convex B>
void traverse(EarliestContact& first, const MeshView& a, const B& b, const SweepIds& ids, const RayQuery*) {
  sweep_surface(first, SurfacePair<B>{b, a, true, ids});
}
void traverse(EarliestContact& first, const MeshView& a, const MeshView& b, const SweepIds& ids, const RayQuery* line) {
  traverse_surfaces(first, a, b, ids, line);
}

template <class P>
const P& surface_of(const P& p) {
  return p;
}
const MeshView& surface_of(const SolidView& s) { return s.surface; }

// ---- containment in solids ---------------------------------------------------------------------------------------------------------------

ConvexSet moved(const ConvexSet& c, const Motion& m, double t) {
  ConvexSet r = c;
  if (t == 0) return r;
  r.add_segment(m.to, t, t);
  if (m.from) r.add_segment(*m.from, -t, -t);
  return r;
}
Motion back(const Motion& m, Vec3& storage) {
  if (m.from) return {*m.from, &m.to};
  storage = -m.to;
  return {storage};
}

/// Whether the solid contains any of `part`, moved by t * motion. Requires that their surfaces do not meet.
bool encloses(const MeshView& solid, const ConvexSet& part, const Motion& m, double t) { return solid_encloses(solid, moved(part, m, t)); }
bool encloses(const MeshView& solid, const Curved& part, const Motion& m, double t) { return solid_encloses(solid, moved(part.inner_set(), m, t)); }
bool encloses(const MeshView& solid, const MeshView& part, const Motion& m, double t) {
  for (const std::uint32_t i : part.mesh->component_triangles()) {
    checkpoint();
    if (solid_encloses(solid, moved(convex_point(part.triangle(i).points[0]), m, t))) return true;
  }
  return false;
}

/// Whether one of two parts contains any of the other at t. Requires that their surfaces do not meet.
template <class A, class B>
bool enclosed([[maybe_unused]] const A& a, [[maybe_unused]] const B& b, [[maybe_unused]] const Motion& m, [[maybe_unused]] double t) {
  bool r = false;
  if constexpr (std::is_same_v<B, SolidView>) r = encloses(b.surface, surface_of(a), m, t);
  if constexpr (std::is_same_v<A, SolidView>) {
    Vec3 storage;
    if (!r) r = encloses(a.surface, surface_of(b), back(m, storage), t);
  }
  return r;
}

/// Where a seam touches first, the triangle is named along whose edge it lies, and only if nothing else touches as early.
void traverse_seams(EarliestContact& first, const auto& a, const auto& b, const SweepIds& ids, const MeshImpl* seams_a, const MeshImpl* seams_b) {
  EarliestContact of_seams(first.motion(), first.skips());
  of_seams.know(first.limit());
  traverse(of_seams, a, b, ids, nullptr);
  if (!of_seams.found() || (first.found() && first.contact().t <= of_seams.contact().t)) return;
  SweepIds named = of_seams.ids();
  if (seams_a) named.triangle_a = seams_a->user_of(*named.triangle_a);
  if (seams_b) named.triangle_b = seams_b->user_of(*named.triangle_b);
  first.offer(of_seams, named);
}

template <class A, class B>
void traverse_surfaces_of(EarliestContact& first, const A& a, const B& b, const SweepIds& ids) {
  const auto& sa = surface_of(a);
  const auto& sb = surface_of(b);
  traverse(first, sa, sb, ids, nullptr);
  std::optional<MeshView> seams_a, seams_b;
  if constexpr (std::is_same_v<A, SolidView>) seams_a = a.surface.placed_seams();
  if constexpr (std::is_same_v<B, SolidView>) seams_b = b.surface.placed_seams();
  if (seams_a) traverse_seams(first, *seams_a, sb, ids, seams_a->mesh, nullptr);
  if (seams_b) traverse_seams(first, sa, *seams_b, ids, nullptr, seams_b->mesh);
  if (seams_a && seams_b) traverse_seams(first, *seams_a, *seams_b, ids, seams_a->mesh, seams_b->mesh);
}

template <class A, class B>
void sweep_solids(EarliestContact& first, const A& a, const B& b, const SweepIds& ids) {
  const auto inside = [&] {
    PairContact c;
    c.inside = true;
    first.offer(c, ids);
  };
  EarliestContact all(first.motion(), false);
  traverse_surfaces_of(all, a, b, ids);
  const bool meets = all.found() && all.contact().inside;
  if (!meets) {
    if (enclosed(a, b, first.motion(), 0)) return inside();
    first.offer(all, all.ids());
    return;
  }
  if (!all.departing()) {  // a surface that stays in contact; the pair that names it is the lowest that counts
    traverse_surfaces_of(first, a, b, ids);
    return;
  }
  // The whole surface separates at once: the following decides whether it does so from the inside or from the outside.
  EarliestContact next(first.motion(), true);
  traverse_surfaces_of(next, a, b, ids);
  const double t = next.found() ? next.contact().t : 1;
  if (t == 0 || enclosed(a, b, first.motion(), t * 0.5)) return inside();
  traverse_surfaces_of(first, a, b, ids);
}

/// A solid may enclose triangles that count and others that do not, so each triangle is a target of its own.
void sweep_each_triangle(EarliestContact& first, const SolidView& a, const MeshView& b, const SweepIds& ids, const RayQuery& line) {
  const MovingBox moving(loose_bounds(a.surface), rounded(first.motion()));
  b.mesh->complete();
  for (std::uint32_t i = 0; i < b.mesh->triangles.size(); ++i) {
    if (i % 64 == 0) checkpoint();
    SweepIds named = ids;
    named.triangle_b = i;
    const Triangle t = b.triangle(i);
    if (first.settled(named) || moving.entry(box_of(t), first.limit()) > first.limit() || !counts(line, t, i, b)) continue;
    sweep_solids(first, a, convex_triangle(t), named);
  }
}

/// The choice of `line` is for the child that `b` belongs to.
void sweep_counted(EarliestContact& first, const ListedPart& a, const ListedPart& b, const RayQuery* line) {
  const SweepIds ids{b.child, b.triangle, a.child, a.triangle};
  if (line && b.has_sides && !counts(*line, triangle_of(std::get<ConvexSet>(b.part)), b.triangle.value_or(0), 0u)) return;
  std::visit(
      [&]<class A, class B>(const A& pa, const B& pb) {
        if constexpr (std::is_same_v<A, SolidView> && std::is_same_v<B, MeshView>)
          line ? sweep_each_triangle(first, pa, pb, ids, *line) : sweep_solids(first, pa, pb, ids);
        else if constexpr (std::is_same_v<A, SolidView> || std::is_same_v<B, SolidView>)
          sweep_solids(first, pa, pb, ids);
        else
          traverse(first, pa, pb, ids, line);
      },
      a.part, b.part);
}

}  // namespace

void sweep_parts(EarliestContact& first, const ListedPart& a, const ListedPart& b, const RayQuery* line) {
  if (!line) return sweep_counted(first, a, b, nullptr);
  for_child(*line, b.child, [&](const RayQuery& own) { sweep_counted(first, a, b, &own); });
}

void sweep_all(EarliestContact& first, const PartList& a, const PartList& b, const RayQuery* line) {
  for (const ListedPart& pb : b)
    for (const ListedPart& pa : a) {
      checkpoint();
      sweep_parts(first, pa, pb, line);
    }
}

}  // namespace graze
