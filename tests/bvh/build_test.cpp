// The builder: the same tree for any number of threads, and a good tree at every scale.
#include <gtest/gtest.h>
#include <graze/threads.hpp>

#include <cstring>

#include "bvh/scenes.hpp"
#include "bvh/traverse.hpp"
#include "platform/parallel.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

bool same_tree(const WideBvh& a, const WideBvh& b) {
  if (a.node_count() != b.node_count() || !std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end())) return false;
  for (std::uint32_t n = 0; n < a.node_count(); ++n) {
    if (std::memcmp(&a.node(n), &b.node(n), sizeof(WideNode)) != 0) return false;
  }
  return std::memcmp(&a.root_box(), &b.root_box(), sizeof(QueryBox)) == 0;
}

TEST(Build, GivesTheSameTreeForAnyNumberOfThreads) {
  Random r(11);
  for (std::size_t n : {100u, 3000u, 200000u}) {
    auto boxes = random_boxes(r, n, 1, 0);
    for (std::size_t i = 0; i + 1 < n; i += 5) boxes[i + 1] = boxes[i];
    for (const TreeBuild how : {TreeBuild::best, TreeBuild::fast, TreeBuild::single}) {
      set_threads(1);
      const WideBvh one(boxes, how);
      for (int threads : {2, 7, 0}) {
        set_threads(threads);
        EXPECT_TRUE(same_tree(one, WideBvh(boxes, how))) << n << " items, " << threads << " threads";
      }
    }
  }
  set_threads(0);
}

TEST(Build, GivesTheSameTreeAtEveryCpuLevel) {
  Random r(14);
  for (std::size_t n : {40u, 3000u, 20000u}) {
    const auto boxes = random_boxes(r, n, 1, 0);
    for (const TreeBuild how : {TreeBuild::best, TreeBuild::fast, TreeBuild::single}) {
      const WideBvh one(boxes, how);
      for_each_cpu_level([&](CpuLevel level) { EXPECT_TRUE(same_tree(one, WideBvh(boxes, how))) << n << " items at " << name(level); });
    }
  }
}

TEST(Build, ScalingByPowersOfTwoChangesNothing) {
  Random r(12);
  const auto boxes = random_boxes(r, 2000, 1, 0);
  for (const TreeBuild how : {TreeBuild::best, TreeBuild::fast, TreeBuild::single}) {
    const WideBvh one(boxes, how);
    for (double scale : {0x1p-900, 0x1p-200, 0x1p900}) {
      auto scaled = boxes;
      for (Box3& b : scaled) {
        b.lo *= scale;
        b.hi *= scale;
      }
      EXPECT_TRUE(same_tree(one, WideBvh(scaled, how))) << scale;
    }
  }
}

TEST(Build, QueriesVisitFewItems) {
  Random r(13);
  const auto boxes = random_boxes(r, 20000, 1, 0, 0.01);
  for (const TreeBuild how : {TreeBuild::best, TreeBuild::fast, TreeBuild::single}) {
    const WideBvh tree(boxes, how);
    std::size_t items = 0, queries = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3 c = r.point(-1, 1);
      ++queries;
      for_each_overlap(tree, local_box(PlacedTree(tree, {}), box_at(c, Vec3(0.01))), [&](std::uint32_t, std::uint32_t count) {
        items += count;
        return false;
      });
    }
    EXPECT_LT(items, queries * 30);  // about 1 overlap a query on average
  }
}

}  // namespace
}  // namespace graze::test
