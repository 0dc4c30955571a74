// What is below the nodes of a tree, by positions in items(): names that do not depend on how nodes are numbered.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze {

/// Positions in items().
struct ItemRange {
  std::uint32_t first = 0, end = ~std::uint32_t{0};  ///< by default all
  bool whole() const { return first == 0 && end == ~std::uint32_t{0}; }
  bool operator==(const ItemRange&) const = default;
};

/// Refers to the tree. Takes O(number of nodes) to construct.
class ItemRanges {
 public:
  explicit ItemRanges(const WideBvh& tree);

  /// What is below a child of a node; none where that is no range, as above the clusters of TreeBuild::fast.
  std::optional<ItemRange> below(TreeRef ref) const;
  /// The highest child of a node that has exactly these positions below it; none where there is no such.
  std::optional<TreeRef> child_of(const ItemRange& range) const;
  std::uint32_t count(TreeRef ref) const;

 private:
  struct Items {
    ItemRange range;  ///< the smallest
    std::uint32_t count;
    bool contains(const ItemRange& r) const { return range.first <= r.first && r.end <= range.end; }
    bool is(const ItemRange& r) const { return range == r && r.end - r.first == count; }
  };
  Items items(const WideNode& node, std::uint32_t slot) const;
  const WideBvh& tree_;
  std::vector<Items> nodes_;
};

}  // namespace graze
