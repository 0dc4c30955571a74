// Bounds of nodes and triangles against a convex shape by GJK in doubles.
#include "mesh/queries/convex_search.hpp"

#include "convex/gjk/gjk.hpp"
#include "exact/double_parts.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze {
namespace {

constexpr double kLeastGap = 0x1p-60;  ///< gaps below this count as 0: a choice, since directions drown in errors

struct GapVertex {
  V3<double> w, on_shape;
};

/// Target - shape, for gjk().
template <class Target>
struct GapDifference {
  const Target& target;
  const LocalSupport& support;
  GapVertex least(const V3<double>& d) const {
    const V3<double> y = support.farthest(d);
    return {target.least(d) - y, y};
  }
};

/// Vertices are named by their points of the shape.
struct GapState : GjkState<V3<double>, double> {
  V3<double> on_shape() const {
    V3<double> p{0, 0, 0};
    for (int k = 0; k < n; ++k) p = p + weight[k] * g[k];
    return p;
  }
};

/// Ends where the bounds agree up to `tolerance` of the distance, or the lower one exceeds `limit`.
struct GapStop {
  double limit, tolerance;
  GapBounds bounds;
  double norm = 0, last = kInfinity;
  int step = 0;

  bool at_point(const GapState& s) {
    constexpr int kMaxSteps = 24;  // a choice: the bounds are valid after any number of steps
    if (s.n == 4 || step++ == kMaxSteps) return true;
    norm = std::sqrt(dot(s.x, s.x));
    bounds.hi = std::min(bounds.hi, norm);
    return !(norm > kLeastGap);
  }
  bool at_vertex(GapState& s, const GapVertex& v) {
    const double low = dot(s.x, v.w) / norm;
    if (low > bounds.lo) {
      bounds.lo = low;
      bounds.slab.direction = (1 / norm) * s.x;
      bounds.slab.level = dot(bounds.slab.direction, v.on_shape);
    }
    if (bounds.lo > limit || bounds.hi - bounds.lo <= tolerance * bounds.hi || !(norm < last)) return true;
    last = norm;
    for (int k = 0; k < s.n; ++k)
      if (is_zero(s.w[k] - v.w)) return true;
    s.add(v.on_shape, v.w);
    return false;
  }
};

template <class Target>
GapBounds bound_gap(const Target& target, const LocalSupport& support, const V3<double>& start, double limit, double tolerance) {
  const GapDifference<Target> difference{target, support};
  GapState s;
  const GapVertex first = difference.least(is_zero(start) ? V3<double>{1, 0, 0} : start);
  s.start(first.on_shape, first.w);
  GapStop stop{limit, tolerance, {}};
  gjk(difference, stop, s);
  stop.bounds.on_shape = s.on_shape();
  return stop.bounds;
}

/// How far points are from the shape without its ball at least, given the least along the slab's direction.
double gap_of(const SupportSlab& slab, const V3<double>& least) { return dot(slab.direction, least) - slab.level; }

}  // namespace

ConvexSearch::ConvexSearch(const MeshView& a, const Operand& b, const Box3& box, double slack)
    : a_(a), placed_(leaf::placed_tree(a)), support_(a, placed_, b), box_(local_box(placed_, box)) {
  const WideBvh& tree = a.mesh->tree;
  // Values along unit vectors of items, |x| < 1.75, and of points of the shape are rounded in dot products: 8 u of the coordinates. Corners are rounded.
  // Compared distances are off by `slack` and by a denormal.
  const double error = 2 * support_.error() + 64 * kUnitRoundoff + 1.75 * kBlockError + local(slack) + local_length(tree, 0x1p-1070);
  relative_ = support_.relative() * 2;
  outer_ = error + support_.radius() * (1 + relative_);
  inner_ = error - support_.radius() * (1 - relative_);
  set_limit(kInfinity);
}

double ConvexSearch::local(double distance) const { return local_length(a_.mesh->tree, distance); }

void ConvexSearch::set_limit(double limit) {
  limit_ = limit;
  gap_limit_ = (limit + outer_) * (1 + 2 * relative_);  // 1 / (1 - r) < 1 + 2 r, and relative_ covers the roundings
}

