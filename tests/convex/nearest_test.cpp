// The nearest point of a simplex in doubles: the fast form equals the general one bit for bit.
#include <gtest/gtest.h>

#include <cstring>

#include "convex/gjk/nearest-inl.hpp"
#include "support/random.hpp"

namespace graze::nearest_test {
namespace {

TEST(NearestOfPoints, EqualsTheGeneralForm) {
  test::Random r(8);
  constexpr bool points_only[4] = {};
  int sizes[5] = {};
  for (int i = 0; i < 20000; ++i) {
    V3<double> g[4];
    const int n = r.integer(1, 4);
    for (int k = 0; k < n; ++k) {
      const Vec3 p = i % 2 ? r.point(-1, 1) : r.grid(-2, 2);
      g[k] = {p.x, p.y, p.z};
    }
    Nearest<double> fast, general;
    nearest_of_points(g, n, fast);
    nearest_of_simplex<false>(g, points_only, n, general);
    ASSERT_EQ(fast.count, general.count) << i;
    ++sizes[fast.count];
    ASSERT_TRUE(fast.total == general.total && fast.squared_n == general.squared_n && fast.squared_d == general.squared_d) << i;
    for (int k = 0; k < fast.count; ++k) ASSERT_TRUE(fast.index[k] == general.index[k] && fast.weight[k] == general.weight[k]) << i;
  }
  for (int k = 1; k < 5; ++k) EXPECT_GT(sizes[k], 100);
}

}  // namespace
}  // namespace graze::nearest_test
