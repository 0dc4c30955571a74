// Queries of a surface and a convex shape, with one traversal each for convex sets and curved shapes.
#include "mesh/queries/convex_queries.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "convex/sets/convex_set_bounds.hpp"
#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "mesh/kernels/convex_kernels.hpp"
#include "mesh/kernels/nearest_kernels.hpp"
#include "mesh/queries/convex_search.hpp"
#include "mesh/queries/distance_bounds.hpp"
#include "mesh/queries/plain_closest.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "platform/parallel.hpp"

namespace graze {

using namespace leaf;

std::optional<LocalConvexSet> local_convex_set(const MeshView& a, const PlacedTree& placed, const ConvexSet& convex, double distance) {
  if (!convex.bounded() || convex.points > 2 || convex.segments + convex.points > 4) return std::nullopt;
  constexpr double u = kUnitRoundoff;
  Vec3 center = convex.base(0), half[3];
  double sizes = max_norm(center);
  LocalConvexSet c{};
  if (convex.points == 2) {
    const Vec3 other = convex.base(1);
    sizes += max_norm(other);
    for (int i = 0; i < 3; ++i) half[0][i] = other[i] * 0.5 - center[i] * 0.5;
    for (int i = 0; i < 3; ++i) center[i] = center[i] * 0.5 + other[i] * 0.5;
    c.halves = 1;
  }
  for (std::uint32_t k = 0; k < convex.segments; ++k) {
    const double middle = convex.lo[k] * 0.5 + convex.hi[k] * 0.5, reach = convex.hi[k] * 0.5 - convex.lo[k] * 0.5;
    for (int i = 0; i < 3; ++i) center[i] += middle * convex.segment[k][i];
    for (int i = 0; i < 3; ++i) half[c.halves][i] = reach * convex.segment[k][i];
    sizes += (std::fabs(convex.lo[k]) + std::fabs(convex.hi[k])) * max_norm(convex.segment[k]);
    ++c.halves;
  }
  const WideBvh& tree = *placed.tree;
  const LocalPoint at = local_point(placed, center);
  if (!at.usable) return std::nullopt;
  double extent = 1;
  for (int i = 0; i < 3; ++i) {
    c.center[i] = at.at[i];
    extent = std::max(extent, std::fabs(at.at[i]));
  }
  for (std::uint32_t k = 0; k < c.halves; ++k) {
    for (int i = 0; i < 3; ++i) {
      double x = half[k][i];
      if (a.pose) x = (a.pose->rotation[0][i] * half[k][0] + a.pose->rotation[1][i] * half[k][1]) + a.pose->rotation[2][i] * half[k][2];
      c.half[k][i] = local_length(tree, x);
      extent += std::fabs(c.half[k][i]);
    }
  }
  const double radius = local_length(tree, convex.radius + distance), loose = at.relative + 0x1p-40;
  c.radius_hi = radius * (1 + loose) + (radius > 0 ? 0x1p-500 : 0);
  c.radius_lo = radius * (1 - loose);
  // Roundings in world coordinates, of placing, of the corners and of the kernel.
  c.error = local_length(tree, 64 * u * sizes + 0x1p-1066) + at.absolute + kBlockError + 64 * u * extent;
  if (!(extent < 0x1p200 && radius < 0x1p200 && c.error < 0x1p200)) return std::nullopt;
  c.square = c.halves == 3;
  for (std::uint32_t k = 0; k < c.halves; ++k) {
    const Vec3 h(c.half[k][0], c.half[k][1], c.half[k][2]), g(c.half[(k + 1) % 3][0], c.half[(k + 1) % 3][1], c.half[(k + 1) % 3][2]);
    const double hh = dot(h, h), gg = dot(g, g);
    c.square = c.square && hh > 0x1p-40 && std::fabs(dot(h, g)) < 0x1p-30 * std::min(hh, gg);
  }
  return c;
}

namespace {

template <class Convex>
ConvexSearch search_for(const MeshView& a, const Convex& b, const Box3& box) {
  return ConvexSearch(a, b, box, distance_slack(b, box));
}

/// Tests whether the set is a ball, a capsule or a box no larger than the mesh: boxes discard most triangles, and the kernels most of the others.
bool suits_kernels(const LocalConvexSet& c) {
  double size = c.radius_hi;
  for (std::uint32_t k = 0; k < c.halves; ++k) size = std::max(size, max_norm(Vec3(c.half[k][0], c.half[k][1], c.half[k][2])));
  return size < 1 && (c.halves < 2 || (c.square && c.radius_hi == 0));
}

/// A convex shape, its box, and in the tree's coordinates a box of all points within the distance of it.
template <class Convex>
struct NearShape {
  const Convex& shape;
  double distance;
  Box3 box = bounds(shape);
  QueryBox near;
  const ConvexKernels& kernels = convex_kernels();
  std::optional<LocalConvexSet> suited;  ///< where it suits the kernels

