// From the leaves upward once, then downward to a range.
#include "bvh/item_ranges.hpp"

#include <algorithm>

namespace graze {

ItemRanges::ItemRanges(const WideBvh& tree) : tree_(tree), nodes_(tree.node_count(), Items{{~std::uint32_t{0}, 0}, 0}) {
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children have higher numbers
    const WideNode& node = tree_.node(static_cast<std::uint32_t>(n));
    Items& all = nodes_[n];
    for (std::uint32_t s = 0; s < node.used; ++s) {
      const Items own = items(node, s);
      all.range = {std::min(all.range.first, own.range.first), std::max(all.range.end, own.range.end)};
      all.count += own.count;
    }
  }
}

ItemRanges::Items ItemRanges::items(const WideNode& node, std::uint32_t slot) const {
  const std::uint32_t child = node.child[slot], count = node.count[slot];
  return count != 0 ? Items{{child, child + count}, count} : nodes_[child];
}

std::optional<ItemRange> ItemRanges::below(TreeRef ref) const {
  if (ref == kWholeTree) return ItemRange{};
  const Items own = items(tree_.node(ref / kWidth), ref % kWidth);
  return own.is(own.range) ? std::optional(own.range) : std::nullopt;
}

std::uint32_t ItemRanges::count(TreeRef ref) const { return ref == kWholeTree ? nodes_[0].count : items(tree_.node(ref / kWidth), ref % kWidth).count; }

std::optional<TreeRef> ItemRanges::child_of(const ItemRange& range) const {
  if (range.whole()) return kWholeTree;
  if (range.first >= range.end) return std::nullopt;
  std::vector<std::uint32_t> open{0};  // more than one only where ranges overlap
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    const WideNode& node = tree_.node(n);
    for (std::uint32_t s = 0; s < node.used; ++s) {
      const Items own = items(node, s);
      if (own.is(range)) return n * kWidth + s;
      if (node.count[s] == 0 && own.contains(range)) open.push_back(node.child[s]);
    }
  }
  return std::nullopt;
}

}  // namespace graze
