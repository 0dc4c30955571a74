// Finds the pairs of triangles of one mesh that meet beyond the corners they share.
//
// In a fan, the boxes of all triangles contain the common corner, so a tree of boxes would test every pair. Two triangles that share a corner and another point
// also have a direction from that corner in common. The pairs of a fan are therefore those whose directions may meet, found by a sweep over boxes of
// directions. The traversal of the tree leaves out pairs that share the corner of a fan. Slivers side by side, as triangulations of concave faces contain, also
// have boxes that all overlap; the traversal discards pairs that boxes turned along the slivers separate.
#include "mesh/queries/self_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "mesh/queries/leaf.hpp"
#include "mesh/queries/pair_lists.hpp"
#include "mesh/queries/shared_corners.hpp"
#include "mesh/queries/turned_boxes.hpp"
#include "mesh/queries/unique_triangles.hpp"
#include "platform/expects.hpp"

namespace graze {

using namespace leaf;

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
/// Minimum number of triangles around a corner that makes them a fan. Below it, the pairs that share the corner are fewer than the tests that the sweep costs.
constexpr std::uint32_t kFanSize = 32;

/// Up to three fans, ascending, followed by kNone.
using FanSet = std::array<std::uint32_t, 3>;

/// Returns the lowest fan in both sets, or kNone.
std::uint32_t common_fan(const FanSet& a, const FanSet& b) {
  for (const std::uint32_t f : a)
    if (f != kNone && (f == b[0] || f == b[1] || f == b[2])) return f;
  return kNone;
}
FanSet intersection(const FanSet& a, const FanSet& b) {
  FanSet both{kNone, kNone, kNone};
  int n = 0;
  for (const std::uint32_t f : a)
    if (f != kNone && (f == b[0] || f == b[1] || f == b[2])) both[n++] = f;
  return both;
}

class Fans {
 public:
  explicit Fans(const MeshView& view) : view_(view) {
    const MeshImpl& m = *view.mesh;
    const std::vector<std::uint32_t>& canonical = m.canonical();
    std::vector<std::uint32_t> uses(m.vertices.size());
    for (const TriangleIndices& t : m.triangles)
      for (const std::uint32_t v : t) ++uses[canonical[v]];
    fan_of_.assign(m.vertices.size(), kNone);
    for (std::uint32_t v = 0; v < uses.size(); ++v)
      if (uses[v] >= kFanSize) {
        fan_of_[v] = static_cast<std::uint32_t>(corner_.size());
        corner_.push_back(v);
      }
    if (corner_.empty()) return;
    members_.resize(corner_.size());
    of_.reserve(m.triangles.size());
    for (std::uint32_t t = 0; t < m.triangles.size(); ++t) {
      of_.push_back(fans_of(t));
      for (const std::uint32_t f : of_[t])
        if (f != kNone) members_[f].push_back(t);
    }
    mark_nodes();
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(corner_.size()); }

  /// Tests whether all triangles below both nodes share the corner of a fan.
  bool cover(TreeRef a, TreeRef b) const { return !corner_.empty() && a != kWholeTree && b != kWholeTree && common_fan(below_[a], below_[b]) != kNone; }
  /// Returns the fan to which a pair of triangles belongs, or kNone.
  std::uint32_t of(std::uint32_t a, std::uint32_t b) const { return corner_.empty() ? kNone : common_fan(of_[a], of_[b]); }