  NearShape(const MeshView& a, const Convex& b, double within) : shape(b), distance(within), near(local_box(placed_tree(a), grown_box())) {
    if constexpr (std::is_same_v<Convex, ConvexSet>) {
      suited = local_convex_set(a, placed_tree(a), b, within);
      if (suited && !suits_kernels(*suited)) suited.reset();
    }
  }
  Box3 grown_box() const { return distance > 0 ? grown(box, distance) : box; }
};

/// The triangles of a leaf within the distance that the kernels for balls, capsules and boxes do not refuse, and whose boxes are near.
template <class Convex, class Visit>
bool for_triangles_of_leaf(const MeshView& a, const NearShape<Convex>& b, bool any, std::uint32_t leaf, std::uint32_t count, const Visit& visit) {
  std::uint32_t bits = (1u << count) - 1;
  if (b.suited) {
    const ConvexHits hits = b.kernels.touch(a.mesh->blocks[leaf], count, *b.suited);
    if (any && hits.certain) return true;
    bits = hits.possible;
  }
  for (; bits != 0; bits &= bits - 1) {
    const BlockPlace at = leaf * static_cast<std::uint32_t>(kBlock) + static_cast<std::uint32_t>(std::countr_zero(bits));
    const Triangle t = place(a.pose, a.mesh->triangle_at(at));
    if (maybe_within(box_of(t), b.box, b.distance) && within(b.shape, convex_triangle(t), b.distance) && visit(a.mesh->index_at(at))) return true;
  }
  return false;
}

/// The triangles in leaves whose boxes are within the distance of the shape's.
template <class Convex, class Visit>
bool for_triangles_by_boxes(const MeshView& a, const NearShape<Convex>& b, bool any, const Visit& visit) {
  return for_each_overlap(a.mesh->tree, b.near, [&](const WideNode& node, std::uint32_t slot) {
    return for_triangles_of_leaf(a, b, any, node.leaf_number(slot), node.count[slot], visit);
  });
}

/// Tests whether no more leaves are near than can be tested in the time that bounds of the shape take, with kernels or without.
bool few_leaves(const MeshView& a, const QueryBox& near, bool kernels) {
  const int few = kernels ? 64 : 12;  // a choice
  int leaves = 0;
  return !for_each_overlap(a.mesh->tree, near, [&](const WideNode&, std::uint32_t) { return ++leaves > few; });
}

/// Calls visit(number) for the triangles within the distance until it returns true. With `any`, a triangle that is certainly within it also ends the traversal.
template <class Convex, class Visit>
bool for_triangles_within(const MeshView& a, const Convex& shape, double distance, bool any, const Visit& visit) {
  if (a.mesh->triangles.empty()) return false;
  const NearShape<Convex> b(a, shape, distance);
  if (few_leaves(a, b.near, b.suited.has_value())) return for_triangles_by_boxes(a, b, any, visit);
  ConvexSearch search = search_for(a, shape, b.box);
  if (!search.usable()) return for_triangles_by_boxes(a, b, any, visit);
  search.set_limit(search.limit_of(distance));
  const auto skip = [](std::uint32_t) { return false; };
  if (b.suited)
    return search.run_leaves(skip,
                             [&](std::uint32_t leaf, std::uint32_t count, const SupportSlab&) { return for_triangles_of_leaf(a, b, any, leaf, count, visit); });
  return search.run(skip, [&](BlockPlace at, double, double hi) {
    if (any && hi < search.surely_within(distance)) return true;
    return within(shape, convex_triangle(place(a.pose, a.mesh->triangle_at(at))), distance) && visit(a.mesh->index_at(at));
  });
}

template <class Convex>
bool any_triangle_within(const MeshView& a, const Convex& b, double distance) {
  return for_triangles_within(a, b, distance, true, [](std::uint32_t) { return true; });
}

/// Tests whether a set that suits the kernels is near enough for tests in floats.
bool fits_floats(const LocalConvexSet& c) { return suits_kernels(c) && max_norm(Vec3(c.center[0], c.center[1], c.center[2])) < 16 && c.error < 1; }

/// For balls, capsules and boxes: the kernel's traversal finds a triangle that certainly touches; only undecided triangles are tested exactly.
std::optional<bool> small_convex_set_within(const MeshView& a, const ConvexSet& b, double distance) {
  if (a.mesh->triangles.empty()) return false;
  const PlacedTree placed = placed_tree(a);
  const std::optional<LocalConvexSet> local = local_convex_set(a, placed, b, distance);
  if (!local || !fits_floats(*local)) return std::nullopt;
  ConvexTraversal traversal;
  traversal.nodes = &a.mesh->tree.node(0);
  traversal.blocks = a.mesh->blocks.data();
  traversal.convex = *local;
  for (int i = 0; i < 3; ++i) {
    double reach = local->radius_hi + local->error;
    for (std::uint32_t k = 0; k < local->halves; ++k) reach += std::fabs(local->half[k][i]);
    traversal.box.lo[i] = float_below(local->center[i] - reach);
    traversal.box.hi[i] = float_above(local->center[i] + reach);
  }
  traversal.undecided_count = 0;
  traversal.top = 1;
  traversal.stack[0] = 0;
  const ConvexKernels& kernels = convex_kernels();
  for (;;) {
    const ConvexEvent event = kernels.traversal(traversal);
    if (event == ConvexEvent::touches) return true;
    for (std::uint32_t i = 0; i < traversal.undecided_count; ++i) {
      const TriangleBlock& block = a.mesh->blocks[traversal.undecided[i].block];
      const ConvexHits hits = kernels.touch(block, kBlock, *local);
      if (hits.certain) return true;
      for (std::uint32_t bits = traversal.undecided[i].bits & hits.possible; bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
        if (lane > 0 && block.id[lane] == block.id[lane - 1]) continue;  // the last triangle is repeated in the unused lanes
        if (within(b, convex_triangle(place(a.pose, a.mesh->triangle_at(traversal.undecided[i].block * static_cast<std::uint32_t>(kBlock) + lane))), distance))
          return true;
      }
    }
    if (event == ConvexEvent::done) return false;
    traversal.undecided_count = 0;
  }
}

template <class Convex>
std::vector<std::uint32_t> all_triangles_within(const MeshView& a, const Convex& b, double distance, std::size_t limit) {
  std::vector<std::uint32_t> found;
  for_triangles_within(a, b, distance, false, [&](std::uint32_t index) {
    found.push_back(index);
    return false;
  });
  std::sort(found.begin(), found.end());
  if (found.size() > limit) found.resize(limit);
  return found;
}

template <class Convex>
std::vector<std::uint32_t> first_triangles(const MeshView& a, const Convex& b, std::size_t count) {
  std::vector<std::uint32_t> found;
  for_triangles_within(a, b, 0, false, [&](std::uint32_t index) {
    found.push_back(index);
    return found.size() == count;
  });
  return found;
}

/// The search where doubles do not suffice for bounds of the shape: visit(index, triangle) for the triangles whose boxes are not farther from the shape's box
/// than `last`, which visit may lower.
template <class Convex, class Visit>
void for_each_by_boxes(const MeshView& a, const Convex& b, double& last, const Visit& visit) {
  const Box3 box = bounds(b);
  float limit = local_limit(a.mesh->tree, last);
  for_each_nearest(a.mesh->tree, local_box(placed_tree(a), box), limit, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle t = triangle_at(a, k);
      if (farther(box_of(t), box, last)) continue;
      const double before = last;
      visit(index_at(a, k), t);
      if (last < before) limit = local_limit(a.mesh->tree, last);
    }
    return false;
  });
}

