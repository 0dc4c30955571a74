// Queries between two surfaces.
#include "mesh/queries/surface_queries.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>
#include <utility>

#include "convex/decide/decide.hpp"
#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "mesh/kernels/close_pair_kernels.hpp"
#include "mesh/kernels/nearest_kernels.hpp"
#include "mesh/kernels/nearest_pair_kernels.hpp"
#include "mesh/kernels/pair_traversal_kernels.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/nearest_pairs.hpp"
#include "mesh/queries/pair_lists.hpp"
#include "mesh/queries/search_direction.hpp"
#include "mesh/queries/shared_search.hpp"
#include "mesh/queries/unique_triangles.hpp"
#include "pairs/triangle_triangle.hpp"
#include "platform/expects.hpp"

#include "platform/parallel.hpp"
#include "platform/threads.hpp"
#include "platform/watch.hpp"

namespace graze {

using namespace leaf;

namespace {

/// Returns where the blocks of b lie in a's tree.
BlockPlacement block_placement(const PlacedTree& pa, const RelativePlacement& b_in_a) {
  BlockPlacement p{};
  p.usable = b_in_a.doubles(p.axis, p.offset, p.error);
  p.error += kBlockError * (1 + 1.75 * b_in_a.ratio());
  p.relative = 16 * (pa.defect + kUnitRoundoff);  // as in local_point
  return p;
}

BlockPlace place_of(std::uint32_t leaf, std::uint32_t lane) { return leaf * static_cast<std::uint32_t>(kBlock) + lane; }

std::uint32_t node_of(TreeRef r) { return r == kWholeTree ? 0 : r / kWidth; }
std::uint32_t slots_of(TreeRef r) { return r == kWholeTree ? 0xFFu : 1u << r % kWidth; }
StartNodes nodes_of(const SearchStart& s) { return {node_of(s.a), slots_of(s.a), node_of(s.b), slots_of(s.b)}; }

/// Admits all pairs.
constexpr auto kAllPairs = [](BlockPlace, BlockPlace) { return true; };

/// Tests pairs of triangles of two leaves (bit 4 i + j) exactly, but only those that admit(place in a, place in b) admits. Calls visit(place in a, place in b)
/// for those within the distance, until it returns true.
template <class Admit, class Visit>
bool visit_exactly(const MeshView& a, const MeshView& b, double distance, std::uint32_t leaf_a, std::uint32_t leaf_b, std::uint32_t bits, const Admit& admit,
                   Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) {
    const auto at = static_cast<std::uint32_t>(std::countr_zero(bits));
    const BlockPlace i = place_of(leaf_a, at / 4), j = place_of(leaf_b, at % 4);
    if (!admit(i, j)) continue;
    const Triangle ta = triangle_of(a, i), tb = triangle_of(b, j);
    if ((distance > 0 ? within(convex_triangle(ta), convex_triangle(tb), distance) : triangles_intersect(ta, tb)) && visit(i, j)) return true;
  }
  return false;
}

/// Filters the triangle pairs of two leaves of a traversal, then tests them exactly.
class LeafPairs {
 public:
  LeafPairs(const MeshView& a, const MeshView& b, const PlacedTree& pa, const PairTraversal& traversal, double distance)
      : a_(a), b_(b), distance_(distance), placement_(block_placement(pa, traversal.b_in_a())), kernels_(pair_kernels()) {}

  template <class Visit, class Admit = decltype(kAllPairs)>
  bool operator()(const RefView& la, const RefView& lb, Visit&& visit, const Admit& admit = kAllPairs) const {
    std::uint32_t bits = ((1u << lb.count) - 1) * 0x1111u & ((1u << 4 * la.count) - 1);
    if (placement_.usable) {
      PlacedBlock placed;
      kernels_.place(b_.mesh->blocks[lb.leaf], placement_, placed);
      bits = kernels_.touch(a_.mesh->blocks[la.leaf], la.count, placed, lb.count, placement_.error, 0);
    }
    return visit_exactly(a_, b_, distance_, la.leaf, lb.leaf, bits, admit, visit);
  }

