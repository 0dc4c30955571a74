// Sphere against oriented box: the filter against the generic decision.
#include "pairs/sphere_obb.hpp"

#include "pairs/near_contact.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using test::Answers;

TEST(SphereObb, AgreesWithGeneric) { test::check_pair<Sphere, OrientedBox>(0, 900); }

// Within a few roundings of contact with a face, an edge or a corner; small balls beside large boxes, where the roundings of the box's corners are most of the
// error. Pairs farther from contact than the bound are decided.
TEST(SphereObb, NearContact) {
  test::Random random(11);
  test::Shapemaker maker(12, test::Input::plain);
  Answers near, clear;
  for (int k = 0; k < 30000 && !testing::Test::HasFailure(); ++k) {
    OrientedBox box;
    maker.make(box);
    const double radius = random.real(0.5, 1) * (k % 2 ? 0x1p-10 : 0x1p-4);
    Sphere ball{test::above_surface(random, box, k % 3, radius).point, radius};
    ball.radius += random.integer(-100, 100) * 0x1p-53;
    test::compare(ball, box, near);
    ball.radius *= k % 4 < 2 ? 1 + 0x1p-20 : 1 - 0x1p-20;
    test::compare(ball, box, clear);
  }
  EXPECT_GT(near.yes, 100);
  EXPECT_GT(near.no, 100);
  EXPECT_GT(near.unknown, 1000);
  EXPECT_EQ(clear.unknown, 0);
}

TEST(SphereObb, ContactIsLeftToTheGenericDecision) {
  const OrientedBox box{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {1, 2, 3}};
  EXPECT_EQ(intersects_pair(Sphere{{2, 0, 0}, 1}, box), Certain::unknown);
  EXPECT_EQ(intersects_pair(Sphere{{1.5, 1, 1}, 0.51}, box), Certain::yes);
  EXPECT_EQ(intersects_pair(Sphere{{1.5, 1, 1}, 0.49}, box), Certain::no);
  EXPECT_EQ(intersects_pair(Sphere{{0, 0, 0}, 0.25}, box), Certain::yes);
  EXPECT_EQ(intersects_pair(Sphere{{0, 0, 0}, 0}, box), Certain::unknown);
}

TEST(SphereObb, FlatAndSlantedBoxes) {
  const OrientedBox flat{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 0)}, {1, 1, 5}};
  EXPECT_EQ(intersects_pair(Sphere{{0, 0, 1}, 1.01}, flat), Certain::yes);
  EXPECT_EQ(intersects_pair(Sphere{{0, 0, 1}, 0.99}, flat), Certain::no);
  // Coordinates along slanted axes do not give the nearest point, and the proofs detect that.
  test::Random random(13);
  Answers slanted;
  for (int k = 0; k < 3000; ++k) {
    const OrientedBox box{random.point(-1, 1), {random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}, {0.5, 0.7, 0.9}};
    test::compare(Sphere{random.point(-2, 2), random.real(0, 1)}, box, slanted);
  }
  EXPECT_GT(slanted.yes, 100);
  EXPECT_GT(slanted.no, 300);
  EXPECT_GT(slanted.unknown, 30);
}

}  // namespace
}  // namespace graze
