// Where two surfaces come apart along a line.
#include "mesh/arrangement/blocked_lengths.hpp"

#include <gtest/gtest.h>
#include <cmath>

#include "support/solid_boxes.hpp"

namespace graze::test {
namespace {

using Lengths = std::vector<double>;

Lengths gaps(const Vec3& u, const Solid& a, const Solid& b, double most = 100) { return gaps_along(u, placed_triangles(a), placed_triangles(b), most); }

TEST(BlockedLengths, ABlockLeavesABlock) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2}), b = solid_box({1, -1, -1}, {5, 3, 3});
  EXPECT_EQ(gaps({-1, 0, 0}, a, b), (Lengths{1}));
  EXPECT_EQ(gaps({1, 0, 0}, a, b), (Lengths{1, 5})) << "inside after 1, beyond after 5";
  EXPECT_EQ(gaps({1, 0, 0}, a, b, 4), (Lengths{1}));
  EXPECT_TRUE(gaps({0, 1, 0}, a, b, 1).empty());
}

TEST(BlockedLengths, FacesThatSlideDoNotBlock) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2}), b = solid_box({0, 0, 1}, {2, 2, 5});
  EXPECT_EQ(gaps({0, 0, -1}, a, b).back(), 1);
  EXPECT_EQ(gaps({0, 0, -1}, a, a), (Lengths{2})) << "the sides of equal blocks slide along each other until they are apart";
}

TEST(BlockedLengths, AnyDirection) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2}), b = solid_box({1, 1, 1}, {5, 5, 5});
  const Lengths g = gaps(Vec3(-1, -1, -1) * (1 / std::sqrt(3.0)), a, b);
  ASSERT_EQ(g.size(), 1u);
  EXPECT_NEAR(g[0], std::sqrt(3.0), 1e-12);
}

}  // namespace
}  // namespace graze::test
