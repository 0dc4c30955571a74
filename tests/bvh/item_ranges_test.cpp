// What is below each child of a tree, and the way back.
#include "bvh/item_ranges.hpp"

#include <gtest/gtest.h>
#include <string>

#include "bvh/scenes.hpp"

namespace graze::test {
namespace {

TEST(ItemRanges, AndBack) {
  for (const TreeBuild how : {TreeBuild::best, TreeBuild::fast, TreeBuild::single})
    for (const BoxScene& s : box_scenes()) {
      SCOPED_TRACE(s.name + ", build " + std::to_string(static_cast<int>(how)));
      const WideBvh tree(s.boxes, how);
      if (tree.empty()) continue;
      const ItemRanges ranges(tree);
      const auto all = static_cast<std::uint32_t>(tree.items().size());
      EXPECT_EQ(ranges.count(kWholeTree), all);
      std::uint32_t leaves = 0;
      for (TreeRef ref = 0; ref < tree.node_count() * kWidth; ++ref) {
        if (ref % kWidth >= tree.node(ref / kWidth).used) continue;
        const RefView v = view_of(tree, ref);
        const std::optional<ItemRange> below = ranges.below(ref);
        if (v.is_leaf()) {
          leaves += v.count;
          EXPECT_EQ(below, (ItemRange{v.child, v.child + v.count}));
        } else if (how != TreeBuild::fast) {
          EXPECT_TRUE(below);
        }
        if (!below) continue;
        EXPECT_EQ(below->end - below->first, ranges.count(ref));
        const std::optional<TreeRef> found = ranges.child_of(*below);
        ASSERT_TRUE(found);
        EXPECT_EQ(ranges.below(*found), below);
        EXPECT_FALSE(ranges.child_of({below->first, below->end + all}));
      }
      EXPECT_EQ(leaves, all);
      EXPECT_EQ(ranges.child_of({}), kWholeTree);
      EXPECT_FALSE(ranges.child_of({0, 0}));
    }
}

}  // namespace
}  // namespace graze::test
