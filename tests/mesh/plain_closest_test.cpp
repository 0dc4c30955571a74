// The quick closest point against the general way, in all regions.
#include "mesh/plain_closest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "convex/decide.hpp"
#include "mesh/meshes.hpp"

namespace graze::test {
namespace {

TEST(PlainClosest, EqualsTheGeneralWay) {
  Random r(301);
  int told = 0;
  constexpr int n = 20000;
  for (int round = 0; round < n; ++round) {
    const double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e-20 : 1e20, size = round % 5 == 0 ? 1e-4 : 0.3;
    const Vec3 at = r.point(-1, 1);
    const Triangle t{{(at + r.point(-size, size)) * scale, (at + r.point(-size, size)) * scale, (at + r.point(-size, size)) * scale}};
    const Vec3 p = (at + r.point(-1, 1) * (round % 2 ? 1 : size)) * scale;
    const auto plain = plain_closest(p, t);
    if (!plain) continue;
    ++told;
    Core point;
    point.add_point(p);
    const CoreClosest exact = closest(triangle_core(t), point);
    EXPECT_LE(std::fabs(plain->distance - exact.distance), 4e-16 * exact.distance);
    for (int k = 0; k < 3; ++k) EXPECT_LE(std::fabs(plain->on_triangle[k] - exact.on_a[k]), 1e-13 * scale);
  }
  EXPECT_GT(told, n * 8 / 10);
}

TEST(PlainClosest, SaysNothingWhereItIsClose) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
  EXPECT_FALSE(plain_closest(Vec3(0.25, 0.25, 0), t));
  EXPECT_FALSE(plain_closest(Vec3(0, 0, 0), t));
  EXPECT_FALSE(plain_closest(Vec3(0.5, 0, 1), t));                                        // above an edge
  EXPECT_FALSE(plain_closest(Vec3(0, 0, 1), {{Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1)}}));  // a point
  ASSERT_TRUE(plain_closest(Vec3(0.25, 0.25, 2), t));
  EXPECT_EQ(plain_closest(Vec3(0.25, 0.25, 2), t)->distance, 2);
}

}  // namespace
}  // namespace graze::test