  /// Calls visit(triangle, triangle) for the pairs of a fan that may share a direction, until it or stopped() returns true.
  template <class Visit, class Stopped>
  void pairs(std::uint32_t fan, const PairRows& rows, Visit&& visit, Stopped&& stopped) const {
    std::vector<Arc> arcs;
    arcs.reserve(members_[fan].size());
    for (const std::uint32_t t : members_[fan]) arcs.push_back({directions(t, fan), t});
    Box3 all;
    for (const Arc& a : arcs) all.add(a.box);
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (all.hi[k] - all.lo[k] > all.hi[axis] - all.lo[axis]) axis = k;
    std::sort(arcs.begin(), arcs.end(),
              [axis](const Arc& a, const Arc& b) { return a.box.lo[axis] != b.box.lo[axis] ? a.box.lo[axis] < b.box.lo[axis] : a.triangle < b.triangle; });
    std::vector<double> farthest(arcs.size());  // running maximum of the upper ends of arcs
    for (std::size_t i = 0; i < arcs.size(); ++i) farthest[i] = std::max(arcs[i].box.hi[axis], i > 0 ? farthest[i - 1] : arcs[i].box.hi[axis]);
    for (std::size_t i = 0; i < arcs.size() && !stopped(); ++i) {  // finds each pair from its lower triangle
      const Arc& own = arcs[i];
      if (!rows.contains(own.triangle)) continue;
      const auto meets = [&](const Arc& other) {
        return other.triangle > own.triangle && own.box.overlaps(other.box) && of(own.triangle, other.triangle) == fan && visit(own.triangle, other.triangle);
      };
      for (std::size_t j = i + 1; j < arcs.size() && arcs[j].box.lo[axis] <= own.box.hi[axis]; ++j)
        if (meets(arcs[j])) return;
      for (std::size_t j = i; j-- > 0 && farthest[j] >= own.box.lo[axis];)
        if (meets(arcs[j])) return;
    }
  }

 private:
  struct Arc {
    Box3 box;
    std::uint32_t triangle;
  };

  /// Returns the fans that a triangle belongs to.
  FanSet fans_of(std::uint32_t triangle) const {
    const MeshImpl& m = *view_.mesh;
    FanSet set{kNone, kNone, kNone};
    for (int k = 0; k < 3; ++k) set[k] = fan_of_[m.canonical()[m.triangles[triangle][k]]];
    std::sort(set.begin(), set.end());
    for (int k = 2; k > 0; --k)
      if (set[k] == set[k - 1]) set[k] = kNone;
    std::sort(set.begin(), set.end());
    return set;
  }

  // A box around all unit directions from the fan's corner into a triangle. With unit vectors d, e to its other corners, the directions lie on the arc from d
  // to e, of at most half a turn, and within |d - e| / 2 of (d + e) / 2: at an angle f from the arc's middle, with c and s the cosine and sine of half its
  // angle, the squared distance is 1 - 2 c cos f + c^2 <= 1 - c^2 = s^2. Rounding, with u = 2^-53: a difference of coordinates errs by u relative, with its
  // scaling by 2 u, the squared length by 8 u, its root by 5 u, the quotient by 8 u; the middle and the half distance of two such vectors, of components up to
  // 1, by less than 40 u in all (underflow contributes less). 2^-46 is 128 u.
  Box3 directions(std::uint32_t triangle, std::uint32_t fan) const {
    const Triangle t = place(view_.pose, view_.mesh->triangle(triangle));
    const TriangleIndices& v = view_.mesh->triangles[triangle];
    const std::vector<std::uint32_t>& canonical = view_.mesh->canonical();
    int n = 0;
    double d[2][3];
    bool known = true;
    int at = 0;
    while (canonical[v[at]] != corner_[fan]) ++at;
    for (int k = 1; k < 3; ++k) {
      const Vec3 &from = t.points[at], &to = t.points[(at + k) % 3];
      if (from.x == to.x && from.y == to.y && from.z == to.z) continue;
      double largest = 0, sq = 0;
      for (int i = 0; i < 3; ++i) {
        d[n][i] = to[i] - from[i];
        largest = std::max(largest, std::fabs(d[n][i]));
      }
      known = known && largest > 0x1p-1000 && largest < 0x1p1000;
      for (int i = 0; i < 3; ++i) {
        d[n][i] /= largest;
        sq += d[n][i] * d[n][i];
      }
      const double length = std::sqrt(sq);
      for (int i = 0; i < 3; ++i) d[n][i] /= length;
      ++n;
    }
    Box3 box;
    if (n == 0) return box;  // a point meets nothing beyond the corner
    if (!known) {
      for (int i = 0; i < 3; ++i) box.lo[i] = -2, box.hi[i] = 2;
      return box;
    }
    if (n == 1)
      for (int i = 0; i < 3; ++i) d[1][i] = d[0][i];
    double gap = 0;
    for (int i = 0; i < 3; ++i) gap += (d[0][i] - d[1][i]) * (d[0][i] - d[1][i]);
    const double half = std::sqrt(gap) * 0.5 + 0x1p-46;  // 128 u: unit vectors, the root and the middle are off by about 12 u

    for (int i = 0; i < 3; ++i) {
      const double middle = (d[0][i] + d[1][i]) * 0.5;
      box.lo[i] = middle - half;
      box.hi[i] = middle + half;
    }
    return box;
  }

