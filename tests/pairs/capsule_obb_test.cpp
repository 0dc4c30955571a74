// Capsule against oriented box: the filter against the generic decision.
#include "pairs/capsule_obb.hpp"

#include "pairs/near_contact.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using test::Answers;

TEST(CapsuleObb, AgreesWithGeneric) { test::check_pair<OrientedBox, Capsule>(0, 900); }

// Within a few roundings of contact: an end over a face, an edge or a corner, or the side over an edge or a corner; thin capsules beside large boxes, where the
// roundings of the box's corners are most of the error.
TEST(CapsuleObb, NearContact) {
  test::Random random(21);
  test::Shapemaker maker(22, test::Input::plain);
  Answers near, clear;
  for (int k = 0; k < 30000 && !testing::Test::HasFailure(); ++k) {
    OrientedBox box;
    maker.make(box);
    const double radius = random.real(0.5, 1) * (k % 2 ? 0x1p-10 : 0x1p-4);
    const test::Above at = test::above_surface(random, box, k % 3, radius);
    Vec3 along = random.point(-1, 1);
    const double rise = along.x * at.normal.x + along.y * at.normal.y + along.z * at.normal.z;
    Capsule capsule{at.point, at.point, radius};
    if (k % 5 < 3 && k % 3 != 0) {  // the side of a capsule that may be much longer than the box
      along = (along - at.normal * rise) * (k % 4 < 2 ? 1.0 : 30.0);
      capsule.a = at.point - along * random.real(0, 1), capsule.b = at.point + along * random.real(0, 1);
    } else {
      capsule.b = at.point + along * (rise > 0 ? 1.0 : -1.0);
      if (k % 7 == 0) std::swap(capsule.a, capsule.b);
    }
    capsule.radius += random.integer(-100, 100) * (k % 8 < 4 ? 0x1p-53 : 0x1p-50);
    test::compare(box, capsule, near);
    capsule.radius *= k % 4 < 2 ? 1 + 0x1p-10 : 1 - 0x1p-10;
    test::compare(box, capsule, clear);
  }
  EXPECT_GT(near.yes, 100);
  EXPECT_GT(near.no, 100);
  EXPECT_GT(near.unknown, 1000);
  EXPECT_EQ(clear.unknown, 0);
}

TEST(CapsuleObb, ContactIsLeftToTheGenericDecision) {
  const OrientedBox box{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {1, 2, 3}};
  EXPECT_EQ(intersects_pair(box, Capsule{{2, 0, 0}, {3, 1, 1}, 1}), Certain::unknown);
  EXPECT_EQ(intersects_pair(box, Capsule{{3, 1, 1}, {2, 0, 0}, 1.01}), Certain::yes);
  EXPECT_EQ(intersects_pair(box, Capsule{{3, 1, 1}, {2, 0, 0}, 0.99}), Certain::no);
  EXPECT_EQ(intersects_pair(box, Capsule{{-5, 0, 0}, {5, 0, 0}, 0.25}), Certain::yes);
  EXPECT_EQ(intersects_pair(box, Capsule{{-5, 0, 0}, {5, 0, 0}, 0}), Certain::unknown);
  EXPECT_EQ(intersects_pair(box, Capsule{{2, 0, 0}, {2, 0, 0}, 0.99}), Certain::no);  // a ball
}

TEST(CapsuleObb, FlatAndSlantedBoxes) {
  const OrientedBox flat{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 0)}, {1, 1, 5}};
  EXPECT_EQ(intersects_pair(flat, Capsule{{-2, 0, 1}, {3, 1, 1}, 1.01}), Certain::yes);
  EXPECT_EQ(intersects_pair(flat, Capsule{{-2, 0, 1}, {3, 1, 1}, 0.99}), Certain::no);
  test::Random random(23);
  Answers slanted;
  for (int k = 0; k < 3000; ++k) {
    const OrientedBox box{random.point(-1, 1), {random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}, {0.5, 0.7, 0.9}};
    test::compare(box, Capsule{random.point(-2, 2), random.point(-2, 2), random.real(0, 0.5)}, slanted);
  }
  EXPECT_GT(slanted.yes, 100);
  EXPECT_GT(slanted.no, 300);
  EXPECT_GT(slanted.unknown, 30);
}

}  // namespace
}  // namespace graze
