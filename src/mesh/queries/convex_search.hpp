// The traversal of a surface's tree for the triangles nearest to a convex shape: each node and triangle is bounded by the slab between it and the shape, along
// the direction that GJK proposes. Nodes larger than the shape are bounded by the shape's box alone, which describes it well enough there.
//
// Bounds. The shape C without its ball is known by a support function in the tree's coordinates: y = farthest(d) has d . y >= max over C of d . c, up to
// `error` |d|. Along any d, all points x of a node or triangle N are at least (min over N of d . x - d . y) / |d| - error from C, however well d was chosen;
// the nearest point of a simplex of points of N - C is at most that far from the origin. True distances differ from those in the tree's coordinates by a
// factor 1 -+ relative (PlacedTree), and radii count on both sides. So every comparison with the limit is one of proven bounds.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/local_query.hpp"
#include "math/limits.hpp"
#include "mesh/queries/local_support.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "platform/expects.hpp"

namespace graze {

/// A slab that separates a shape from others: `direction` (a unit vector, or 0) points away from the shape, none of whose points is beyond `level`.
struct SupportSlab {
  V3<double> direction;
  double level;
};
inline constexpr SupportSlab kNoSlab{{0, 0, 0}, 0};

/// Bounds of the gap, the distance from the shape without its ball, before errors.
struct GapBounds {
  double lo = 0, hi = kInfinity;
  SupportSlab slab = kNoSlab;  ///< proves lo
  V3<double> on_shape;         ///< about the nearest point of the shape without its ball
};

class ConvexSearch {
 public:
  /// `slack`: by how much a computed distance may differ from the true one, apart from 1e-15 of itself and denormals.
  /// `box`: contains b.
  ConvexSearch(const MeshView& a, const Operand& b, const Box3& box, double slack);
  bool usable() const { return support_.usable() && outer_ < kInfinity; }

  /// Triangles with a lower bound above the limit are left out.
  void set_limit(double limit);
  double limit() const { return limit_; }
  /// A limit that leaves out only triangles that are farther than a computed distance.
  double limit_of(double distance) const { return beyond(local(distance)); }
  /// The same for the distance of a triangle with this upper bound.
  static double beyond(double upper) { return std::max(upper, 0.0) * (1 + 0x1p-38); }
  /// Triangles with an upper bound below this, which is 0 for 0, are surely within the distance.
  double surely_within(double distance) const { return local(distance) * (1 - 0x1p-38); }

  /// Visits the triangles whose lower bounds do not exceed the limit: visit(place, lo, hi), with bounds of the computed distance in the tree's units, until it
  /// returns true. visit may lower the limit. Triangles are left out where skip(number), and nodes where skip(lowest number). Returns whether a visit did.
  template <class Skip, class Visit>
  bool run(const Skip& skip, const Visit& visit) {
    return run_leaves(skip, [&](std::uint32_t leaf, std::uint32_t count, const SupportSlab& slab) {
      const TriangleBlock& block = a_.mesh->blocks[leaf];
      for (std::uint32_t lane = 0; lane < count; ++lane) {
        GapBounds bounds;
        if (skip(block.id[lane]) || !triangle(block, lane, slab, bounds)) continue;
        if (visit(leaf * static_cast<std::uint32_t>(kBlock) + lane, lower(bounds.lo), upper(bounds.hi))) return true;
      }
      return false;
    });
  }

  /// The same for leaves: visit(block, number of its triangles, slab of its parent), where the boxes around them do not exceed the limit.
  template <class Skip, class Visit>
  bool run_leaves(const Skip& skip, const Visit& visit) {
    top_ = 0;
    push_root();
    while (top_ > 0) {
      const Entry e = stack_[--top_];
      if (e.key > gap_limit_) continue;
      if (e.leaf) {
        if (visit(e.child, e.leaf, e.slab)) return true;
      } else {
        const WideNode& node = a_.mesh->tree.node(e.child);
        if (!skip(node.lowest)) expand(e, node);
      }
    }
    return false;
  }

 private:
  /// A child that is still to be visited; of a leaf, the number of its block and of the triangles in it.
  struct Entry {
    double key, order;  // a lower bound of the gap; by what the children of a node are sorted
    std::uint32_t child, leaf;
    SupportSlab slab;  // of its parent
  };
  double local(double distance) const;
  void push_root();
  void expand(const Entry& e, const WideNode& node);
  GapBounds node_bounds(const Entry& e, const WideNode& node) const;
  /// A lower bound of the gap to a box of the tree: by the shape's box, whose distances count like any other.
  double gap_of_boxes(const double* lo, const double* hi) const;
  /// Returns false if the triangle is beyond the limit.
  bool triangle(const TriangleBlock& block, std::uint32_t lane, const SupportSlab& slab, GapBounds& out);
  double lower(double gap) const { return gap * (1 - relative_) - outer_; }
  double upper(double gap) const { return gap * (1 + relative_) + inner_; }

  const MeshView& a_;
  PlacedTree placed_;
  LocalSupport support_;
  QueryBox box_;                     // of the shape
  double relative_, outer_, inner_;  // see lower() and upper()
  double limit_ = kInfinity, gap_limit_ = kInfinity;
  double best_ = kInfinity;
  SupportSlab best_slab_ = kNoSlab, last_slab_ = kNoSlab;  // of the nearest triangle so far, and of the last one: it often separates the next
  int top_ = 0;
  Entry stack_[kTraversalStack];
};

}  // namespace graze