/// The lowest of the nearest triangles so far.
struct NearestTriangle {
  std::optional<SurfaceClosest> best;

  /// Whether triangles from `index` on cannot change the answer.
  bool settled(std::uint32_t index) const { return best && best->closest.distance == 0 && index > best->triangle_a; }
  template <class Convex>
  void add(std::uint32_t index, const Triangle& t, const Convex& b) {
    const ConvexClosest c = closest(convex_triangle(t), b);
    if (!best || c.distance < best->closest.distance || (c.distance == best->closest.distance && index < best->triangle_a)) best = SurfaceClosest{c, index, 0};
  }
};

/// Triangles are first bounded. Only those whose bounds reach the least upper one are computed exactly, in the order of their lower bounds.
template <class Convex>
std::optional<SurfaceClosest> closest_triangle(const MeshView& a, const Convex& b, double bound = kInfinity) {
  if (a.mesh->triangles.empty()) return std::nullopt;
  NearestTriangle nearest;
  ConvexSearch search = search_for(a, b, bounds(b));
  if (!search.usable()) {
    double last = kInfinity;
    for_each_by_boxes(a, b, last, [&](std::uint32_t index, const Triangle& t) {
      if (nearest.settled(index)) return;
      nearest.add(index, t, b);
      last = nearest.best->closest.distance;
    });
    return nearest.best;
  }
  if (bound < kInfinity) search.set_limit(search.limit_of(bound));
  struct Candidate {
    double lo;
    std::uint32_t index;
    BlockPlace place;
  };
  constexpr std::size_t kCandidates = 512;  // a choice; where they fill up, those that the limit leaves are decided
  Candidate candidate[kCandidates];
  std::size_t found = 0;
  const auto decide = [&] {
    std::sort(candidate, candidate + found, [](const Candidate& x, const Candidate& y) { return x.lo != y.lo ? x.lo < y.lo : x.index < y.index; });
    for (std::size_t i = 0; i < found; ++i) {
      const Candidate& c = candidate[i];
      if (c.lo > search.limit() || nearest.settled(c.index)) continue;
      nearest.add(c.index, place(a.pose, a.mesh->triangle_at(c.place)), b);
      search.set_limit(std::min(search.limit(), search.limit_of(nearest.best->closest.distance)));
    }
    found = 0;
  };
  search.run([&](std::uint32_t lowest) { return nearest.settled(lowest); },
             [&](BlockPlace at, double lo, double hi) {
               candidate[found++] = {lo, a.mesh->index_at(at), at};
               search.set_limit(std::min(search.limit(), ConvexSearch::beyond(hi)));
               if (lo <= 0 || found == kCandidates) decide();  // where triangles touch, only lower ones count from then on
               return false;
             });
  decide();
  return nearest.best;
}

