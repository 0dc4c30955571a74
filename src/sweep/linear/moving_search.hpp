// The traversal of a surface's tree for the triangles that a moving convex shape may touch first. Nodes and triangles are bounded by slabs between them and the
// shape, along the directions that GJK proposes: each proves a time without contact. What may be touched first is visited first, so that little is visited
// beyond the first contact, however large the shape is.
//
// Bounds. The shape C without its ball is known by a support function in the tree's coordinates (LocalSupport), and moves by t m, up to an error in each
// coordinate. Along a unit vector d, a node or triangle N is at least min over N of d . x - max over C of d . y - t d . m - error from it, whatever d is. Both
// are apart where that exceeds the ball's radius.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "convex/minkowski/local_pair.hpp"
#include "math/moving_box.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/local_support.hpp"
#include "platform/watch.hpp"

namespace graze {

/// A plane that separates a moving shape from others for a time: `direction` (a unit vector, or 0) points away from the shape, which at time t has no points
/// beyond level + t * rate.
struct MovingSlab {
  V3<double> direction{0, 0, 0};
  double level = 0, rate = 0;
  /// No contact before, given the least point along the direction; infinite: never.
  double entry(const V3<double>& least) const;
};

class MovingSearch {
 public:
  /// b, which `box` contains, moves by d. `slack`: by how much it may leave that path, or touch early.
  MovingSearch(const MeshView& a, const Operand& b, const Box3& box, const Vec3& d, double slack);
  bool usable() const { return usable_; }

  /// Visits the triangles that may be touched by `limit`, in the order of lower bounds of their times: visit(place, bound), which may lower the limit.
  /// Triangles are left out where skip(number), and nodes where skip(lowest number).
  template <class Skip, class Visit>
  void run(const double& limit, const Skip& skip, const Visit& visit) {
    push({0, 0, 0, kNode, {}});
    for (std::uint32_t turns = 0; !heap_.empty();) {
      if (++turns % 64 == 0) checkpoint();
      std::pop_heap(heap_.begin(), heap_.end());
      const Entry e = heap_.back();
      heap_.pop_back();
      if (e.key > limit) break;
      if (e.kind == kTriangle) {
        bound_triangle(e, limit);
        continue;
      }
      if (e.kind == kBounded) {
        const double before = limit;
        visit(e.child, e.key);
        if (limit < before) best_ = e.slab;
        continue;
      }
      if (e.kind == kNode) {
        const WideNode& node = a_.mesh->tree.node(e.child);
        if (!skip(node.lowest)) expand(e, node, limit);
        continue;
      }
      for (std::uint32_t lane = 0; lane < e.kind; ++lane)
        if (!skip(a_.mesh->blocks[e.child].id[lane])) add_triangle(e, lane, limit);
    }
  }

 private:
  static constexpr std::uint32_t kNode = 0, kTriangle = ~0u, kBounded = ~1u;
  struct Entry {
    double key;                 ///< no contact before
    std::uint32_t order;        ///< of those touched at the start: a number that none below is lower than
    std::uint32_t child, kind;  ///< a node, a triangle's place, which is bounded itself or not, or the number of a block and of the triangles in it
    MovingSlab slab;
    bool operator<(const Entry& e) const { return key != e.key ? key > e.key : order > e.order; }  ///< for heaps with the first on top
  };
  void push(const Entry& e) {
    heap_.push_back(e);
    std::push_heap(heap_.begin(), heap_.end());
  }
  void expand(const Entry& e, const WideNode& node, double limit);
  void add_triangle(const Entry& e, std::uint32_t lane, double limit);
  void bound_triangle(Entry e, double limit);
  TriangleTarget target_of(BlockPlace at) const;
  std::uint32_t lowest_of(std::uint32_t child, std::uint32_t count) const;
  /// What slabs already known prove.
  double known(const Entry& e, const auto& target, double limit) const;
  /// Returns a time before which there is no contact, not below `key`, infinite if it exceeds the limit. `slab`: where to begin, and what proves most.
  template <class Target>
  double bound(const Target& target, int steps, double limit, double key, MovingSlab& slab) const;

  const MeshView& a_;
  PlacedTree placed_;
  LocalSupport support_;
  V3<double> m_{0, 0, 0};
  Box3 box_;  ///< of the shape at the start, grown by the error
  std::optional<MovingBox> moving_;
  double reach_ = 0, speed_ = 0, size_ = 0;
  MovingSlab best_, last_;  ///< of the first contact so far, and of the last triangle: they often separate the next
  std::vector<Entry> heap_;
  bool usable_ = false;
};

}  // namespace graze
