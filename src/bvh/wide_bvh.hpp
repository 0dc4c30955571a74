// A bounding volume hierarchy of boxes, 8 wide, in floats relative to its own centre and scale. It stores boxes and item numbers only. traverse.hpp has the
// read-only queries.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "bvh/wide_node.hpp"
#include "math/box3.hpp"
#include "platform/expects.hpp"
#include "platform/large_array.hpp"
#include "platform/progress_meter.hpp"

namespace graze {

/// The tree's own coordinates, (x - center) * 2^exponent, in which everything lies within [-1, 1]. The floats do not depend on the size of the input: 1e-300,
/// 1e300 and denormals yield the same floats.
struct LocalFrame {
  Vec3 center{0, 0, 0};
  double scale1 = 1, scale2 = 1;  ///< their product is 2^exponent; two factors, since 2^1074 is not a double
  int exponent = 0;

  /// Rounded, with relative error at most 2^-53 (plus 2^-1074); infinite if x is far outside.
  double to_local(double x, int i) const { return ((x - center[i]) * scale1) * scale2; }
};

/// Rounds up a result of to_local, for |x| < 2^127. Proof: the conversion errs by at most half a float ulp of the result on the side stepped to, to_local by
/// 2^-53 relative; one step of a whole ulp covers both.
inline float rounded_up(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if ((bits << 1) == 0) return std::bit_cast<float>(std::uint32_t{1});
  return std::bit_cast<float>(bits + 1 - 2 * (bits >> 31));
}
/// Rounds outward and clamps to +-2^60. That is far outside every box of the tree, so clamping changes no overlap and increases no distance bound.
inline float float_above(double x) { return rounded_up(std::clamp(x, -0x1p60, 0x1p60)); }
inline float float_below(double x) { return -float_above(-x); }

/// The box with infinite sides clipped to the largest double.
Box3 finite(const Box3& box);

/// The box of all children of a node.
QueryBox children_box(const WideNode& node);

struct BuildItem;

/// best: surface area heuristic. fast: Morton order, with the surface area heuristic only above clusters of about 20 items. single: as best, with one item in
/// each leaf, where testing an item costs more than the boxes of a node.
enum class TreeBuild : std::uint8_t { best, fast, single };

/// What makes the lower part of a tree where traversals reach it. The nodes that wait are the roots of its pieces; what is below them must not be read before.
/// The result does not depend on which piece is made when.
class NodeSource {
 public:
  /// Makes a node that waits, and all below it.
  virtual void make(const WideNode& node) const = 0;
  /// Makes the nodes above an item.
  virtual void make_item(std::uint32_t item) const = 0;
  /// Makes all nodes, with all threads.
  virtual void make_all() const = 0;

 protected:
  ~NodeSource() = default;
};

class WideBvh {
 public:
  static constexpr int kLeafItems = 4;             ///< maximum number of items in a leaf
  static constexpr int kMaxDepth = kMaxTreeDepth;  ///< maximum number of inner nodes on a path: 48 by area, then every split halves
  static constexpr int kStack = kTraversalStack;   ///< maximum number of entries in a depth-first traversal

  WideBvh() = default;
  /// Builds the tree; box i bounds item i. Empty boxes are left out, infinite ones are clipped to the largest double. O(n log n), on all threads; the tree does
  /// not depend on the number of threads.
  explicit WideBvh(std::span<const Box3> boxes, TreeBuild how = TreeBuild::best);
  /// For callers that create items themselves: an empty tree with the frame for objects within `bounds`. The caller creates items in that frame and calls
  /// grow(), which consumes them and counts them as work done.
  static WideBvh with_frame(const Box3& bounds);
  void grow(LargeArray<BuildItem>& items, TreeBuild how, ProgressMeter& meter);

  /// The tree for objects within `bounds` that another tree was, from its nodes, items and number of leaves, which the caller has checked. `source`: makes the
  /// nodes that wait; it must outlive the arrays.
  static WideBvh restored(const Box3& bounds, LargeArray<WideNode> nodes, LargeArray<std::uint32_t> items, std::size_t leaves,
                          const NodeSource* source = nullptr);
  /// Makes all nodes that wait, or those above an item. Whoever reads nodes(), items() or data by item without a traversal that has met them needs this.
  void complete() const {
    if (source_ != nullptr) source_->make_all();
  }
  void complete(std::uint32_t item) const {
    if (source_ != nullptr) source_->make_item(item);
  }

  /// For the same callers, in place of grow(): takes over the structure of another tree. set_leaves(from, count, nodes) sets the planes of the leaves of nodes
  /// [from, from + count), where `nodes` points to node `from`. Runs on all threads.
  void follow(const WideBvh& other, const std::function<void(std::size_t from, std::size_t count, WideNode* nodes)>& set_leaves);

  /// Refits the tree to new boxes of the same items. Items must stay empty or non-empty; otherwise build a new tree. O(n).
  void refit(std::span<const Box3> boxes);

  bool empty() const { return items_.empty(); }
  /// Item numbers in leaf order; ascending within a leaf.
  std::span<const std::uint32_t> items() const { return items_; }
  const LocalFrame& frame() const { return frame_; }
  const Box3& bounds() const { return bounds_; }
  /// 0 is the root; children have higher numbers.
  const WideNode& node(std::uint32_t i) const {
    GRAZE_EXPECTS(i < nodes_.size());
    return made(nodes_[i]);
  }
  std::span<const WideNode> nodes() const { return nodes_; }
  std::size_t leaf_count() const { return leaf_count_; }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t node_capacity() const { return nodes_.capacity(); }
  const QueryBox& root_box() const { return root_box_; }
  /// Number of inner nodes on the longest path.
  int depth() const;

 private:
  friend class WideBvhBuilder;
  void build_by_codes(LargeArray<BuildItem>& items, ProgressMeter& meter);
  void number_leaves();
  void set_inner_boxes();
  QueryBox local(const Box3& box) const;
  void set_frame(const Box3& bounds);

  LargeArray<WideNode> nodes_;
  LargeArray<std::uint32_t> items_;
  std::size_t leaf_count_ = 0;
  LocalFrame frame_;
  Box3 bounds_;
  QueryBox root_box_{};
  const NodeSource* source_ = nullptr;
};

}  // namespace graze
