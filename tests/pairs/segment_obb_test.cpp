// Segment against oriented box: the filter against the generic decision.
#include "pairs/segment_obb.hpp"

#include "pairs/near_contact.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using test::Answers;

TEST(SegmentObb, AgreesWithGeneric) { test::check_pair<Segment, OrientedBox>(0, 1000); }

// Within a few roundings of contact: an end on a face, an edge or a corner, or the inside of the segment on an edge or a corner.
TEST(SegmentObb, NearContact) {
  test::Random random(51);
  test::Shapemaker maker(52, test::Input::plain);
  Answers near, clear;
  for (int k = 0; k < 30000 && !testing::Test::HasFailure(); ++k) {
    OrientedBox box;
    maker.make(box);
    const test::Above at = test::above_surface(random, box, k % 3, random.integer(-2000, 2000) * (k % 2 ? 0x1p-53 : 0x1p-58));
    Vec3 along = random.point(-1, 1);
    const double rise = along.x * at.normal.x + along.y * at.normal.y + along.z * at.normal.z;
    Segment s{at.point, at.point + along * (rise > 0 ? 1.0 : -1.0)};
    if (k % 5 < 3 && k % 3 != 0) {
      along = (along - at.normal * rise) * (k % 7 < 4 ? 1.0 : 30.0);  // some are much longer than the box
      s = {at.point - along * random.real(0.1, 1), at.point + along * random.real(0.1, 1)};
    }
    test::compare(s, box, near);
    const Vec3 off = at.normal * (k % 4 < 2 ? 0x1p-10 : -0x1p-10);
    test::compare(Segment{s.a + off, s.b + off}, box, clear);
  }
  EXPECT_GT(near.yes, 20);
  EXPECT_GT(near.no, 20);
  EXPECT_GT(near.unknown, 1000);
  EXPECT_EQ(clear.unknown, 0);
}

TEST(SegmentObb, ContactAndFlatBoxesAreLeftToTheGenericDecision) {
  OrientedBox box{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {1, 2, 3}};
  EXPECT_EQ(intersects_pair(Segment{{1, 0, 0}, {2, 1, 1}}, box), Certain::unknown);
  EXPECT_EQ(intersects_pair(Segment{{1.01, 0, 0}, {2, 1, 1}}, box), Certain::no);
  EXPECT_EQ(intersects_pair(Segment{{0.99, 0, 0}, {2, 1, 1}}, box), Certain::yes);
  EXPECT_EQ(intersects_pair(Segment{{0.1, 0.2, 0.3}, {0.5, 0.6, 0.1}}, box), Certain::yes);  // inside
  box.half.z = 0;
  EXPECT_EQ(intersects_pair(Segment{{0.1, 0.2, -1}, {0.5, 0.6, 1}}, box), Certain::unknown);
}

}  // namespace
}  // namespace graze