  /// below_[node * 8 + slot]: the fans to which all triangles below belong.
  void mark_nodes() {
    const WideBvh& tree = view_.mesh->tree;
    below_.resize(tree.node_count() * kWidth);
    for (std::uint32_t n = static_cast<std::uint32_t>(tree.node_count()); n-- > 0;) {  // children have higher numbers than their parents
      const WideNode& node = tree.node(n);
      for (std::uint32_t s = 0; s < node.used; ++s) {
        FanSet set{kNone, kNone, kNone};
        if (node.count[s] != 0) {
          set = of_[tree.items()[node.child[s]]];
          for (std::uint32_t k = 1; k < node.count[s]; ++k) set = intersection(set, of_[tree.items()[node.child[s] + k]]);
        } else {
          const std::size_t first = std::size_t{node.child[s]} * kWidth;
          set = below_[first];
          for (std::uint32_t k = 1; k < tree.node(node.child[s]).used; ++k) set = intersection(set, below_[first + k]);
        }
        below_[n * kWidth + s] = set;
      }
    }
  }

  MeshView view_;
  std::vector<std::uint32_t> fan_of_, corner_;  // fan_of_ by canonical vertex, corner_ its inverse
  std::vector<FanSet> of_;                      // by triangle; empty without fans
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<FanSet> below_;
};

/// A starting pair of the tree traversal, or a fan.
struct SelfStart {
  SelfTraversal::Pair pair{kWholeTree, kWholeTree};
  std::uint32_t fan = kNone;
};

/// Whether the boxes of leaves overlap so many others that triangles are slivers or cross: turned boxes then save more than they cost. Looks at some leaves.
bool overlaps_much(const WideBvh& tree) {
  constexpr std::size_t kMost = 64, kEach = 32;  // choices: leaves, and nodes for each of them
  constexpr std::size_t kMany = 24;              // a choice: a leaf of an even surface overlaps 8 to 10, itself included
  const std::size_t looks = std::min(kMost, tree.node_count() / kEach + 1);
  std::size_t found = 0;
  for (std::size_t k = 0; k < looks; ++k) {
    const auto n = static_cast<std::uint32_t>(k * tree.node_count() / looks);
    const WideNode& node = tree.node(n);
    std::size_t own = 0;
    for (std::uint32_t s = 0; s < node.used && own == 0; ++s) {
      if (!node.leaf(static_cast<int>(s))) continue;
      for_each_overlap(tree, view_of(tree, n * kWidth + s).box, [&](std::uint32_t, std::uint32_t) { return ++own == 4 * kMany; });
    }
    found += own;
  }
  return found > kMany * looks;
}

/// The triangles of a leaf, and their boxes.
struct LeafTriangles {
  Triangle triangle[WideBvh::kLeafItems];
  Box3 box[WideBvh::kLeafItems];
  std::uint32_t number[WideBvh::kLeafItems];

