// Hostile input for the least separating translation: one unit in the last place, many coplanar corners, needles, plates, equal shapes, extreme sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "convex/depth/penetration.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::penetration_hostile_test {
namespace {

using Reason = ConvexPenetration::Reason;
double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
template <class S>
ConvexSet convex(const S& s) {
  return convex_set_of(s, nullptr);
}

std::vector<Vec3> grid(const Vec3& lo, double step, int n) {
  std::vector<Vec3> p;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k) p.push_back(lo + Vec3(i, j, k) * step);
  return p;
}

TEST(PenetrationHostile, ManyCoplanarCorners) {
  const Hull a(grid({0, 0, 0}, 0.25, 4)), b(grid({0.75, 0.25, 0.125}, 0.25, 4)), beside(grid({1, 0.3, 0.1}, 0.25, 4)),
      inside(grid({std::nextafter(1.0, 0), 0.3, 0.1}, 0.25, 4));
  const ConvexPenetration p = penetration(convex(a), convex(b)), q = penetration(convex(b), convex(a));
  ASSERT_TRUE(p.found);
  EXPECT_NEAR(p.depth, 0.25, 1e-15);
  EXPECT_NEAR(p.normal.x, -1, 1e-15);
  EXPECT_EQ(p.vector, Vec3(0, 0, 0) - q.vector);
  EXPECT_EQ(penetration(convex(a), convex(beside)).reason, Reason::touching);
  const ConvexPenetration ulp = penetration(convex(a), convex(inside));
  ASSERT_TRUE(ulp.found);
  EXPECT_NEAR(ulp.depth, 0x1p-53, 0x1p-80);
  EXPECT_TRUE(penetration(convex(a), convex(a)).found);
  EXPECT_NEAR(penetration(convex(a), convex(a)).depth, 1, 1e-14);
}

