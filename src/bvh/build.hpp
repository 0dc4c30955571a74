// The builder by surface area: over items, whose ranges of a few become nodes of full leaves, or over clusters, each of which is a node already.
#pragma once
#include <vector>

#include "bvh/build_kernels.hpp"
#include "bvh/wide_bvh.hpp"

namespace graze {

class WideBvhBuilder {
 public:
  /// The nodes over the items; orders `tree.items_`. Uses up the items.
  static void build(WideBvh& tree, LargeArray<BuildItem>& items);
  /// The nodes over at least two clusters: node i of `bottom` is that of the cluster whose item has number i. Uses up the clusters.
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

  /// `ids` takes the numbers of items in order; none for clusters.
  WideBvhBuilder(LargeArray<BuildItem>& a, LargeArray<BuildItem>& b, std::uint32_t* ids)
      : items_{a.data(), b.data()}, ids_(ids), few_(ids != nullptr ? kFewItems : 1), kernels_(build_kernels()) {}
  /// Sets the bounds of the centres, and with `boxes` those of the boxes.
  void measure(Range& r, bool boxes) const;
  void split(const Range& r, Range& left, Range& right);
  void halve(const Range& r, Range& left, Range& right);
  /// `before`: how many items go left of the pieces before each, and at last of all.
  void part(const Range& r, const BuildBinning& binning, const BuildSplit& split, std::span<const std::size_t> before, Range& left, Range& right);
  /// Appends the node of `r`; ranges of at most `task_size` items that are left over become tasks, if tasks are wanted.
  std::uint32_t node(const Range& r, LargeArray<WideNode>& nodes, std::size_t task_size, std::vector<Task>* tasks);
  void few(const Range& r, WideNode& node);
  static void run(WideBvh& tree, LargeArray<BuildItem>& items, std::uint32_t* ids, std::size_t task_size);

  BuildItem* items_[2];  // a split moves a range from one buffer to the other
  std::uint32_t* ids_;
  std::size_t few_;  // ranges of up to so many are not split
  const BuildKernels& kernels_;
};

}  // namespace graze