 private:
  const MeshView &a_, &b_;
  double distance_;
  BlockPlacement placement_;
  const PairKernels& kernels_;
};

/// The kernels' traversals of two trees, for trees where floats suffice.
class WidePairs {
 public:
  WidePairs(const MeshView& a, const MeshView& b, const PlacedTree& pa, const PlacedTree& pb, double distance) : a_(a), b_(b), distance_(distance) {
    const RelativePlacement b_in_a(pa, pb, distance), a_in_b(pb, pa, distance);
    corners_ = block_placement(pa, distance > 0 ? RelativePlacement(pa, pb, 0) : b_in_a);
    margin_ = distance > 0 ? local_length(a.mesh->tree, distance) * (1 + corners_.relative) : 0;
    usable_ = corners_.usable && margin_ < 0x1p20 && b_in_a.floats(b_in_a_) && a_in_b.floats(a_in_b_);
  }
  bool usable() const { return usable_; }
  PlacedPair trees() const {
    return {&a_.mesh->tree.node(0),
            &b_.mesh->tree.node(0),
            a_.mesh->blocks.data(),
            b_.mesh->blocks.data(),
            vertices(*a_.mesh),
            vertices(*b_.mesh),
            b_in_a_,
            a_in_b_,
            corners_};
  }

  /// Calls visit(place in a, place in b) for the pairs below `start` that are within the distance, until it returns true. `any`: the first call will return
  /// true. Others than those that admit(place in a, place in b) admits are left out before they are tested.
  template <class Visit, class Admit = decltype(kAllPairs)>
  bool run(const PairTraversal::Pair& start, bool any, Visit&& visit, const Admit& admit = kAllPairs) const {
    PairSearch w;
    w.trees = trees();
    w.margin = margin_;
    w.room = any ? 1 : PairSearch::kRoom;
    const PairTraversalKernels& kernels = pair_traversal_kernels();
    kernels.start(w, node_of(start.a), slots_of(start.a), node_of(start.b), slots_of(start.b));
    for (bool done = false; !done;) {
      checkpoint();
      w.found = 0;
      done = kernels.traversal(w);
      for (std::uint32_t k = 0; k < w.found; ++k) {
        if (visit_exactly(a_, b_, distance_, w.pair[k].a, w.pair[k].b, w.pair[k].bits, admit, visit)) return true;
      }
    }
    return false;
  }

 private:
  static const unsigned char* vertices(const MeshImpl& m) { return reinterpret_cast<const unsigned char*>(m.vertices.data()); }

  const MeshView &a_, &b_;
  double distance_, margin_;
  BlockPlacement corners_;
  BoxPlacement b_in_a_, a_in_b_;
  bool usable_;
};

/// The search of the kernels for the nearest pair, for trees where floats suffice.
class NearestSearch {
 public:
  NearestSearch(const MeshView& a, const MeshView& b, const PlacedTree& pa, const RelativePlacement& b_in_a, const SearchStart& start = {})
      : a_(*a.mesh), b_(*b.mesh), from_(nodes_of(start)), kernels_(nearest_pair_kernels()) {
    corners_ = block_placement(pa, b_in_a);
    usable_ = corners_.usable && b_in_a.turns(turn_, corners_.error);
  }
  bool usable() const { return usable_; }

  /// Calls visitor.visit(pair, least) for pairs that may be nearest and at most about `least` apart (a's units). The visitor may lower `least`. Ends when the
  /// visitor returns true or an upper bound below `enough` is found; returns whether either happened. Before, calls visitor.improve(place in a, place in b,
  /// least) with a near pair, if there is one; it may lower `least`, too, and returns the search's direction (NearPairSearch::along). A long search goes on
  /// with more threads, each with a visitor of its own, visitor.another(), that visitor.join() takes back.
  template <class Visitor>
  bool run(double least, double enough, Visitor& visitor) const {
    NearPairSearch w;
    begin(w, least, enough);
    if (kernels_.find_bound(w) && !(w.least < enough)) {
      set_along(visitor.improve(w.bound_a, w.bound_b, w.least), w.along);
    }
    if (w.least < enough) return true;
    kernels_.start(w);
    const Helpers help = helpers();
    End end = proceed(w, help == Helpers::none ? kUnlimited : help == Helpers::asleep ? kStepsAsleep : kStepsAwake, visitor);
    if (end == End::paused) end = share(w, visitor);
    return end == End::found;
  }