/// Returns the closest points of a triangle and a shape, computed in doubles where these suffice.
ConvexClosest nearest(const Triangle& t, const ConvexSet& b) {
  if (b.is_point()) {
    const Vec3 p = b.base(0);
    if (const auto plain = plain_closest(p, t)) return {plain->distance, plain->on_triangle, p};
  }
  return closest(convex_triangle(t), b);
}
ConvexClosest nearest(const Triangle& t, const Curved& b) { return closest(convex_triangle(t), b); }

/// Collects the nearest triangles in a heap with the farthest on top. Once the heap is full, its greatest distance limits the traversal.
template <class Convex>
std::vector<SurfaceClosest> nearest_triangles(const MeshView& a, const Convex& b, std::size_t count, double distance) {
  std::vector<SurfaceClosest> heap;
  if (count == 0 || a.mesh->triangles.empty()) return heap;
  const auto nearer = [](const SurfaceClosest& x, const SurfaceClosest& y) {
    return x.closest.distance != y.closest.distance ? x.closest.distance < y.closest.distance : x.triangle_a < y.triangle_a;
  };
  double last = distance;
  const auto add = [&](std::uint32_t index, const Triangle& t) {
    const SurfaceClosest c{nearest(t, b), index, 0};
    if (c.closest.distance > distance || (heap.size() == count && !nearer(c, heap.front()))) return;
    if (heap.size() == count) {
      std::pop_heap(heap.begin(), heap.end(), nearer);
      heap.pop_back();
    }
    heap.push_back(c);
    std::push_heap(heap.begin(), heap.end(), nearer);
    if (heap.size() == count) last = heap.front().closest.distance;
  };
  ConvexSearch search = search_for(a, b, bounds(b));
  if (search.usable()) {
    search.set_limit(search.limit_of(last));
    search.run([](std::uint32_t) { return false; },
               [&](BlockPlace at, double, double) {
                 add(a.mesh->index_at(at), place(a.pose, a.mesh->triangle_at(at)));
                 search.set_limit(search.limit_of(last));
                 return false;
               });
  } else {
    for_each_by_boxes(a, b, last, add);
  }
  std::sort_heap(heap.begin(), heap.end(), nearer);
  return heap;
}

