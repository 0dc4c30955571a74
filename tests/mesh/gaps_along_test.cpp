// Where two surfaces come apart along a line.
#include "mesh/arrangement/gaps_along.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mesh/queries/mesh_view.hpp"
#include "support/solid_boxes.hpp"

namespace graze::test::gaps_along_test {
namespace {

using Lengths = std::vector<double>;

std::vector<Triangle> triangles_of(const Solid& solid) {
  std::vector<Triangle> list;
  for (std::uint32_t i = 0; i < solid.mesh().triangles().size(); ++i) list.push_back(MeshView(solid).triangle(i));
  return list;
}

Lengths gaps(const Vec3& u, const Solid& a, const Solid& b, double most = 100, std::uint64_t budget = 1 << 20) {
  return gaps_along(u, triangles_of(a), triangles_of(b), {Vec3(1, 0, 0), most, 1e-12}, budget);
}

TEST(GapsAlong, ABlockLeavesABlock) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2}), b = solid_box({1, -1, -1}, {5, 3, 3});
  EXPECT_EQ(gaps({-1, 0, 0}, a, b), (Lengths{1}));
  EXPECT_EQ(gaps({1, 0, 0}, a, b), (Lengths{1, 5})) << "inside after 1, beyond after 5";
  EXPECT_EQ(gaps({1, 0, 0}, a, b, 4), (Lengths{1}));
  EXPECT_TRUE(gaps({0, 1, 0}, a, b, 1).empty());
}

TEST(GapsAlong, FacesThatSlideDoNotBlock) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2}), b = solid_box({0, 0, 1}, {2, 2, 5});
  EXPECT_EQ(gaps({0, 0, -1}, a, b).back(), 1);
  EXPECT_EQ(gaps({0, 0, -1}, a, a), (Lengths{2})) << "the sides of equal blocks slide along each other until they are apart";
}

TEST(GapsAlong, AnyDirection) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2}), b = solid_box({1, 1, 1}, {5, 5, 5});
  const Lengths g = gaps(Vec3(-1, -1, -1) * (1 / std::sqrt(3.0)), a, b);
  ASSERT_EQ(g.size(), 1u);
  EXPECT_NEAR(g[0], std::sqrt(3.0), 1e-12);
}

TEST(GapsAlong, NoneWithTooFewSteps) {
  const Solid a = solid_box({0, 0, 0}, {2, 2, 2});
  std::uint64_t enough = 1 << 20;
  const std::uint64_t before = enough;
  EXPECT_EQ(gaps_along({0, 0, -1}, triangles_of(a), triangles_of(a), {Vec3(0, 0, 0), 100, 1e-12}, enough), (Lengths{2}));
  EXPECT_LT(enough, before);
  for (std::uint64_t few = 0; few < before - enough; few += 7) {
    std::uint64_t left = few;
    EXPECT_TRUE(gaps_along({0, 0, -1}, triangles_of(a), triangles_of(a), {Vec3(0, 0, 0), 100, 1e-12}, left).empty());
    EXPECT_EQ(left, 0u) << "so that no other direction is tried with what is left";
  }
}

}  // namespace
}  // namespace graze::test::gaps_along_test