 private:
  enum class End : std::uint8_t { done, found, paused };
  static constexpr std::uint32_t kUnlimited = 0xFFFFFFFFu;
  static constexpr std::uint32_t kStepsAwake = 32;        // a choice, 6 microseconds: before the caller looks for help
  static constexpr std::uint32_t kStepsAsleep = 256;      // a choice, 50 microseconds: queries that end sooner lose more by waking a thread than they gain
  static constexpr std::uint32_t kStepsAtOnce = 1 << 14;  // a choice, 3 milliseconds: without a look at whether the caller wants an end
  static constexpr std::uint32_t kSteps = 4;              // a choice: between two looks at what other threads know and need

  void begin(NearPairSearch& w, double least, double enough) const {
    w.nodes_a = &a_.tree.node(0);
    w.nodes_b = &b_.tree.node(0);
    w.blocks_a = a_.blocks.data();
    w.blocks_b = b_.blocks.data();
    w.boxes_a = a_.oriented().data();
    w.boxes_b = b_.oriented().data();
    w.from = from_;
    w.turn = turn_;
    w.corners = corners_;
    w.least = least;
    w.enough = enough;
    w.found = 0;
  }

  /// Visits the candidates; returns whether the visitor ends the search.
  template <class Visitor>
  static bool visit(NearPairSearch& w, Visitor& visitor) {
    for (std::uint32_t k = 0; k < w.found; ++k) {
      if (visitor.visit(w.candidate[k], w.least)) return true;
    }
    w.found = 0;
    return false;
  }

  /// Searches until the search is done, the visitor ends it, or it has taken so many steps. Then candidates may be left to visit.
  template <class Visitor>
  End proceed(NearPairSearch& w, std::uint32_t steps, Visitor& visitor) const {
    for (w.steps = std::min(steps, kStepsAtOnce);;) {
      const bool done = kernels_.search(w);
      if (w.least < w.enough) return End::found;
      if (!done && w.steps == 0 && steps != kUnlimited) return End::paused;
      if (visit(w, visitor)) return End::found;
      if (done) return End::done;
      checkpoint();
      if (w.steps == 0) w.steps = kStepsAtOnce;
    }
  }

  /// Goes on with all threads.
  template <class Visitor>
  End share(NearPairSearch& paused, Visitor& visitor) const {
    if (visit(paused, visitor)) return End::found;
    SharedSearch shared(paused);
    run_with_helpers([&] {
      NearPairSearch w;
      begin(w, shared.lower(paused.least), paused.enough);
      std::copy_n(paused.along, 3, w.along);
      std::unique_lock lock(shared.mutex());
      Visitor own = visitor.another();
      lock.unlock();
      std::uint32_t turns = 0;
      for (SharedSearch::Thread thread(shared); thread.take(w.frame[0]);) {
        w.top = 1;
        w.least = shared.lower(w.least);
        for (End end = End::paused; end == End::paused && !shared.stopped();) {
          if (++turns % 256 == 0) checkpoint();  // a choice, 0.2 milliseconds
          end = proceed(w, kSteps, own);
          w.least = shared.lower(w.least);
          if (end == End::found) shared.stop();
          NearFrame half;
          if (end == End::paused && shared.wants_frames() && kernels_.split(w, half)) shared.give(half);
        }
      }
      lock.lock();
      visitor.join(own);
    });
    return shared.stopped() ? End::found : End::done;
  }

