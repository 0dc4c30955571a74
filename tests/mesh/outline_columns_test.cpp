// Every corner in a triangle is visited, until it is removed, wherever the corners are.
#include "mesh/outline_columns.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "support/random.hpp"

using namespace graze;

TEST(OutlineColumns, VisitsAllCornersInATriangle) {
  test::Random random(31);
  for (const double scale : {1.0, 0x1p-1070, 0x1p1018, 1e-9}) {
    for (const double offset : {0.0, 1e6}) {
      for (int round = 0; round < 30; ++round) {
        const int n = random.integer(3, 300), m = random.integer(1, 40);
        std::vector<Vec3> p;
        for (int k = 0; k < n; ++k) {
          const double x = round % 3 == 0 ? random.integer(0, m) : random.real(-10, 10), y = round % 2 == 0 ? random.integer(0, m) : random.real(-0.01, 0.01);
          p.emplace_back(scale == 1e-9 ? offset + x * scale : x * scale, scale == 1e-9 ? offset + y * scale : y * scale, 0);
        }
        const FlatOutline outline(p, {2, 1});
        std::vector<FlatOutline::Index> all(p.size());
        std::iota(all.begin(), all.end(), 0);
        OutlineColumns columns(outline, all);
        std::set<FlatOutline::Index> removed;
        for (int query = 0; query < 30; ++query) {
          std::array<FlatOutline::Index, 3> t;
          for (auto& k : t) k = static_cast<FlatOutline::Index>(random.integer(0, n - 1));
          if (outline.turn(t[0], t[1], t[2]) < 0) std::swap(t[0], t[1]);
          std::set<FlatOutline::Index> visited;
          columns.near(t, [&](FlatOutline::Index k) {
            EXPECT_TRUE(visited.insert(k).second && !removed.count(k));
            return true;
          });
          for (const auto k : all) {
            const bool inside = outline.turn(t[0], t[1], k) >= 0 && outline.turn(t[1], t[2], k) >= 0 && outline.turn(t[2], t[0], k) >= 0;
            const bool flat = outline.turn(t[0], t[1], t[2]) == 0;
            const bool due = flat ? outline.same(k, t[0]) || outline.same(k, t[1]) || outline.same(k, t[2]) : inside;
            EXPECT_TRUE(!due || removed.count(k) || visited.count(k))
                << k << " of " << n << ", scale " << scale << ", offset " << offset << ", round " << round << (flat ? " flat" : "");
          }
          if (const auto gone = static_cast<FlatOutline::Index>(random.integer(0, n - 1)); removed.insert(gone).second) columns.remove(gone);
        }
      }
    }
  }
}
