// Sums of coordinates and vectors that are no doubles: a solid that a vector moves exactly to contact, just short of it and just beyond.
#include "mesh/queries/moved_surfaces.hpp"

#include <gtest/gtest.h>

#include "mesh/cubes.hpp"
#include "support/random.hpp"

namespace graze::moved_surfaces_test {
namespace {

using namespace cubes;

TEST(MovedSurfaces, SumsAreExact) {
  test::Random random(1);
  const Mesh a = block_mesh({{0, 0, 0}, {2, 2, 2}}, true, 1, random), b = block_mesh({{3, 0, 0}, {4, 2, 2}}, false, 1, random);
  const SurfaceOrSolid solid_a{MeshView(a), true}, solid_b{MeshView(b), true};
  // 2 + 1, and a little less or more: the sums round to 3
  EXPECT_TRUE(meets_moved(solid_a, Vec3(1, 0, 0), solid_b));
  EXPECT_FALSE(meets_moved(solid_a, Vec3(1 - 0x1p-53, 0, 0), solid_b));
  EXPECT_TRUE(meets_moved(solid_b, Vec3(-1, 0, 0), solid_a));
  EXPECT_FALSE(meets_moved(solid_b, Vec3(-(1 - 0x1p-53), 0, 0), solid_a));
  EXPECT_TRUE(meets_moved(solid_a, Vec3(1, 0x1p-80, -0x1p-70), solid_b));
  EXPECT_TRUE(meets_moved(solid_a, Vec3(1, 2, 2), solid_b));  // corner on corner
  EXPECT_FALSE(meets_moved(solid_a, Vec3(1, 2, 2.0000000000000004), solid_b));
  EXPECT_FALSE(meets_moved(solid_a, Vec3(1, 2, -2.0000000000000004), solid_b));
}

TEST(MovedSurfaces, OneInsideTheOther) {
  test::Random random(2);
  const Mesh large = block_mesh({{0, 0, 0}, {4, 4, 4}}, false, 1, random), small = block_mesh({{0, 0, 0}, {1, 1, 1}}, false, 1, random);
  const MeshView l(large), s(small);
  EXPECT_TRUE(meets_moved({s, true}, Vec3(1, 1, 1), {l, true}));
  EXPECT_TRUE(meets_moved({s, false}, Vec3(1, 1, 1), {l, true}));
  EXPECT_FALSE(meets_moved({s, true}, Vec3(1, 1, 1), {l, false}));
  EXPECT_TRUE(meets_moved({l, true}, Vec3(-1, -1, -1), {s, false}));
  EXPECT_FALSE(meets_moved({l, true}, Vec3(9, 0, 0), {s, true}));
}

TEST(MovedSurfaces, ListsThePairsThatTouch) {
  test::Random random(3);
  const Mesh a = block_mesh({{0, 0, 0}, {1, 1, 1}}, false, 1, random), b = block_mesh({{1, 0, 0}, {2, 1, 1}}, false, 1, random);
  const Pose turned{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, Vec3(1, 0, 0)};  // maps the cube onto itself
  for (const Pose* pose : {static_cast<const Pose*>(nullptr), &turned}) {
    int pairs = 0;
    EXPECT_FALSE(for_moved_pairs(MeshView(a, pose), Vec3(0, 0, 0), MeshView(b), [&](const ConvexSet&, const ConvexSet&) {
      ++pairs;
      return false;
    }));
    EXPECT_GT(pairs, 4);
    EXPECT_FALSE(for_moved_pairs(MeshView(a, pose), Vec3(-0.5, 0, 0), MeshView(b), [](const ConvexSet&, const ConvexSet&) { return true; }));
    EXPECT_TRUE(for_moved_pairs(MeshView(a, pose), Vec3(0, 0, 0), MeshView(b), [](const ConvexSet&, const ConvexSet&) { return true; }));
  }
}

}  // namespace
}  // namespace graze::moved_surfaces_test
