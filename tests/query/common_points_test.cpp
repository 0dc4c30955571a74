// The intersection of two triangles: it has the same kind in either order of the operands and lies in both triangles.
#include <gtest/gtest.h>
#include <graze/query.hpp>
#include <graze/query/common_points.hpp>

#include "support/random.hpp"

namespace graze::common_points_test {
namespace {

TEST(CommonPoints, LieInBothTriangles) {
  test::Random random(11);
  std::size_t counts[7] = {};
  for (int round = 0; round < 20000; ++round) {
    const int flat = round % 4 == 0 ? 0 : 2;
    Triangle a, b;
    for (Triangle* t : {&a, &b})
      for (Vec3& p : t->points) p = Vec3(random.integer(-4, 4), random.integer(-4, 4), random.integer(-flat, flat));
    if (!intersects(a, b)) continue;
    const CommonPoints c = common_points(a, b), d = common_points(b, a);
    ASSERT_EQ(c.count, d.count);
    EXPECT_NEAR(c.area(), d.area(), 1e-12);
    EXPECT_NEAR(c.length(), d.length(), 1e-12);
    ++counts[c.count];
    for (int i = 0; i < c.count; ++i) {
      EXPECT_LT(closest(Point{c.points[static_cast<std::size_t>(i)]}, a).distance, 1e-14);
      EXPECT_LT(closest(Point{c.points[static_cast<std::size_t>(i)]}, b).distance, 1e-14);
    }
    const bool thin = (c.count == 2 && c.length() < 1e-3) || (c.count > 2 && c.area() < 1e-4);
    EXPECT_FALSE(thin) << "one point, rounded twice, is two";
  }
  for (int i = 1; i <= 6; ++i) EXPECT_GT(counts[i], 5u) << i;
}

}  // namespace
}  // namespace graze::common_points_test