/// Nearest triangles of points and balls. Distances from the centre are enclosed in floats, then in doubles. Only triangles whose enclosures reach the smallest
/// upper bound (or the radius: those touch, and the lowest counts) are computed exactly. One search may serve many centres.
class BallSearch {
 public:
  explicit BallSearch(const MeshView& a) : a_(a), placed_(placed_tree(a)), kernels_(nearest_kernels()) {
    traversal_.nodes = &a.mesh->tree.node(0);
    traversal_.blocks = a.mesh->blocks.data();
    traversal_.vertices = reinterpret_cast<const unsigned char*>(a.mesh->vertices.data());
    least_error_ = 1.75 * kBlockError + local_length(a.mesh->tree, 0x1p-1072);  // compared distances are rounded: by a denormal, if they are that small
  }

  /// Returns false where doubles do not suffice. `again`: the block of the last search's result is near.
  bool start(const Vec3& center, double radius, double bound, bool again) {
    const LocalPoint local = local_point(placed_, center);
    const WideBvh& tree = a_.mesh->tree;
    const double r = local_length(tree, radius);
    if (!local.usable || !(r < 0x1p200)) return false;
    for (int i = 0; i < 3; ++i) {
      traversal_.point[i] = local.at[i];
      traversal_.box.lo[i] = float_below(local.at[i] - local.absolute);
      traversal_.box.hi[i] = float_above(local.at[i] + local.absolute);
    }
    traversal_.absolute = local.absolute + least_error_;
    traversal_.relative = local.relative;
    traversal_.floor = r * (1 + 0x1p-40);  // here and below: distances are off by 1e-15, sums and products by a few u

    traversal_.least = std::max(traversal_.floor, bound < kInfinity ? local_length(tree, bound + radius) * (1 + 0x1p-40) : bound);
    traversal_.floats = NearestTraversal::fits_floats(traversal_.point) && traversal_.relative < 0x1p-10 && traversal_.absolute < 1;
    traversal_.blocks_kept = traversal_.found = 0;
    traversal_.top = 1;
    traversal_.stack[0] = 0;
    if (again) kernels_.begin(traversal_, last_);
    return true;
  }

  /// Requires a successful start(). convex() returns the ball's convex set; it is called only for triangles that doubles do not decide. Returns nothing where
  /// many triangles touch, of which another search finds the lowest sooner.
  template <class Ball>
  std::optional<SurfaceClosest> find(const Vec3& center, double radius, const Ball& convex) {
    PlainPoint point(center);
    SurfaceClosest best;
    bool any = false;
    for (bool done = false; !done;) {
      done = kernels_.traversal(traversal_);
      for (std::uint32_t i = 0; i < traversal_.found; ++i) {
        const BlockPlace at = traversal_.candidate[i].place;
        const std::uint32_t index = a_.mesh->index_at(at);
        if (traversal_.candidate[i].lo > nearest_limit(traversal_.least) || (any && best.closest.distance == 0 && index > best.triangle_a)) continue;
        const Triangle t = place(a_.pose, a_.mesh->triangle_at(at));
        std::optional<PlainClosest> plain;
        if (radius == 0) plain = point(t);
        const ConvexClosest c = plain ? ConvexClosest{plain->distance, plain->on_triangle, center} : closest(convex_triangle(t), convex());
        if (any && !(c.distance < best.closest.distance || (c.distance == best.closest.distance && index < best.triangle_a))) continue;  // ties to the lowest
        best = {c, index, 0};
        last_ = at / kBlock;
        any = true;
      }
      traversal_.found = 0;
      if (any && !done && best.closest.distance == 0) return std::nullopt;
      if (any && !done)
        traversal_.least = std::min(traversal_.least, std::max(traversal_.floor, local_length(a_.mesh->tree, best.closest.distance + radius) * (1 + 0x1p-40)));
    }
    return best;
  }