void ConvexSearch::push_root() { stack_[top_++] = {0, 0, 0, 0, kNoSlab}; }

double ConvexSearch::gap_of_boxes(const double* lo, const double* hi) const {
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = std::max({lo[i] - box_.hi[i], box_.lo[i] - hi[i], 0.0});
    square += d * d;
  }
  return square > 0 ? (std::sqrt(square) * (1 - relative_) + outer_) * (1 + 2 * relative_) : 0;  // as set_limit() turns distances into gaps
}

GapBounds ConvexSearch::node_bounds(const Entry& e, const WideNode& node) const {
  const QueryBox all = children_box(node);
  double shape = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    shape = std::max(shape, double{box_.hi[i]} - box_.lo[i]);
    size = std::max(size, double{all.hi[i]} - all.lo[i]);
  }
  constexpr double kSmall = 0.5;  // a choice
  if (shape < kSmall * size) {
    GapBounds bounds{e.key, kInfinity, kNoSlab, {0, 0, 0}};
    for (int i = 0; i < 3; ++i) bounds.on_shape[i] = 0.5 * box_.lo[i] + 0.5 * box_.hi[i];
    return bounds;
  }
  const BoxTarget box{{all.lo[0], all.lo[1], all.lo[2]}, {all.hi[0], all.hi[1], all.hi[2]}};
  constexpr double kNear = 0x1p-4;  // a choice: bounds of nodes need not be tight
  return bound_gap(box, support_, e.slab.direction, gap_limit_, kNear);
}

void ConvexSearch::expand(const Entry& e, const WideNode& node) {
  const GapBounds bounds = node_bounds(e, node);
  if (bounds.lo > gap_limit_) return;
  const SupportSlab& slab = is_zero(bounds.slab.direction) ? e.slab : bounds.slab;
  const int base = top_;
  for (std::uint32_t s = 0; s < node.used; ++s) {
    const double lo[3] = {node.plane[0][s], node.plane[1][s], node.plane[2][s]}, hi[3] = {node.plane[3][s], node.plane[4][s], node.plane[5][s]};
    double key = std::max(bounds.lo, gap_of_boxes(lo, hi));
    if (key > gap_limit_) continue;
    key = std::max({key, gap_of(slab, least_corner(lo, hi, slab.direction)), gap_of(best_slab_, least_corner(lo, hi, best_slab_.direction))});
    if (key > gap_limit_) continue;
    GRAZE_EXPECTS(top_ < kTraversalStack);
    const std::uint32_t count = node.count[s];
    double order = 0;  // the children nearest to the shape's point that is nearest to the node come first
    for (int i = 0; i < 3; ++i) {
      const double d = std::max({lo[i] - bounds.on_shape[i], bounds.on_shape[i] - hi[i], 0.0});
      order += d * d;
    }
    int i = top_++;
    for (; i > base && stack_[i - 1].order < order; --i) stack_[i] = stack_[i - 1];
    stack_[i] = {key, order, count != 0 ? node.leaf_number(s) : node.child[s], count, slab};
  }
}

bool ConvexSearch::triangle(const TriangleBlock& block, std::uint32_t lane, const SupportSlab& slab, GapBounds& out) {
  TriangleTarget t;
  for (std::size_t i = 0; i < 3; ++i) t.corner[i] = {block.corner[3 * i][lane], block.corner[3 * i + 1][lane], block.corner[3 * i + 2][lane]};
  const SupportSlab* const known[] = {&slab, &best_slab_, &last_slab_};
  for (const SupportSlab* k : known)
    if (gap_of(*k, t.least(k->direction)) > gap_limit_) return false;
  constexpr double kTight = 0x1p-28;  // a choice: about as the rounding of the corners
  out = bound_gap(t, support_, slab.direction, gap_limit_, kTight);
  if (out.lo > 0) last_slab_ = out.slab;
  if (out.lo > gap_limit_) return false;
  if (out.hi < best_) {
    best_ = out.hi;
    if (out.lo > 0) best_slab_ = out.slab;
  }
  return true;
}

}  // namespace graze