  const MeshImpl &a_, &b_;
  StartNodes from_;
  const NearestPairKernels& kernels_;
  TurnPlacement turn_;
  BlockPlacement corners_;
  bool usable_;
};

/// Calls visit(place in a, place in b) for pairs that touch, until it returns true. The order depends on the trees and poses only: filters leave pairs out, but
/// the order of two pairs that touch is the same at every CPU level.
template <class Visit>
bool for_each_touching(const MeshView& a, const MeshView& b, const PlacedTree& pa, const PlacedTree& pb, const SearchStart& start, Visit&& visit) {
  if (const WidePairs wide(a, b, pa, pb, 0); wide.usable()) return wide.run({start.a, start.b, 0}, true, visit);
  const PairTraversal traversal(pa, pb, 0);
  const LeafPairs pairs(a, b, pa, traversal, 0);
  return traversal.run({start.a, start.b, 0}, [&](const RefView& la, const RefView& lb) { return pairs(la, lb, visit); });
}

/// Ends a search at the first pair within the distance.
struct WithinVisitor {
  const MeshView &a, &b;
  double distance;

  bool visit(const NearPair& p, double&) const { return within(convex_triangle(triangle_of(a, p.a)), convex_triangle(triangle_of(b, p.b)), distance); }
  static Vec3 improve(BlockPlace, BlockPlace, double&) { return Vec3(0, 0, 0); }
  const WithinVisitor& another() const { return *this; }
  void join(const WithinVisitor&) const {}
};

}  // namespace

bool intersects(const MeshView& a, const MeshView& b) { return within(a, b, 0); }

bool within(const MeshView& a, const MeshView& b, double distance) {
  if (a.mesh->tree.empty() || b.mesh->tree.empty()) return false;
  const PlacedTree pa = placed_tree(a), pb = placed_tree(b);
  if (distance == 0) return for_each_touching(a, b, pa, pb, {}, [](BlockPlace, BlockPlace) { return true; });
  if (const NearestSearch search(a, b, pa, RelativePlacement(pa, pb, 0)); search.usable()) {
    const double d = local_length(a.mesh->tree, distance);
    WithinVisitor visitor{a, b, distance};
    return search.run(d, d, visitor);
  }
  const PairTraversal traversal(pa, pb, distance);
  const LeafPairs pairs(a, b, pa, traversal, distance);
  return traversal.run({kWholeTree, kWholeTree, 0},
                       [&](const RefView& la, const RefView& lb) { return pairs(la, lb, [](BlockPlace, BlockPlace) { return true; }); });
}

namespace {

/// The search of the kernels where surfaces touch or nearly touch, for trees where floats suffice.
class CloseSearch {
 public:
  enum class End : std::uint8_t { touching, nearest, apart };  ///< apart: the surfaces do not touch, and are not so near that this search finds their distance

  CloseSearch(const MeshView& a, const MeshView& b, const PlacedPair& trees, const RelativePlacement& b_in_a, const SearchStart& start)
      : a_(a), b_(b), kernels_(close_pair_kernels()) {
    w_.trees = trees;
    w_.from = nodes_of(start);
    usable_ = b_in_a.turns(w_.turn, trees.corners.error);
  }
  bool usable() const { return usable_; }

  /// Calls touch(place in a, place in b) for the first pair that touches, in the order of for_each_touching. Else lowers `least` (a's units) to a distance that
  /// exists, if there is one so near, and visits the pairs that may be nearest as a NearestSearch does.
  template <class Visitor, class Touch>
  End run(double& least, Visitor& visitor, Touch&& touch) {
    w_.least = least;
    kernels_.start_touching(w_);
    for (bool done = false; !done; w_.found = 0) {
      done = kernels_.touching(w_);
      for (std::uint32_t k = 0; k < w_.found; ++k) {
        const NearPair& p = w_.candidate[k];
        if (!triangles_intersect(triangle_of(a_, p.a), triangle_of(b_, p.b))) continue;
        touch(p.a, p.b);
        return End::touching;
      }
    }
    if (!(w_.least < least)) return End::apart;
    const bool nearest = find_nearest(visitor);
    least = w_.least;
    return nearest ? End::nearest : End::apart;
  }

 private:
  static constexpr std::uint32_t kSteps = 1000;  // a choice, 100 microseconds: boxes along the axes suit only gaps that are smaller than triangles

