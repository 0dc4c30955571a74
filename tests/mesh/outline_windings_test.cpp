// Windings beside edges and places of corners, of small outlines with known answers.
#include "mesh/outline_windings.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

using namespace graze;

namespace outline_windings_test {
namespace {

struct Found {
  std::vector<Vec3> points;
  std::optional<OutlineWindings> windings;
};

Found windings_of(std::initializer_list<std::pair<double, double>> list) {
  Found f;
  for (const auto& [x, y] : list) f.points.emplace_back(x, y, 0);
  const FlatOutline outline(f.points, area_axis(f.points));
  f.windings = find_windings(outline, OutlineRing(outline.size()));
  return f;
}

}  // namespace

TEST(OutlineWindings, InsideIsToTheLeft) {
  for (const auto& outline : {windings_of({{0, 0}, {4, 0}, {1, 1}, {0, 4}}), windings_of({{0, 4}, {1, 1}, {4, 0}, {0, 0}}),
                              windings_of({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}})}) {
    ASSERT_TRUE(outline.windings);
    for (std::size_t k = 0; k < outline.points.size(); ++k) EXPECT_TRUE(outline.windings->out[k] == 1 && outline.windings->in[k] == 1) << k;
    EXPECT_TRUE(outline.windings->passes.empty());
  }
}

TEST(OutlineWindings, BridgesOutsideHaveNothingBeside) {
  // Two squares and a bridge between them that bends.
  const Found f = windings_of({{0, 0}, {1, 0}, {2, 1}, {3, 0}, {4, 0}, {4, 1}, {3, 1}, {3, 0}, {2, 1}, {1, 0}, {1, 1}, {0, 1}});
  ASSERT_TRUE(f.windings);
  const std::vector<signed char> out{1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1}, in{1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1};
  EXPECT_EQ(f.windings->out, out);
  EXPECT_EQ(f.windings->in, in);
  EXPECT_EQ(f.windings->places, 9u);
  EXPECT_EQ(f.windings->place[2], f.windings->place[8]);
  EXPECT_NE(f.windings->place[2], f.windings->place[3]);
}

TEST(OutlineWindings, EdgesPassThroughCorners) {
  const Found f = windings_of({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}});
  ASSERT_TRUE(f.windings);
  EXPECT_EQ(f.windings->passes, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{f.windings->place[3], 0}}));
}

TEST(OutlineWindings, TwiceOrTheOtherWayIsRefused) {
  EXPECT_FALSE(windings_of({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {4, 0}, {4, 4}, {0, 4}}).windings);
  EXPECT_FALSE(windings_of({{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 1}, {3, 3}, {1, 3}}).windings);    // a hole listed the way of the outline
  EXPECT_FALSE(windings_of({{0, 0}, {4, 0}, {4, 4}, {2, 2}, {1, 3}, {3, 3}, {2, 2}, {0, 4}}).windings);    // .. that hangs from a corner
  EXPECT_FALSE(windings_of({{0, 0}, {2, 2}, {4, 0}, {4, 5}, {2, 2}, {0, 4}, {-1, 4}, {-1, 5}}).windings);  // partly the other way
}

}  // namespace outline_windings_test
