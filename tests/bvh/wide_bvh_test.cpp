// The structure of the tree: every item once, boxes that contain their items, bounded depth, refitting.
#include "bvh/wide_bvh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "bvh/scenes.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

/// Checks in long doubles (64-bit significands) that box `q`, in the tree's coordinates, contains the box of an item.
bool contains(const WideBvh& tree, const QueryBox& q, const Box3& item) {
  const auto& f = tree.frame();
  for (int i = 0; i < 3; ++i) {
    const long double s = static_cast<long double>(f.scale1) * f.scale2, c = f.center[i];
    const long double largest = std::numeric_limits<double>::max();
    if (!(q.lo[i] <= (std::max<long double>(item.lo[i], -largest) - c) * s && (std::min<long double>(item.hi[i], largest) - c) * s <= q.hi[i])) return false;
  }
  return true;
}

void check(const WideBvh& tree, const std::vector<Box3>& boxes, std::uint32_t n, const QueryBox* outer, std::multiset<std::uint32_t>& seen) {
  const WideNode& node = tree.node(n);
  ASSERT_GE(node.used, 1u);
  ASSERT_LE(node.used, 8u);
  for (std::uint32_t s = 0; s < node.used; ++s) {
    QueryBox box;
    for (int i = 0; i < 3; ++i) {
      box.lo[i] = node.plane[i][s];
      box.hi[i] = node.plane[3 + i][s];
      EXPECT_LE(std::fabs(box.lo[i]), 1.001f);
      EXPECT_LE(std::fabs(box.hi[i]), 1.001f);
      if (outer) {
        EXPECT_LE(outer->lo[i], box.lo[i]);
        EXPECT_GE(outer->hi[i], box.hi[i]);
      }
    }
    if (node.leaf(static_cast<int>(s))) {
      EXPECT_LE(node.count[s], WideBvh::kLeafItems);
      for (std::uint32_t k = 0; k < node.count[s]; ++k) {
        const std::uint32_t item = tree.items()[node.child[s] + k];
        EXPECT_TRUE(contains(tree, box, boxes[item]));
        if (k > 0) {
          EXPECT_LT(tree.items()[node.child[s] + k - 1], item);
        }
        seen.insert(item);
      }
    } else {
      ASSERT_GT(node.child[s], n);
      check(tree, boxes, node.child[s], &box, seen);
    }
  }
}

void check(const WideBvh& tree, const std::vector<Box3>& boxes) {
  std::multiset<std::uint32_t> seen, wanted;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    if (!boxes[i].empty()) wanted.insert(i);
  }
  if (!tree.empty()) check(tree, boxes, 0, &tree.root_box(), seen);
  EXPECT_EQ(seen, wanted);
  EXPECT_LE(tree.depth(), WideBvh::kMaxDepth);
}

TEST(WideBvh, HoldsEveryItemOnceInsideItsBoxes) {
  for (const BoxScene& s : box_scenes()) {
    SCOPED_TRACE(s.name);
    check(WideBvh(s.boxes), s.boxes);
    check(WideBvh(s.boxes, TreeBuild::fast), s.boxes);
    check(WideBvh(s.boxes, TreeBuild::single), s.boxes);
  }
}

TEST(WideBvh, EqualBoxesDoNotDegenerate) {
  const std::vector<Box3> boxes(100000, box_at(Vec3(1, 2, 3), Vec3(1)));
  EXPECT_LE(WideBvh(boxes).depth(), 8);
  EXPECT_LE(WideBvh(boxes, TreeBuild::fast).depth(), 8);
  EXPECT_LE(WideBvh(boxes, TreeBuild::single).depth(), 9);
}

TEST(WideBvh, SingleLeavesHoldOneItemAndFillTheirNodes) {
  for (const BoxScene& s : box_scenes()) {
    SCOPED_TRACE(s.name);
    const WideBvh tree(s.boxes, TreeBuild::single);
    EXPECT_EQ(tree.leaf_count(), tree.items().size());
    EXPECT_LE(tree.node_count(), tree.items().size() / 3 + 1);
  }
}

TEST(WideBvh, RefitIsAsTightAsRebuild) {
  Random r(3);
  for (const BoxScene& s : box_scenes()) {
    SCOPED_TRACE(s.name);
    for (const TreeBuild how : {TreeBuild::best, TreeBuild::fast, TreeBuild::single}) {
      WideBvh tree(s.boxes, how);
      std::vector<Box3> moved = s.boxes;
      for (Box3& b : moved) {
        if (b.empty()) continue;
        const Vec3 c = r.point(-5, 5);
        b = box_at(c, Vec3(0.1));
      }
      tree.refit(moved);
      check(tree, moved);
      const WideBvh built(s.boxes, how);
      WideBvh same = built;
      same.refit(s.boxes);
      for (std::uint32_t n = 0; n < same.node_count(); ++n) {
        for (std::uint32_t k = 0; k < same.node(n).used; ++k) {
          for (int i = 0; i < 6; ++i) EXPECT_EQ(same.node(n).plane[i][k], built.node(n).plane[i][k]);
        }
      }
    }
  }
}

TEST(WideBvh, RoundsOutwardStrictly) {
  Random r(5);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::bit_cast<double>(r.bits());
    if (!(std::fabs(x) < 0x1p60)) continue;
    EXPECT_LT(float_below(x), x);
    EXPECT_GT(float_above(x), x);
    if (std::fabs(x) > 1e-37) {
      EXPECT_LT(std::fabs(float_above(x) - x), std::fabs(x) * 0x1p-22);
    }
  }
  EXPECT_EQ(float_above(std::numeric_limits<double>::infinity()), float_above(0x1p60));
  EXPECT_EQ(float_below(-std::numeric_limits<double>::infinity()), float_below(-0x1p60));
  EXPECT_LT(float_below(0), 0);
}

}  // namespace
}  // namespace graze::test
