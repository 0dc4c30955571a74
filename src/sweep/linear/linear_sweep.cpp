// First contact of a moving part with a part at rest: tree traversals for surfaces, single pairs, and containment in solids.
#include "sweep/linear/linear_sweep.hpp"

#include "math/limits.hpp"
#include "sweep/linear/curved_contact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "bvh/far_line.hpp"
#include "convex/convex_set_bounds.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "query/ray_targets.hpp"
#include "sweep/linear/wide_traversal.hpp"

namespace graze {

using namespace leaf;

MovingBox::MovingBox(const Box3& box, const Vec3& d) : box_(box) {
  for (int i = 0; i < 3; ++i) {
    const double speed = std::fabs(d[i]);
    still_[i] = d[i] == 0;
    forward_[i] = d[i] > 0;
    inverse_[i] = speed > 0x1p-900 && speed < 0x1p900 ? 1 / speed : 0;
  }
}

namespace {

// ---- single pairs ------------------------------------------------------------------------------------------------------------------------

void test_pair(EarliestContact& first, const ConvexSet& a, const ConvexSet& b, const SweepIds& ids) { first.test(a, b, ids); }

template <class A, class B>
void test_pair(EarliestContact& first, const A& a, const B& b, const SweepIds& ids) {
  if (const auto c = curved_contact(a, first.motion(), b, first.limit())) first.offer(*c, ids);
}

Box3 box_of_part(const ConvexSet& c) { return bounds(c); }
Box3 box_of_part(const Curved& c) { return bounds(c); }

SweepIds with_triangle_a(SweepIds ids, std::uint32_t t) {
  ids.triangle_a = t;
  return ids;
}
SweepIds with_triangle_b(SweepIds ids, std::uint32_t t) {
  ids.triangle_b = t;
  return ids;
}

// ---- a convex part and a surface ---------------------------------------------------------------------------------------------------------

/// A point moves along a ray; only a point that starts on the surface needs the general traversal.
bool point_by_ray(EarliestContact& first, const ConvexSet& a, const MeshView& b, const SweepIds& ids) {
  const Motion& motion = first.motion();
  if (!is_exact(motion)) return false;
  const Vec3 d = rounded(motion);
  if (d == Vec3(0, 0, 0)) return false;
  const RayQuery ray{a.base(0), d, false, 0, first.limit()};
  const auto hit = ray_first(b, ray);
  if (!hit) return true;
  const Triangle& t = hit->corners;
  const TimeBounds time = *ray_hits(ray, t);
  if (!(time.lo > 0)) return false;
  const auto public_hit = first_hit(ray, std::span<const Triangle>(&t, 1));
  PairContact c;
  c.t = public_hit->t;
  c.exact = time.lo == time.hi;
  if (public_hit->normal) c.normal = *public_hit->normal;
  first.offer(c, a, convex_triangle(t), with_triangle_b(ids, hit->triangle));
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
void know_by_ray(EarliestContact& first, const ConvexSet& a, const MeshView& b) {
  constexpr std::size_t kWorth = 64;
  const auto p = b.mesh->triangles.size() < kWorth ? std::nullopt : inner_point(a);
  const Vec3 d = rounded(first.motion());
  if (!p || d == Vec3(0, 0, 0) || !is_exact(first.motion())) return;
  const RayQuery ray{*p, d, false, 0, first.limit()};
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
void know_by_ray(EarliestContact& first, const Curved& a, const MeshView& b) {
  if (a.convex() || first.skips()) return;
  const auto [p, depth] = a.visit([](const auto& kind) { return kind.deep_point(); });
  if (!(depth > 0x1p-40 * max_norm(p)) || !(depth > 0x1p-900)) return;
  know_by_ray(first, convex_point(p), b);
}

/// A curved shape and a surface, through a convex set that contains the shape. Returns false without any test where doubles do not suffice.
template <class Test>
bool sweep_bounding_volume(EarliestContact& first, const Curved& c, const MeshView& surface, bool surface_moves, const SweepIds& ids, Test&& test) {
  if (c.convex()) return sweep_wide(first, *c.convex(), surface, surface_moves, ids, test);
  const auto hull = bounding_volume(c);
  return hull && sweep_wide(first, hull->convex, surface, surface_moves, ids, test, hull->more);
}

template <class Convex>
void traverse_surface(EarliestContact& first, const Convex& a, const MeshView& b, const SweepIds& ids) {
  if constexpr (std::is_same_v<Convex, Curved>) {
    know_by_ray(first, a, b);
    if (sweep_bounding_volume(first, a, b, false, ids,
                              [&](const Triangle& t, const SweepIds& named, double) { test_pair(first, a, convex_triangle(t), named); }))
      return;
  }
  if constexpr (std::is_same_v<Convex, ConvexSet>) {
    if (a.is_point() && point_by_ray(first, a, b, ids)) return;
    if (sweep_wide(first, a, b, false, ids, [&](const Triangle& t, const SweepIds& named, double start) { first.test(a, convex_triangle(t), named, start); }))
      return;
    know_by_ray(first, a, b);
  }
  std::optional<MovingBall> ball;
  if constexpr (std::is_same_v<Convex, ConvexSet>) {
    if (a.is_ball()) ball.emplace(a.base(0), a.radius, rounded(first.motion()));
  }
  const Vec3 d = rounded(first.motion());
  const Box3 box = box_of_part(a);
  const MovingBox moving(box, d);
  PathSweep sweep(placed_tree(b), box, d, is_exact(first.motion()));
  sweep.shrink(first.limit());
  for_each_along(
      b.mesh->tree, sweep,
      [&](std::uint32_t at, std::uint32_t count) {
        for (std::uint32_t k = at; k < at + count; ++k) {
          if (first.settled(with_triangle_b(ids, index_at(b, k)))) continue;
          const Triangle t = triangle_at(b, k);
          const Box3 box_of_triangle = box_of(t);
          const double before = first.limit(), entry = moving.entry(box_of_triangle, before);
          if (entry > before) continue;
          if constexpr (std::is_same_v<Convex, ConvexSet>) {
            if (ball && (ball->surely_misses(box_of_triangle, before) || ball->surely_misses(t, entry, before))) continue;
          }
          test_pair(first, a, convex_triangle(t), with_triangle_b(ids, index_at(b, k)));
          if (first.limit() < before) sweep.shrink(first.limit());
        }
        return false;
      },
      leaf_data(b));
}

/// A surface that moves: the target traverses the mover's tree, moving in the opposite direction.
template <class Convex>
void traverse_moving_surface(EarliestContact& first, const MeshView& a, const Convex& b, const SweepIds& ids) {
  if constexpr (std::is_same_v<Convex, Curved>) {
    if (sweep_bounding_volume(first, b, a, true, ids,
                              [&](const Triangle& t, const SweepIds& named, double) { test_pair(first, convex_triangle(t), b, named); }))
      return;
  }
  if constexpr (std::is_same_v<Convex, ConvexSet>) {
    if (sweep_wide(first, b, a, true, ids, [&](const Triangle& t, const SweepIds& named, double start) { first.test(convex_triangle(t), b, named, start); }))
      return;
  }
  const Vec3 d = rounded(first.motion());
  const Box3 box = box_of_part(b);
  PathSweep sweep(placed_tree(a), box, -d, is_exact(first.motion()));
  const MovingBox moving(box, -d);
  sweep.shrink(first.limit());
  for_each_along(
      a.mesh->tree, sweep,
      [&](std::uint32_t at, std::uint32_t count) {
        for (std::uint32_t k = at; k < at + count; ++k) {
          const Triangle t = triangle_at(a, k);
          const double before = first.limit();
          if (moving.entry(box_of(t), before) > before) continue;
          test_pair(first, convex_triangle(t), b, with_triangle_a(ids, index_at(a, k)));
          if (first.limit() < before) sweep.shrink(first.limit());
        }
        return false;
      },
      leaf_data(a));
}

// ---- two surfaces ------------------------------------------------------------------------------------------------------------------------

/// World boxes of a placed tree's nodes, rounded outward.
class WorldBoxes {
 public:
  explicit WorldBoxes(const MeshView& view) : view_(view), frame_(view.mesh->tree.frame()) {}
  Box3 operator()(const QueryBox& q) const {
    constexpr double u = kUnitRoundoff;
    Box3 b;
    double center[3], half[3];
    for (int i = 0; i < 3; ++i) {
      const double lo = scaled(q.lo[i], -frame_.exponent), hi = scaled(q.hi[i], -frame_.exponent), c = frame_.center[i];
      // two sums and the pad's own rounding: below 4 u of the sizes
      const double pad = 8 * u * (std::fabs(c) + std::max(std::fabs(lo), std::fabs(hi))) + 0x1p-1060;
      b.lo[i] = c + lo - pad;
      b.hi[i] = c + hi + pad;
      center[i] = b.lo[i] * 0.5 + b.hi[i] * 0.5;
      half[i] = std::max(b.hi[i] - center[i], center[i] - b.lo[i]);
    }
    if (view_.pose) {  // as in loose_bounds: both sums are off by 8 u of the sizes added, the last two by u; 2^-48 = 32 u
      const Pose& p = *view_.pose;
      for (int i = 0; i < 3; ++i) {
        double m = p.translation[i], h = 0, size = std::fabs(p.translation[i]);
        for (int j = 0; j < 3; ++j) {
          m += p.rotation[i][j] * center[j];
          h += std::fabs(p.rotation[i][j]) * half[j];
          size += std::fabs(p.rotation[i][j]) * (std::fabs(center[j]) + half[j]);
        }
        h += 0x1p-48 * size + 0x1p-1060;
        b.lo[i] = m - h;
        b.hi[i] = m + h;
      }
    }
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

void leaf_against_leaf(EarliestContact& first, const MeshView& a, const Side& sa, const MeshView& b, const Side& sb, const Vec3& d, const SweepIds& ids) {
  for (std::uint32_t i = sa.child; i < sa.child + sa.count; ++i) {
    const Triangle ta = triangle_at(a, i);
    const MovingBox ba(box_of(ta), d);
    if (ba.entry(sb.box, first.limit()) > first.limit()) continue;
    const ConvexSet convex = convex_triangle(ta);
    for (std::uint32_t j = sb.child; j < sb.child + sb.count; ++j) {
      const Triangle tb = triangle_at(b, j);
      if (ba.entry(box_of(tb), first.limit()) > first.limit()) continue;
      first.test(convex, convex_triangle(tb), with_triangle_a(with_triangle_b(ids, index_at(b, j)), index_at(a, i)));
    }
  }
}

void traverse_surfaces(EarliestContact& first, const MeshView& a, const MeshView& b, const SweepIds& ids) {
  const WideBvh &ta = a.mesh->tree, &tb = b.mesh->tree;
  if (ta.empty() || tb.empty()) return;
  const Vec3 d = rounded(first.motion());
  const WorldBoxes world_a(a), world_b(b);
  struct Entry {
    double key;
    Side a, b;
  };
  std::vector<Entry> stack;
  const auto push = [&](const Side& sa, const Side& sb) {
    const double key = MovingBox(sa.box, d).entry(sb.box, first.limit());
    if (key > first.limit()) return;
    stack.push_back({key, sa, sb});
  };
  push({world_a(ta.root_box()), 0, 0}, {world_b(tb.root_box()), 0, 0});
  while (!stack.empty()) {
    const Entry e = stack.back();
    stack.pop_back();
    if (e.key > first.limit()) continue;
    if (e.a.count != 0 && e.b.count != 0) {
      leaf_against_leaf(first, a, e.a, b, e.b, d, ids);
      continue;
    }
    const std::size_t base = stack.size();
    const bool in_a = e.a.count == 0 && (e.b.count != 0 || extent(e.a.box) >= extent(e.b.box));
    const WideNode& node = in_a ? ta.node(e.a.child) : tb.node(e.b.child);
    for (std::uint32_t s = 0; s < node.used; ++s) {
      QueryBox q;
      for (int i = 0; i < 3; ++i) {
        q.lo[i] = node.plane[i][s];
        q.hi[i] = node.plane[3 + i][s];
      }
      const Side side{in_a ? world_a(q) : world_b(q), node.child[s], node.count[s]};
      if (in_a)
        push(side, e.b);
      else
        push(e.a, side);
    }
    std::stable_sort(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end(), [](const Entry& x, const Entry& y) { return x.key > y.key; });
  }
}

// ---- all pairs of parts: a missing pair does not compile ----------------------------------------------------------------------------------

template <class P>
concept Convex = std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>;

template <Convex A, Convex B>
void traverse(EarliestContact& first, const A& a, const B& b, const SweepIds& ids) {
  test_pair(first, a, b, ids);
}
template <Convex A>
void traverse(EarliestContact& first, const A& a, const MeshView& b, const SweepIds& ids) {
  traverse_surface(first, a, b, ids);
}
template <Convex B>
void traverse(EarliestContact& first, const MeshView& a, const B& b, const SweepIds& ids) {
  traverse_moving_surface(first, a, b, ids);
}
void traverse(EarliestContact& first, const MeshView& a, const MeshView& b, const SweepIds& ids) { traverse_surfaces(first, a, b, ids); }

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
bool encloses(const MeshView& solid, const Curved& part, const Motion& m, double t) {
  return solid_encloses(solid, moved(part.convex() ? *part.convex() : convex_point(part.point()), m, t));
}
bool encloses(const MeshView& solid, const MeshView& part, const Motion& m, double t) {
  for (const std::uint32_t i : part.mesh->component_triangles())
    if (solid_encloses(solid, moved(convex_point(part.triangle(i).points[0]), m, t))) return true;
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

template <class A, class B>
void sweep_solids(EarliestContact& first, const A& a, const B& b, const SweepIds& ids) {
  const auto& sa = surface_of(a);
  const auto& sb = surface_of(b);
  const auto inside = [&] {
    PairContact c;
    c.inside = true;
    first.offer(c, ids);
  };
  EarliestContact all(first.motion(), false);
  traverse(all, sa, sb, ids);
  const bool meets = all.found() && all.contact().inside;
  if (!meets) {
    if (enclosed(a, b, first.motion(), 0)) return inside();
    if (all.found()) {
      if (all.curved())
        first.offer(all.contact(), all.ids());
      else
        first.offer(all.contact(), all.convex_a(), all.convex_b(), all.ids());
    }
    return;
  }
  if (!all.departing()) {  // a surface that stays in contact; the pair that names it is the lowest that counts
    traverse(first, sa, sb, ids);
    return;
  }
  // The whole surface separates at once: the following decides whether it does so from the inside or from the outside.
  EarliestContact next(first.motion(), true);
  traverse(next, sa, sb, ids);
  const double t = next.found() ? next.contact().t : 1;
  if (t == 0 || enclosed(a, b, first.motion(), t * 0.5)) return inside();
  traverse(first, sa, sb, ids);
}

}  // namespace

void sweep_parts(EarliestContact& first, const ListedPart& a, const ListedPart& b) {
  const SweepIds ids{b.child, b.triangle, a.child, a.triangle};
  std::visit(
      [&]<class A, class B>(const A& pa, const B& pb) {
        if constexpr (std::is_same_v<A, SolidView> || std::is_same_v<B, SolidView>)
          sweep_solids(first, pa, pb, ids);
        else
          traverse(first, pa, pb, ids);
      },
      a.part, b.part);
}

void sweep_all(EarliestContact& first, const PartList& a, const PartList& b) {
  for (const ListedPart& pb : b)
    for (const ListedPart& pa : a) sweep_parts(first, pa, pb);
}

}  // namespace graze