  template <class Visitor>
  bool find_nearest(Visitor& visitor) {
    const ConvexClosest c = closest(convex_triangle(triangle_of(a_, w_.bound_a)), convex_triangle(triangle_of(b_, w_.bound_b)));
    set_along(turned_back(a_, direction(c.on_a, c.on_b)), w_.along);
    w_.boxes_a = a_.mesh->oriented().data();
    w_.boxes_b = b_.mesh->oriented().data();
    w_.steps = kSteps;
    for (kernels_.start_nearest(w_);; w_.found = 0) {
      const bool done = kernels_.nearest(w_);
      for (std::uint32_t k = 0; k < w_.found; ++k) visitor.visit(w_.candidate[k], w_.least);
      if (done || w_.steps == 0) return done;
    }
  }

  const MeshView &a_, &b_;
  const ClosePairKernels& kernels_;
  bool usable_;
  ClosePairSearch w_;
};

/// A pair of triangles with a common point.
SurfaceClosest common_point(const MeshView& a, const MeshView& b, std::uint32_t i, std::uint32_t j) {
  return {closest(convex_triangle(a.triangle(i)), convex_triangle(b.triangle(j))), i, j};
}

/// Returns the first pair that touches, in the order of for_each_touching, with a common point.
std::optional<SurfaceClosest> touching_pair(const MeshView& a, const MeshView& b, const PlacedTree& pa, const PlacedTree& pb, const SearchStart& start) {
  std::optional<SurfaceClosest> found;
  for_each_touching(a, b, pa, pb, start, [&](BlockPlace i, BlockPlace j) {
    found = common_point(a, b, a.mesh->index_at(i), b.mesh->index_at(j));
    return true;
  });
  return found;
}

}  // namespace

std::optional<SurfaceClosest> closest(const MeshView& a, const MeshView& b, double bound, const SearchStart& start) {
  GRAZE_EXPECTS(bound >= 0);
  if (a.mesh->tree.empty() || b.mesh->tree.empty()) return std::nullopt;
  const PlacedTree pa = placed_tree(a), pb = placed_tree(b);
  if (start.whole() && triangles_intersect(a.triangle(0), b.triangle(0))) return common_point(a, b, 0, 0);  // so that of two equal meshes neither leads
  NearestPairs pairs(a, b, bound, start);
  const WideBvh& tree = a.mesh->tree;
  const RelativePlacement b_in_a(pa, pb, 0);
  double least = local_length(tree, bound);
  bool apart = false;
  if (const WidePairs wide(a, b, pa, pb, 0); wide.usable()) {
    if (CloseSearch search(a, b, wide.trees(), b_in_a, start); search.usable()) {
      std::optional<SurfaceClosest> touching;
      const auto touch = [&](BlockPlace i, BlockPlace j) { touching = common_point(a, b, a.mesh->index_at(i), b.mesh->index_at(j)); };
      const CloseSearch::End end = search.run(least, pairs, touch);
      if (end == CloseSearch::End::touching) return touching;
      if (end == CloseSearch::End::nearest) return pairs.found();
      apart = true;
    }
  }
  if (!apart) {
    if (auto touching = touching_pair(a, b, pa, pb, start)) return touching;
  }
  if (const NearestSearch search(a, b, pa, b_in_a, start); search.usable()) {
    search.run(least, 0, pairs);
    return pairs.found();
  }
  const PairTraversal traversal(pa, pb, 0);
  float limit_a = local_limit(tree, pairs.least()), limit_b = local_limit(b.mesh->tree, pairs.least());
  const BlockPlacement placement = block_placement(pa, traversal.b_in_a());
  const PairKernels& kernels = pair_kernels();
  traversal.run_nearest(start, limit_a, limit_b, [&](const RefView& la, const RefView& lb) {
    std::uint32_t bits = ((1u << lb.count) - 1) * 0x1111u & ((1u << 4 * la.count) - 1);
    double lo[16], hi[16];
    if (placement.usable) {
      PlacedBlock placed;
      kernels.place(b.mesh->blocks[lb.leaf], placement, placed);
      bits = kernels.distance(a.mesh->blocks[la.leaf], la.count, placed, lb.count, placement, local_length(tree, pairs.least()) * (1 + kTies), lo, hi);
    }
    const double before = pairs.least();
    for (; bits != 0; bits &= bits - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
      if (placement.usable && lo[k] > local_length(tree, pairs.least()) * (1 + kTies)) continue;
      pairs.refine(place_of(la.leaf, k / 4), place_of(lb.leaf, k % 4));
    }
    if (pairs.least() < before) {
      limit_a = local_limit(tree, pairs.least());
      limit_b = local_limit(b.mesh->tree, pairs.least());
    }
    return false;
  });
  return pairs.found();
}

