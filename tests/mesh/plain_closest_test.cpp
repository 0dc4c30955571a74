// The fast closest point on a triangle against the general method, in all regions.
#include "mesh/queries/plain_closest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test::plain_closest_test {
namespace {

TEST(PlainClosest, EqualsTheGenericDecision) {
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
    ConvexSet point;
    point.add_point(p);
    const ConvexClosest exact = closest(convex_triangle(t), point);
    EXPECT_LE(std::fabs(plain->distance - exact.distance), 4e-16 * exact.distance);
    for (int k = 0; k < 3; ++k) EXPECT_LE(std::fabs(plain->on_triangle[k] - exact.on_a[k]), 1e-13 * scale);
  }
  EXPECT_GT(told, n * 8 / 10);
}

TEST(PlainClosest, StaysUndecidedNearContact) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
  EXPECT_FALSE(plain_closest(Vec3(0.25, 0.25, 0), t));
  EXPECT_FALSE(plain_closest(Vec3(0, 0, 0), t));
  EXPECT_FALSE(plain_closest(Vec3(0.5, 0, 1), t));                                              // above an edge
  EXPECT_FALSE(plain_closest(Vec3(0, 0, 1), {{Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1)}}));  // a point
  ASSERT_TRUE(plain_closest(Vec3(0.25, 0.25, 2), t));
  EXPECT_EQ(plain_closest(Vec3(0.25, 0.25, 2), t)->distance, 2);
}

// The corner or edge that a search remembers changes no bit of the result.
TEST(PlainClosest, RememberedFeaturesChangeNoBits) {
  Random r(302);
  int corners = 0;
  for (int round = 0; round < 300; ++round) {
    const Vec3 hub = r.point(-1, 1), p = hub + Vec3(0, 0, 1) + r.point(-0.3, 0.3);
    std::vector<Vec3> rim;
    for (int i = 0; i < 7; ++i) rim.push_back(hub + Vec3(std::cos(0.9 * i), std::sin(0.9 * i), r.real(-0.6, -0.1)) * 0.1);
    PlainPoint point(p);
    for (std::size_t i = 0; i < 14; ++i) {
      const Triangle t{{hub, rim[i % 7], rim[(i + 1 + i / 7) % 7]}};
      const auto once = plain_closest(p, t), again = point(t);
      ASSERT_EQ(once.has_value(), again.has_value());
      if (!once) continue;
      EXPECT_EQ(once->distance, again->distance);
      EXPECT_EQ(once->on_triangle, again->on_triangle);
      corners += once->on_triangle == hub;
    }
  }
  EXPECT_GT(corners, 1000);
}

}  // namespace
}  // namespace graze::test::plain_closest_test
