// A tree of boxes, 8 wide, in floats relative to its own centre and scale; it knows nothing but boxes. Read-only queries: traverse.hpp.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "bvh/wide_node.hpp"
#include "math/box3.hpp"
#include "platform/large_array.hpp"

namespace graze {

/// The tree's own coordinates: (x - center) * 2^exponent, in which everything lies within [-1, 1] (whatever the input's size: 1e-300, 1e300 and denormals give
/// the same floats).
struct LocalFrame {
  Vec3 center{0, 0, 0};
  double scale1 = 1, scale2 = 1;  ///< their product is 2^exponent; two, since 2^1074 is no double
  int exponent = 0;

  /// Rounded; relative error at most 2^-53 (plus 2^-1074), infinite when x is far beyond.
  double to_local(double x, int i) const { return ((x - center[i]) * scale1) * scale2; }
};

/// Rounds up what to_local gave, for |x| < 2^127. Proof: conversion errs by at most half a float ulp of the result on the side stepped to, to_local by 2^-53
/// relative; one step of a whole ulp covers both.
inline float rounded_up(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if ((bits << 1) == 0) return std::bit_cast<float>(std::uint32_t{1});
  return std::bit_cast<float>(bits + 1 - 2 * (bits >> 31));
}
/// Outward, and clamped to +-2^60: far outside every box of the tree, so that clamping changes no overlap and no distance bound upwards.
inline float float_above(double x) { return rounded_up(std::clamp(x, -0x1p60, 0x1p60)); }
inline float float_below(double x) { return -float_above(-x); }

struct BuildItem;

/// best: by the surface area heuristic. fast: in the order of Morton codes, by area only above ranges of some 20 items.
enum class TreeBuild : std::uint8_t { best, fast };

class WideBvh {
 public:
  static constexpr int kLeafItems = 4;             ///< items in a leaf, at most
  static constexpr int kMaxDepth = kMaxTreeDepth;  ///< inner nodes on a path, at most: 48 by area, then every split halves
  static constexpr int kStack = kWalkStack;        ///< entries of a depth-first traversal, at most

  WideBvh() = default;
  /// Box i bounds item i. Empty boxes are left out; infinite ones are cut at the largest double. O(n log n), on all threads, the same tree for any number.
  explicit WideBvh(std::span<const Box3> boxes, TreeBuild how = TreeBuild::best);
  /// For who makes items himself: an empty tree with the frame for things within `bounds`, in whose coordinates they must be; then grow(), which uses them up.
  static WideBvh with_frame(const Box3& bounds);
  void grow(LargeArray<BuildItem>& items, TreeBuild how);

  /// New boxes for the same items (none empty that was not, or the reverse: those need a new tree). O(n).
  void refit(std::span<const Box3> boxes);

  bool empty() const { return items_.empty(); }
  /// Item numbers in leaf order; ascending within a leaf.
  std::span<const std::uint32_t> items() const { return items_; }
  const LocalFrame& frame() const { return frame_; }
  const Box3& bounds() const { return bounds_; }
  const WideNode& node(std::uint32_t i) const { return nodes_[i]; }  ///< 0 is the root; children have higher numbers
  std::size_t leaf_count() const { return leaf_count_; }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t node_capacity() const { return nodes_.capacity(); }
  const QueryBox& root_box() const { return root_box_; }
  /// Inner nodes on the longest path.
  int depth() const;

 private:
  friend class WideBvhBuilder;
  void build_by_codes(LargeArray<BuildItem>& items);
  void number_leaves();
  QueryBox local(const Box3& box) const;
  void set_frame(const Box3& bounds);

  LargeArray<WideNode> nodes_;
  LargeArray<std::uint32_t> items_;
  std::size_t leaf_count_ = 0;
  LocalFrame frame_;
  Box3 bounds_;
  QueryBox root_box_{};
};

}  // namespace graze
