// The names of common points, against the queries of points, segments and triangles; and against exact triangles.
#include "mesh/arrangement/crossing.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <graze/query.hpp>
#include <vector>

#include "support/random.hpp"

namespace graze::crossing_test {
namespace {

Triangle random_triangle(test::Random& random, int flat) {
  Triangle t;
  for (Vec3& p : t.points) p = Vec3(random.integer(-3, 3), random.integer(-3, 3), random.integer(-flat, flat));
  return t;
}

/// Whether the feature named contains the point, and none smaller does.
bool lies_in(const ExactPoint& v, const Feature& f, const Triangle& t) {
  const auto in = [&](const Vec3& a, const Vec3& b, const Vec3& c) { return triangle_contains(Triangle{{a, b, c}}, v); };
  const auto& p = t.points;
  bool corner = false, edge = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool at_corner = in(p[k], p[k], p[k]), on_edge = in(p[k], p[(k + 1) % 3], p[k]);
    if (f.kind == Feature::corner && f.index == k) return at_corner;
    if (f.kind == Feature::edge && f.index == k) return on_edge && !at_corner && !in(p[(k + 1) % 3], p[(k + 1) % 3], p[(k + 1) % 3]);
    corner |= at_corner;
    edge |= on_edge;
  }
  return f.kind == Feature::inside && in(p[0], p[1], p[2]) && !corner && !edge;
}

TEST(Crossing, NamesArePlaces) {
  test::Random random(5);
  for (int round = 0; round < 20000; ++round) {
    const int flat = round % 3 == 0 ? 0 : 2;
    const Triangle a = random_triangle(random, flat), b = random_triangle(random, flat);
    const Crossing c = crossing(a, b), d = crossing(b, a), e = crossing(exact(a), exact(b));
    ASSERT_EQ(c.count > 0, intersects(a, b));
    ASSERT_EQ(c.straddle, d.straddle);
    ASSERT_EQ(c.count, d.count);
    ASSERT_EQ(c.count, e.count);
    for (std::size_t i = 0; i < c.count; ++i) {
      const NamedPoint& p = c.point[i];
      EXPECT_EQ(p, e.point[i]);
      EXPECT_FALSE(p.a.kind == Feature::inside && p.b.kind == Feature::inside);
      EXPECT_EQ(std::ranges::count(d.points(), NamedPoint{p.b, p.a}), 1);
      const ExactPoint v = exact_point(p, a, b);
      EXPECT_TRUE(lies_in(v, p.a, a)) << round;
      EXPECT_TRUE(lies_in(v, p.b, b)) << round;
    }
    if (!crosses(a, b) || !plane_of(a) || !plane_of(b)) continue;
    EXPECT_TRUE(c.straddle);
    EXPECT_EQ(c.count, 2);
  }
}

TEST(Crossing, ThreeTriangles) {
  const Triangle x{{Vec3(1, -9, -9), Vec3(1, 9, -9), Vec3(1, 0, 9)}}, y{{Vec3(-9, 2, -9), Vec3(9, 2, -9), Vec3(0, 2, 9)}},
      z{{Vec3(-9, -9, 3), Vec3(9, -9, 3), Vec3(0, 9, 3)}};
  const auto at = common_point(x, y, z);
  ASSERT_TRUE(at);
  const Box3 box = box_of(*at);
  EXPECT_EQ(box.lo, Vec3(1, 2, 3));
  EXPECT_EQ(box.hi, Vec3(1, 2, 3));
  EXPECT_FALSE(common_point(x, y, x));
}

}  // namespace
}  // namespace graze::crossing_test
