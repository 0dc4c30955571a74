// Builds trees by the surface area heuristic, over items (ranges of a few items become nodes of full leaves) or over clusters (each of which is already a
// node).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/build_kernels.hpp"
#include "bvh/wide_bvh.hpp"

namespace graze {

struct BoundsOfItems {
  BuildBounds boxes, centers;
};
BoundsOfItems bounds_of(const BuildItem* items, std::size_t n);

class WideBvhBuilder {
 public:
  /// Builds the nodes over the items and writes `tree.items_` in leaf order. Consumes the items.
  static void build(WideBvh& tree, LargeArray<BuildItem>& items, std::size_t leaf_items, ProgressMeter& meter);
  /// Builds the nodes over at least two clusters. Node i of `bottom` belongs to the cluster whose item has number i. Consumes the clusters.
  static void build_above(WideBvh& tree, LargeArray<BuildItem>& clusters, const LargeArray<WideNode>& bottom);

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
    BuildBounds boxes, centers;
    int depth = 0, buffer = 0;
    std::size_t count() const { return end - begin; }
  };
  struct Task {
    std::uint32_t node;
    int slot;
    Range range;
  };

  /// `ids` receives the item numbers in order; null for clusters, which take the place of nodes.
  WideBvhBuilder(LargeArray<BuildItem>& a, LargeArray<BuildItem>& b, std::uint32_t* ids, std::size_t leaf_items)
      : items_{a.data(), b.data()}, ids_(ids), leaf_items_(leaf_items), few_(ids != nullptr ? kWidth * leaf_items : 1), kernels_(build_kernels()) {}
  /// Sets the bounds of the centres and, with `boxes`, those of the boxes.
  void measure(Range& r, bool boxes) const;
  void split(const Range& r, Range& left, Range& right);
  void halve(const Range& r, Range& left, Range& right);
  /// before[i]: number of items in chunks before chunk i that go left; the last entry is the total.
  void part(const Range& r, const BuildBinning& binning, const BuildSplit& split, std::span<const std::size_t> before, Range& left, Range& right);
  /// Divides a range among the children of a node, and returns their number.
  int divide(const Range& r, Range (&child)[kWidth]);
  /// Appends the node of `r` and returns its number. With `tasks`, remaining ranges of at most `task_size` items become tasks.
  std::uint32_t node(const Range& r, LargeArray<WideNode>& nodes, std::size_t task_size, std::vector<Task>* tasks);
  void few(const Range& r, WideNode& node);
  static void run(WideBvh& tree, LargeArray<BuildItem>& items, std::uint32_t* ids, std::size_t leaf_items, std::size_t task_size, ProgressMeter& meter);

  BuildItem* items_[2];  // a split moves a range from one buffer to the other
  std::uint32_t* ids_;
  std::size_t leaf_items_;  // 1 or WideBvh::kLeafItems
  std::size_t few_;         // ranges of at most this many items are not split
  const BuildKernels& kernels_;
};

}  // namespace graze
