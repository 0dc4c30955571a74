// Oriented box against oriented box, axis-aligned box and point; only flat boxes are left to the generic decision.
#include "pairs/obb_obb.hpp"

#include "pairs/pair_check.hpp"
#include "support/random.hpp"

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
  const bool right = within(convex_set_of(a, nullptr), convex_set_of(b, nullptr));
  EXPECT_EQ(intersects_pair(a, b), certain(right));
}

TEST(ObbObb, FlatBoxesAreLeftToTheGenericDecision) {
  const OrientedBox a{{0, 0, 0}, {Vec3(1, 0.25, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {1, 1, 0}};
  EXPECT_EQ(intersects_pair(a, a), Certain::unknown);
  const OrientedBox along{{0, 0, 0}, {Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1)}, {1, 1, 0}};  // axis-aligned boxes are all decided
  EXPECT_EQ(intersects_pair(along, along), Certain::yes);
}

// A corner on a face, or an edge across an edge, up to rounding. The position determines which tier decides: near the origin 61 bits hold all numbers, except
// when one box is much smaller, where pairs of doubles decide; far away the centres are rounded so much that the sharper bound suffices.
void check_near_contact(const Vec3& place, double scale, std::uint64_t least_filter, std::uint64_t least_pairs, std::uint64_t most_fixed) {
  test::Random random(41);
  test::Shapemaker maker(42, test::Input::plain);
  predicate_counts() = {};
  int yes = 0, no = 0;
  const auto dot = [](const Vec3& v, const Vec3& w) { return v.x * w.x + v.y * w.y + v.z * w.z; };
  for (int k = 0; k < 4000 && !testing::Test::HasFailure(); ++k) {
    OrientedBox a, b;
    maker.make(a);
    maker.make(b);
    a.center += place;
    b.half *= scale;
    const int i = random.integer(0, 2), j = random.integer(0, 2);
    const Vec3 &v = a.axes[static_cast<std::size_t>(i)], &w = b.axes[static_cast<std::size_t>(j)];
    const Vec3 n = k % 2 ? v : Vec3(v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x);
    Vec3 point = a.center;
    for (int c = 0; c < 3; ++c) {
      const Vec3 &p = a.axes[static_cast<std::size_t>(c)] * a.half[c], &q = b.axes[static_cast<std::size_t>(c)] * b.half[c];
      point += (k % 2 ? c == i : c != i) ? p * (dot(p, n) > 0 ? 1.0 : -1.0) : p * random.real(-0.9, 0.9);
      point += k % 2 || c != j ? q * (dot(q, n) > 0 ? 1.0 : -1.0) : q * random.real(-0.9, 0.9);
    }
    b.center = point;
    const Certain c = intersects_pair(a, b);
    ASSERT_NE(c, Certain::unknown);
    EXPECT_EQ(c == Certain::yes, within(convex_set_of(a, nullptr), convex_set_of(b, nullptr)));
    EXPECT_EQ(intersects_pair(b, a), c);
    ++(c == Certain::yes ? yes : no);
  }
  EXPECT_GT(yes, 1000);
  EXPECT_GT(no, 1000);
  EXPECT_GE(predicate_counts().filter, least_filter);
  EXPECT_GE(predicate_counts().pairs, least_pairs);
  EXPECT_LT(predicate_counts().fixed, most_fixed);
  EXPECT_EQ(predicate_counts().big, 0u);
}
TEST(ObbObb, NearContact) {
  check_near_contact(Vec3(0, 0, 0), 1, 0, 100, 8000);
  check_near_contact(Vec3(0, 0, 0), 0x1p-10, 0, 4000, 2000);
  check_near_contact(Vec3(1000, -700, 300), 1, 4000, 100, 100);
}

}  // namespace
}  // namespace graze