TEST(PenetrationHostile, OneUnitInTheLastPlace) {
  test::Random r(3);
  int found = 0, apart = 0;
  for (int i = 0; i < 300; ++i) {
    // A box on a rotated box's face: rounding decides, exactly, on which side.
    const Pose pose = r.pose(1);
    const ConvexSet a = convex_set_of(Box{{-1, -1, -1}, {1, 1, 1}}, &pose);
    const ConvexSet on = convex_set_of(OrientedBox{{1.5, 0.25, 0.125}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {0.5, 0.5, 0.5}}, &pose);
    const ConvexPenetration p = penetration(a, on);
    const bool meet = within(a, on);
    EXPECT_EQ(p.reason == Reason::apart, !meet);
    apart += !meet;
    if (!p.found) continue;
    ++found;
    EXPECT_GT(p.depth, 0);
    EXPECT_LT(p.depth, 1e-14);
    EXPECT_LE(length(p.vector), p.depth * (1 + 1e-9));
    EXPECT_EQ(compare_distance(moved(a, p.vector), on), within(moved(a, p.vector), on) ? 0 : 1);
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(apart, 20);
}

TEST(PenetrationHostile, NeedlesPlatesAndSizes) {
  for (const double s : {0x1p-340, 0x1p-30, 1.0, 0x1p40, 0x1p330}) {
    const ConvexPenetration p =
        penetration(convex(Box{Vec3(-1, -1e-6, -1e-6) * s, Vec3(1, 1e-6, 1e-6) * s}), convex(Box{Vec3(-1e-6, -1, -1e-6) * s, Vec3(1e-6, 1, 1e-6) * s}));
    ASSERT_TRUE(p.found);
    EXPECT_NEAR(p.depth / s, 2e-6, 1e-18);
    EXPECT_EQ(std::fabs(p.normal.z), 1);
    const Curved plate = curved_of(Ellipsoid{{0, 0, 0}, Vec3(1, 1e-6, 1) * s}, nullptr),
                 needle = curved_of(Ellipsoid{{0, 0, 0}, Vec3(1e-6, 1, 1e-6) * s}, nullptr);
    const ConvexPenetration q = penetration(plate, needle);
    ASSERT_TRUE(q.found);
    EXPECT_NEAR(q.depth / s, 1, 1e-5);
    EXPECT_FALSE(within(moved(plate, q.vector * (1 + 1e-6)), needle));
    const ConvexPenetration c = penetration(curved_of(Cylinder{{0, 0, 0}, Vec3(0, 0, 1) * s, s}, nullptr), convex(Sphere{Vec3(0, 0, 1.5) * s, 0.75 * s}));
    ASSERT_TRUE(c.found);
    EXPECT_NEAR(c.depth / s, 0.25, 1e-12);
  }
  // A large and a small ball.
  const ConvexPenetration p = penetration(convex(Sphere{{0, 0, 0}, 1e20}), convex(Sphere{{1, 0, 0}, 1e20}));
  ASSERT_TRUE(p.found);
  EXPECT_NEAR(p.depth / 2e20, 1, 1e-15);
  EXPECT_EQ(penetration(convex(Sphere{{1e300, 0, 0}, 1e300}), convex(Point{{0, 0, 0}})).reason, Reason::touching);
  EXPECT_TRUE(penetration(convex(Sphere{{1e300, 0, 0}, 1e300}), convex(Point{{1e284, 0, 0}})).found);
  EXPECT_TRUE(penetration(convex(Box{Vec3(-1e308), Vec3(1e308)}), convex(Box{Vec3(-1), Vec3(1)})).found);
}

TEST(PenetrationHostile, SizesSpreadWithinOnePair) {
  const ConvexPenetration capsule = penetration(convex(Sphere{{0, 3.5, 0}, 1}), convex(Capsule{{0, 0, 0}, {0.5, 0.25, 1e25}, 3}));
  ASSERT_TRUE(capsule.found);
  EXPECT_NEAR(capsule.depth, 0.5, 1e-12);
  EXPECT_NEAR(length(capsule.vector), 0.5, 5e-10);
  const ConvexPenetration box = penetration(convex(Box{{-1e26, -1, -1}, {1e26, 1, 1}}), convex(Box{{0, 0.75, 0}, {1, 2, 1}}));
  ASSERT_TRUE(box.found);
  EXPECT_DOUBLE_EQ(box.depth, 0.25);
  EXPECT_NEAR(length(box.vector), 0.25, 2.5e-10);
  for (const auto& [distance, radius] : {std::pair(1e-308, 1.0), std::pair(1e-300, 1e10), std::pair(0x1p-1074, 1e300)}) {
    const ConvexPenetration p = penetration(convex(Sphere{{distance, 0, 0}, radius}), convex(Sphere{{0, 0, 0}, radius}));
    ASSERT_TRUE(p.found);
    EXPECT_DOUBLE_EQ(p.depth, 2 * radius);
    EXPECT_NEAR(length(p.normal), 1, 1e-15);
    EXPECT_NEAR(length(p.vector / radius), 2, 2e-9);
  }
  // The depth exceeds the largest double: no translation of doubles separates them.
  EXPECT_EQ(penetration(convex(Box{Vec3(-1.7e308), Vec3(1.7e308)}), convex(Box{Vec3(-1.7e308), Vec3(1.7e308)})).reason, Reason::unbounded);
}

TEST(PenetrationHostile, DegenerateShapes) {
  const ConvexSet point = convex(Point{{1, 2, 3}}), segment = convex(Segment{{0, 0, 0}, {2, 4, 6}}), flat_box = convex(Box{{0, 0, 3}, {2, 4, 3}});
  EXPECT_EQ(penetration(point, point).reason, Reason::touching);
  EXPECT_EQ(penetration(point, segment).reason, Reason::touching);
  EXPECT_EQ(penetration(segment, segment).reason, Reason::touching);
  EXPECT_EQ(penetration(flat_box, segment).found, true);
  EXPECT_EQ(penetration(flat_box, flat_box).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Triangle{{Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1)}}), convex(Sphere{{1, 1, 1}, 0})).reason, Reason::touching);
  const ConvexPenetration capsules = penetration(convex(Capsule{{0, 0, 0}, {4, 0, 0}, 1}), convex(Capsule{{1, 0, 0}, {9, 0, 0}, 0.5}));
  ASSERT_TRUE(capsules.found);
  EXPECT_DOUBLE_EQ(capsules.depth, 1.5);
  const Curved disc = curved_of(Ellipsoid{{0, 0, 0}, {1, 2, 0}}, nullptr);
  EXPECT_EQ(penetration(disc, convex(Point{{0.5, 0, 0}})).reason, Reason::touching);
  EXPECT_EQ(penetration(disc, disc).reason, Reason::touching);
  const ConvexPenetration through = penetration(disc, convex(Segment{{0.1, 0, -0.25}, {0.1, 0, 1}}));
  ASSERT_TRUE(through.found);
  EXPECT_NEAR(through.depth, 0.25, 1e-12);
}

}  // namespace
}  // namespace graze::penetration_hostile_test
