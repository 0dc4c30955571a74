// tier_counts: each tier is counted under its own name.
#include <gtest/gtest.h>
#include <graze/explain.hpp>
#include <graze/query.hpp>

#include "convex/decide/closest.hpp"
#include "exact/predicates.hpp"
#include "parts/convex_of_shape.hpp"

namespace graze::explain_test {
namespace {

TEST(TierCounts, PairsOfDoublesAreNotIntegersOfFixedWidth) {
  reset_tier_counts();
  const ConvexSet triangle = convex_set_of(Triangle{{Vec3(0, 0, 0), Vec3(1, 0, 0.25), Vec3(0, 1, 0.125)}}, nullptr);
  (void)closest(triangle, convex_set_of(Triangle{{Vec3(0, 0, 0.5), Vec3(1, 0, 0.75), Vec3(0, 1, 0.625)}}, nullptr));  // parallel
  EXPECT_EQ(tier_counts().filter, 0u);
  EXPECT_EQ(tier_counts().pairs, 1u);
  EXPECT_EQ(tier_counts().fixed, 0u);
  EXPECT_EQ(tier_counts().big, 0u);

  reset_tier_counts();
  (void)orient3d({100003, 0, 0}, {0, 100003, 0}, {0, 0, 100003}, {50001, 50001, 1});
  EXPECT_EQ(tier_counts().filter, 0u);
  EXPECT_EQ(tier_counts().pairs, 0u);
  EXPECT_EQ(tier_counts().fixed, 1u);
  EXPECT_EQ(tier_counts().big, 0u);
}

TEST(TierCounts, TouchingCurvedShapesEndInPairsOfDoubles) {
  reset_tier_counts();
  EXPECT_TRUE(intersects(Cylinder{{0, 0, 0}, {0, 0, 1}, 1}, Cylinder{{2, 0, 0}, {2, 0, 1}, 1}));
  EXPECT_EQ(tier_counts().pairs, 1u);
  EXPECT_EQ(tier_counts().fixed, 0u);
  EXPECT_EQ(tier_counts().big, 0u);
}

}  // namespace
}  // namespace graze::explain_test
