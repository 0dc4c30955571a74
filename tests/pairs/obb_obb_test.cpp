// Oriented box against oriented box, axis-aligned box and point; only flat boxes are left to the generic decision.
#include "pairs/obb_obb.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(ObbObb, AgreesWithGeneric) { check_pair<OrientedBox, OrientedBox>(0, 900); }
TEST(ObbObb, BoxAgreesWithGeneric) { check_pair<Box, OrientedBox>(0, 900); }
TEST(ObbObb, PointAgreesWithGeneric) { check_pair<Point, OrientedBox>(0, 900); }

TEST(ObbObb, StackedBoxesTouch) {
  const OrientedBox a{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {0.5, 0.5, 0.5}};
  OrientedBox b = a;
  b.center = {0.3, 0.2, 1};
  EXPECT_EQ(intersects_pair(a, b), Certain::yes);
  b.center.z = std::nextafter(1.0, 2.0);
  EXPECT_EQ(intersects_pair(a, b), Certain::no);
  const Box floor{{-5, -5, -1}, {5, 5, 0.5}};
  EXPECT_EQ(intersects_pair(floor, b), Certain::no);
  b.center.z = 1;
  EXPECT_EQ(intersects_pair(floor, b), Certain::yes);
}

TEST(ObbObb, CornerOnEdge) {
  // sheared, so that no axis is at right angles to another
  const OrientedBox a{{0, 0, 0}, {Vec3(1, 0.25, 0), Vec3(0, 1, 0.25), Vec3(0.25, 0, 1)}, {1, 1, 1}};
  const OrientedBox b{{2.25 + 0.5, 1, 1}, {Vec3(1, 0.5, 0), Vec3(-0.5, 1, 0), Vec3(0, 0, 1)}, {1, 1, 1}};
  const bool right = within(core_of(a, nullptr), core_of(b, nullptr));
  EXPECT_EQ(intersects_pair(a, b), certain(right));
}

TEST(ObbObb, FlatBoxesAreLeftToTheGenericDecision) {
  const OrientedBox a{{0, 0, 0}, {Vec3(1, 0.25, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {1, 1, 0}};
  EXPECT_EQ(intersects_pair(a, a), Certain::unknown);
  const OrientedBox along{{0, 0, 0}, {Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1)}, {1, 1, 0}};  // along the coordinates all are decided
  EXPECT_EQ(intersects_pair(along, along), Certain::yes);
}

}  // namespace
}  // namespace graze
