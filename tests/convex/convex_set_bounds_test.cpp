// The bounding box of a convex set: exact where no rounding is needed, outside by an ulp or so elsewhere, infinite where the convex set is unbounded.
#include "convex/sets/convex_set_bounds.hpp"

#include <gtest/gtest.h>

namespace graze::convex_set_bounds_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ConvexSetBounds, ExactForPoints) {
  ConvexSet c;
  c.add_point(Vec3(1, -2, 3)).add_point(Vec3(-1, 5, 0.1)).add_point(Vec3(0, 0, 1e300));
  const Box3 b = bounds(c);
  EXPECT_EQ(b.lo, Vec3(-1, -2, 0.1));
  EXPECT_EQ(b.hi, Vec3(1, 5, 1e300));
}

TEST(ConvexSetBounds, ExactForAxisAlignedBoxes) {
  ConvexSet c;
  c.add_point(Vec3(0));
  for (int i = 0; i < 3; ++i) {
    Vec3 axis(0);
    axis[i] = 1;
    c.add_segment(axis, 0.1 * i - 0.3, 0.7);
  }
  const Box3 b = bounds(c);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(b.lo[i], 0.1 * i - 0.3);
    EXPECT_EQ(b.hi[i], 0.7);
  }
}

TEST(ConvexSetBounds, RoundsOutward) {
  ConvexSet c;
  c.add_point(Vec3(1e16, 0.1, 1e-300)).add_segment(Vec3(0.3, 0.7, -1e-300), -0.1, 0.9);
  c.radius = 0.2;
  const Box3 b = bounds(c);
  for (int i = 0; i < 3; ++i) {
    const long double p = c.own[0][i], v = c.segment[0][i];
    const long double lo = p + std::min(v * c.lo[0], v * c.hi[0]) - 0.2, hi = p + std::max(v * c.lo[0], v * c.hi[0]) + 0.2;
    EXPECT_LE(b.lo[i], lo);
    EXPECT_GE(b.hi[i], hi);
    EXPECT_GE(b.lo[i], static_cast<double>(lo) - 4);
    EXPECT_LE(b.hi[i], static_cast<double>(hi) + 4);
  }
  EXPECT_NEAR(b.lo[1], 0.1 - 0.07 - 0.2, 1e-15);
}

TEST(ConvexSetBounds, InfiniteAlongRecessionDirections) {
  ConvexSet c;
  c.add_point(Vec3(1, 2, 3)).add_direction(Vec3(1, 0, -1e-300));
  const Box3 b = bounds(c);
  EXPECT_EQ(b.lo, Vec3(1, 2, -kInfinity));
  EXPECT_EQ(b.hi, Vec3(kInfinity, 2, 3));
}

TEST(ConvexSetBounds, SaturatesOutward) {
  const double most = std::numeric_limits<double>::max();
  ConvexSet c;
  c.add_point(Vec3(most, -most, 0));
  c.radius = most;
  const Box3 b = bounds(c);
  EXPECT_EQ(b.hi, Vec3(kInfinity, 0, most));
  EXPECT_EQ(b.lo, Vec3(0, -kInfinity, -most));
}

}  // namespace
}  // namespace graze::convex_set_bounds_test