 private:
  const MeshView& a_;
  PlacedTree placed_;
  const NearestKernels& kernels_;
  double least_error_;
  std::uint32_t last_ = 0;  ///< block of the last result
  NearestTraversal traversal_;
};

std::optional<SurfaceClosest> triangle_closest_to_ball(const MeshView& a, const ConvexSet& b, double bound) {
  const Vec3 center = b.base(0);
  BallSearch search(a);
  if (search.start(center, b.radius, bound, false))
    if (const auto found = search.find(center, b.radius, [&]() -> const ConvexSet& { return b; })) return found;
  return closest_triangle(a, b, bound);
}

/// The segment, ray or line that the convex set is, if it is one.
std::optional<RayQuery> ray_of(const ConvexSet& c) {
  if (c.segments != 0 || c.radius != 0) return std::nullopt;
  if (c.points == 2 && c.directions == 0) return RayQuery{c.base(0), c.base(1), true, 0, 1};
  if (c.points != 1) return std::nullopt;
  if (c.directions == 1) return RayQuery{c.base(0), c.direction[0]};
  if (c.directions == 2 && c.direction[0] == -c.direction[1]) return RayQuery{c.base(0), c.direction[0], false, -kInfinity};
  return std::nullopt;
}

}  // namespace

bool intersects(const MeshView& a, const ConvexSet& b) { return within(a, b, 0); }
bool within(const MeshView& a, const ConvexSet& b, double distance) {
  // Rays know the order of the boxes along them, which the test of small boxes and the general traversal do not.
  if (const auto ray = distance == 0 ? ray_of(b) : std::nullopt) return ray_any(a, *ray);
  const std::optional<bool> small = small_convex_set_within(a, b, distance);
  return small ? *small : any_triangle_within(a, b, distance);
}
bool within(const MeshView& a, const Curved& b, double distance) { return any_triangle_within(a, b, distance); }
std::vector<std::uint32_t> triangles_within(const MeshView& a, const ConvexSet& b, double distance, std::size_t limit) {
  return all_triangles_within(a, b, distance, limit);
}
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Curved& b, double distance, std::size_t limit) {
  return all_triangles_within(a, b, distance, limit);
}
std::vector<std::uint32_t> some_triangles_within(const MeshView& a, const ConvexSet& b, std::size_t count) { return first_triangles(a, b, count); }
std::vector<std::uint32_t> some_triangles_within(const MeshView& a, const Curved& b, std::size_t count) { return first_triangles(a, b, count); }
std::optional<SurfaceClosest> closest(const MeshView& a, const ConvexSet& b, double bound) {
  if (a.mesh->triangles.empty()) return std::nullopt;
  return b.is_ball() ? triangle_closest_to_ball(a, b, bound) : closest_triangle(a, b, bound);
}
void closest(const MeshView& a, std::span<const Vec3> points, std::span<SurfaceClosest> out) {
  BallSearch search(a);
  bool again = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto convex = [&] { return convex_point(points[i]); };
    const std::optional<SurfaceClosest> found = search.start(points[i], 0, kInfinity, again) ? search.find(points[i], 0, convex) : std::nullopt;
    again = again || found;
    out[i] = found ? *found : *closest_triangle(a, convex());
  }
}
std::optional<SurfaceClosest> closest(const MeshView& a, const Curved& b) { return closest_triangle(a, b); }
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const ConvexSet& b, std::size_t count, double distance) {
  return nearest_triangles(a, b, count, distance);
}
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const Curved& b, std::size_t count, double distance) {
  return nearest_triangles(a, b, count, distance);
}

}  // namespace graze
