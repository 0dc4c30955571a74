// Containment of round shapes and boxes in integers, where closed forms are exact; and of points, by the generic decision.
#include "convex/containment/containment.hpp"

#include <gtest/gtest.h>

#include "convex/decide/decide.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::containment_test {
namespace {

using test::Random;

TEST(Containment, RoundShapesAndBoxesInIntegers) {
  Random random(91);
  int inside[4] = {};
  for (int round = 0; round < test::rounds(10000); ++round) {
    Box box;
    for (int i = 0; i < 3; ++i) {
      box.min[i] = random.integer(-4, 0);
      box.max[i] = box.min[i] + random.integer(0, 8);
    }
    const Vec3 p = random.grid(-2, 2), q = random.grid(-2, 2);
    const double r = random.integer(0, 3);
    const ConvexSet of_box = convex_set_of(box, nullptr), ball = convex_set_of(Sphere{p, r}, nullptr), capsule = convex_set_of(Capsule{p, q, r}, nullptr);
    bool ball_in = true, end_in = true;
    double far = 0;
    for (int i = 0; i < 3; ++i) {
      ball_in &= p[i] - r >= box.min[i] && p[i] + r <= box.max[i];
      end_in &= q[i] - r >= box.min[i] && q[i] + r <= box.max[i];
      const double reach = std::max(p[i] - box.min[i], box.max[i] - p[i]);
      far += reach * reach;
    }
    ASSERT_EQ(is_subset(ball, of_box), ball_in) << round;
    ASSERT_EQ(is_subset(capsule, of_box), ball_in && end_in) << round;
    ASSERT_EQ(is_subset(of_box, ball), far <= r * r) << round;
    ASSERT_TRUE(is_subset(ball, capsule)) << round;
    ASSERT_EQ(is_subset(convex_point(q), ball), within(convex_point(q), ball)) << round;
    inside[0] += ball_in;
    inside[1] += ball_in && end_in;
    inside[2] += far <= r * r;
    inside[3] += ball_in && r > 0;
  }
  for (const int n : inside) EXPECT_GT(n, 0);
}

/// A ball in a tetrahedron with oblique faces: the incircle of x + y + z <= 3 s in three coordinate planes has no rational radius, so a number just below it
/// and one just above decide.
TEST(Containment, BallsTouchObliqueFaces) {
  const std::vector<Vec3> corners{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
  ConvexSet tetrahedron;
  tetrahedron.outside = corners.data();
  tetrahedron.points = 4;
  const auto ball = [](double r) { return convex_set_of(Sphere{Vec3(0.75, 0.75, 0.75), r}, nullptr); };  // 0.75 sqrt(1 / 3) from the oblique face
  EXPECT_TRUE(is_subset(ball(0x1.bb67ae8584caap-2), tetrahedron));
  EXPECT_FALSE(is_subset(ball(0x1.bb67ae8584cabp-2), tetrahedron));
  tetrahedron.radius = 0.25;  // rounded by a quarter, it holds a ball larger by a quarter; the sum is no double, so allow for its rounding
  EXPECT_TRUE(is_subset(ball(0x1.5db3d742c2655p-1 - 0x1p-50), tetrahedron));
  EXPECT_FALSE(is_subset(ball(0x1.5db3d742c2655p-1 + 0x1p-50), tetrahedron));
}

TEST(Containment, InnerPoints) {
  const auto box = [](double lo, double hi) { return convex_set_of(Box{Vec3(lo, 0, 0), Vec3(hi, 1, 1)}, nullptr); };
  const ConvexSet wall = convex_set_of(Triangle{{Vec3(1, -9, -9), Vec3(1, 9, -9), Vec3(1, 0, 9)}}, nullptr);
  EXPECT_TRUE(share_inner_points(box(0, 2), wall));
  EXPECT_FALSE(share_inner_points(box(0, 1), wall));
  EXPECT_FALSE(share_inner_points(box(0, 1), box(1, 2)));
  EXPECT_TRUE(share_inner_points(box(0, 1), box(0.5, 2)));
  EXPECT_FALSE(share_inner_points(wall, convex_set_of(Segment{Vec3(0, 0, 0), Vec3(2, 0, 0)}, nullptr)));  // neither has any
  EXPECT_FALSE(has_volume(box(1, 1)));
  EXPECT_TRUE(has_volume(convex_set_of(HalfSpace{Vec3(0, 0, 0), Vec3(0, 0, 1)}, nullptr)));
  EXPECT_FALSE(has_volume(convex_set_of(Plane{Vec3(0, 0, 0), Vec3(0, 0, 1)}, nullptr)));
}

}  // namespace
}  // namespace graze::containment_test
