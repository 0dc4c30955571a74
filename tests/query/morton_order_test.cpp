// The order of points along a Morton curve.
#include "query/morton_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random.hpp"

namespace graze::morton_order_test {
namespace {

TEST(MortonOrder, IsAPermutationThatKeepsNeighboursTogether) {
  test::Random r(9);
  std::vector<Vec3> points;
  for (int i = 0; i < 4096; ++i) points.push_back(r.point(-1, 1));
  const std::vector<std::uint32_t> order = morton_order(points);
  std::vector<std::uint32_t> all(order);
  std::sort(all.begin(), all.end());
  double length = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i], i);
    if (i > 0) {
      const Vec3 step = points[order[i]] - points[order[i - 1]];
      length += std::sqrt(step.x * step.x + step.y * step.y + step.z * step.z);
    }
  }
  EXPECT_LT(length / 4095, 0.25);  // 1.3 in random order
  points.assign(50, Vec3(1, 2, 3));
  EXPECT_EQ(morton_order(points).back(), 49u);  // stable
  points = {Vec3(1e308, -1e308, 0), Vec3(-1e308, 1e308, 5e-324), Vec3(0, 0, 0)};
  EXPECT_EQ(morton_order(points).size(), 3u);
}

}  // namespace
}  // namespace graze::morton_order_test