namespace {

/// Passes all pairs of the rows that admit(place in a, place in b) admits to collect(starts, work); see pair_lists.hpp.
template <class Admit, class Collect>
auto enumerate(const MeshView& a, const MeshView& b, double distance, const Admit& admit, const PairFilter& filter, const PairRows& rows, Collect&& collect,
               const SearchStart& below = {}) {
  const PlacedTree pa = placed_tree(a), pb = placed_tree(b);
  const PairTraversal traversal(pa, pb, distance);
  const bool all = rows.begin == 0 && rows.end >= a.mesh->triangles.size();
  if (traversal.empty()) return collect(std::vector<PairTraversal::Pair>{}, [](const PairTraversal::Pair&, auto&&) {});
  const auto taken = [&](BlockPlace i, BlockPlace j, auto& take) {
    const TrianglePair p{a.mesh->index_at(i), b.mesh->index_at(j)};
    return rows.contains(p.a) && (!filter || filter(p.a, p.b)) && take(p);
  };
  if (const WidePairs wide(a, b, pa, pb, distance); wide.usable() && all) {
    constexpr std::size_t kSmall = 1 << 17;  // a choice, triangles: no more than milliseconds
    const bool little = in_parallel_loop() && a.mesh->triangles.size() + b.mesh->triangles.size() < kSmall;
    const bool split = !little && (threads() > 1 || watching().watch != nullptr);
    return collect(traversal.frontier(split ? kPairTasks : 1, below), [&](const PairTraversal::Pair& start, auto&& take) {
      wide.run(
          start, false, [&](BlockPlace i, BlockPlace j) { return taken(i, j, take); }, admit);
    });
  }
  const LeafPairs pairs(a, b, pa, traversal, distance);
  return collect(traversal.frontier(kPairTasks, below), [&](const PairTraversal::Pair& start, auto&& take) {
    const auto leaves = [&](const RefView& la, const RefView& lb) {
      return pairs(
          la, lb, [&](BlockPlace i, BlockPlace j) { return taken(i, j, take); }, admit);
    };
    traversal.run(start, leaves, [&](const PairTraversal::Pair& p) { return !all && lowest_item(a.mesh->tree, p.a) >= rows.end; });
  });
}

}  // namespace

bool list_triangle_pairs(const MeshView& a, const MeshView& b, double distance, const PairFilter& filter, const PairRows& rows, std::uint64_t most,
                         ProgressMeter& meter, std::vector<TrianglePair>& out) {
  return enumerate(a, b, distance, kAllPairs, filter, rows, [&](const auto& starts, auto&& work) { return pair_lists::list(starts, most, out, meter, work); });
}

std::vector<TrianglePair> triangle_pairs(const MeshView& a, const MeshView& b, double distance, const PairFilter& admit, const SearchStart& start) {
  std::vector<TrianglePair> pairs;
  ProgressMeter none;
  const auto collect = [&](const auto& starts, auto&& work) { return pair_lists::list(starts, kAnyNumber, pairs, none, work); };
  if (admit)
    enumerate(
        a, b, distance, [&](BlockPlace i, BlockPlace j) { return admit(a.mesh->index_at(i), b.mesh->index_at(j)); }, {}, {}, collect, start);
  else
    enumerate(a, b, distance, kAllPairs, {}, {}, collect, start);
  return pairs;
}

std::uint64_t count_triangle_pairs(const MeshView& a, const MeshView& b, std::uint64_t most, ProgressMeter& meter) {
  const UniqueTriangles ua(a), ub(b);
  return enumerate(ua.view(), ub.view(), 0, kAllPairs, {}, {}, [&](const auto& starts, auto&& work) {
    return pair_lists::count(
        starts, most, meter, [&](const TrianglePair& p) { return std::uint64_t{ua.weight(p.a)} * ub.weight(p.b); }, work);
  });
}

}  // namespace graze