  LeafTriangles(const MeshView& view, const RefView& leaf) {
    for (std::uint32_t i = 0; i < leaf.count; ++i) {
      triangle[i] = triangle_at(view, leaf.child + i);
      box[i] = box_of(triangle[i]);
      number[i] = index_at(view, leaf.child + i);
    }
  }
};

/// Passes all pairs of the rows to collect(starts, work); see pair_lists.hpp.
template <class Collect>
auto enumerate(const MeshView& view, const PairFilter& filter, const PairRows& rows, Collect&& collect) {
  const PlacedTree placed = placed_tree(view);
  const SelfTraversal traversal(placed);
  if (traversal.empty()) return collect(std::vector<SelfStart>{}, [](const SelfStart&, auto&&) {});
  const Fans fans(view);
  const WideBvh& tree = view.mesh->tree;
  std::optional<TurnedBoxes> turned;
  if (overlaps_much(tree)) turned.emplace(view);
  std::vector<SelfStart> starts;
  for (const SelfTraversal::Pair& p : traversal.frontier(kPairTasks)) starts.push_back({p});
  for (std::uint32_t f = 0; f < fans.size(); ++f) starts.push_back({{}, f});
  const auto leaves = [&](const RefView& la, const RefView& lb, const auto& taken) {
    const LeafTriangles a(view, la), b(view, lb);
    const bool same = la.ref == lb.ref;
    for (std::uint32_t i = 0; i < la.count; ++i) {
      if (!same && turned && turned->apart(a.triangle[i], lb.ref)) continue;
      for (std::uint32_t j = same ? i + 1 : 0; j < lb.count; ++j) {
        if (!a.box[i].overlaps(b.box[j])) continue;
        const auto [x, y] = std::minmax(a.number[i], b.number[j]);
        if (rows.contains(x) && fans.of(x, y) == kNone && intersect_beyond_shared(a.triangle[i], b.triangle[j]) && taken(x, y)) return true;
      }
    }
    return false;
  };
  return collect(starts, [&](const SelfStart& start, auto&& take) {
    const auto taken = [&](std::uint32_t x, std::uint32_t y) { return (!filter || filter(x, y)) && take(TrianglePair{x, y}); };
    if (start.fan != kNone) {
      fans.pairs(
          start.fan, rows,
          [&](std::uint32_t x, std::uint32_t y) {
            return intersect_beyond_shared(place(view.pose, view.mesh->triangle(x)), place(view.pose, view.mesh->triangle(y))) && taken(x, y);
          },
          [&] { return take.stopped(); });
      return;
    }
    traversal.run(
        start.pair, [&](const RefView& la, const RefView& lb) { return leaves(la, lb, taken); },
        [&](const SelfTraversal::Pair& p) {
          return std::min(lowest_item(tree, p.a), lowest_item(tree, p.b)) >= rows.end || fans.cover(p.a, p.b) || (turned && turned->apart(p.a, p.b));
        });
  });
}

}  // namespace

bool list_self_pairs(const MeshView& view, const PairFilter& filter, const PairRows& rows, std::uint64_t most, ProgressMeter& meter,
                     std::vector<TrianglePair>& out) {
  return enumerate(view, filter, rows, [&](const auto& starts, auto&& work) { return pair_lists::list(starts, most, out, meter, work); });
}

std::vector<TrianglePair> self_pairs(const MeshView& view, const PairFilter& filter) {
  std::vector<TrianglePair> pairs;
  ProgressMeter none;
  list_self_pairs(view, filter, {}, kAnyNumber, none, pairs);
  return pairs;
}

std::uint64_t count_self_pairs(const MeshView& view, std::uint64_t most, ProgressMeter& meter) {
  const UniqueTriangles unique(view);
  std::uint64_t equal = 0;  // pairs of equal triangles; those with three distinct corners meet
  for (std::uint32_t i = 0; i < unique.size() && equal <= most; ++i) {
    const std::uint64_t n = unique.weight(i);
    if (n < 2) continue;
    const Triangle t = place(view.pose, unique.view().mesh->triangle(i));
    if (intersect_beyond_shared(t, t)) equal += n * (n - 1) / 2;
  }
  if (equal > most) return most + 1;
  return equal + enumerate(unique.view(), {}, {}, [&](const auto& starts, auto&& work) {
           return pair_lists::count(
               starts, most - equal, meter, [&](const TrianglePair& p) { return std::uint64_t{unique.weight(p.a)} * unique.weight(p.b); }, work);
         });
}

}  // namespace graze
