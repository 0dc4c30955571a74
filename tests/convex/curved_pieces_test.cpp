// Pieces in targets: how much room the bound gives, and the parts of circles beyond the ends of a capsule.
#include "convex/containment/curved_pieces.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "convex/containment/curved_containment.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::curved_pieces_test {
namespace {

using test::Random;

Curved cylinder(double radius, double half) { return curved_of(Cylinder{{0, 0, -half}, {0, 0, half}, radius}, nullptr); }
Curved cone(double radius, double tip) { return curved_of(Cone{{0, 0, -1}, {0, 0, tip}, radius}, nullptr); }
Curved truncated(double radius) { return curved_of(TruncatedCone{{0, 0, -1}, {0, 0, 1}, radius, 0.5 * radius}, nullptr); }
Curved ellipsoid(double x, double y, double z) { return curved_of(Ellipsoid{{0, 0, 0}, {x, y, z}}, nullptr); }

template <class A, class B>
bool inside(const A& a, const B& b) {
  const LocalPair pair(a, b, 0);
  return are_inside(pieces_of(a, pair), pair, b, 1);
}

/// A piece that leaves the target by 2^-50 of the extent passes, one that leaves it by 2^-38 does not. The bound is between 2^-43 and 2^-40.
TEST(CurvedPieces, LeaveRoomWithinTheBound) {
  for (const bool passes : {true, false}) {
    const double r = 1 + (passes ? 0x1p-50 : 0x1p-38);
    EXPECT_EQ(inside(cylinder(r, 1), cylinder(1, 1)), passes);
    EXPECT_EQ(inside(cylinder(1, r), cylinder(1, 1)), passes);
    EXPECT_EQ(inside(cone(r, 1), cone(1, 1)), passes);
    EXPECT_EQ(inside(cone(1, r), cone(1, 1)), passes);
    EXPECT_EQ(inside(truncated(r), truncated(1)), passes);
    EXPECT_EQ(inside(cylinder(r, 1), convex_set_of(Capsule{{0, 0, -1}, {0, 0, 1}, 1}, nullptr)), passes);
    EXPECT_EQ(inside(ellipsoid(0.5, r, 0.5), convex_set_of(Sphere{{0, 0, 0}, 1}, nullptr)), passes);
    EXPECT_EQ(inside(ellipsoid(1, 1, 1 + r), convex_set_of(Capsule{{0, 0, -1}, {0, 0, 1}, 1}, nullptr)), passes);
    EXPECT_EQ(inside(ellipsoid(1, r, 0.5), ellipsoid(1, 1, 0.5)), passes);
    EXPECT_EQ(inside(convex_set_of(Sphere{{0, 0, 0}, r}, nullptr), cylinder(1, 1)), passes);
    EXPECT_EQ(inside(convex_set_of(Sphere{{0, 0, 0}, r}, nullptr), ellipsoid(1, 1, 2)), passes);
  }
}

TEST(CurvedPieces, NumberOfPieces) {
  const auto count = [](const Curved& c) { return pieces_of(c, LocalPair(c, c, 0)).size(); };
  EXPECT_EQ(count(cylinder(1, 1)), 2u);
  EXPECT_EQ(count(ellipsoid(1, 2, 3)), 1u);
  const Curved c = cone(1, 2);
  const std::vector<Piece> pieces = pieces_of(c, LocalPair(c, c, 0));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].n, 2);
  EXPECT_EQ(pieces[1].n, 0);  // the tip
}

/// A disc tilted in a capsule: half of it reaches beyond the end, along a great circle of the end's ball.
TEST(CurvedPieces, DiscsAcrossTheEndOfACapsule) {
  const ConvexSet capsule = convex_set_of(Capsule{{0, 0, 0}, {0, 0, 4}, 1}, nullptr);
  Random random(303);
  for (int round = 0; round < test::rounds(300); ++round) {
    const Pose turn = random.pose(0);
    const auto disc = [&](double r, double z) {
      Pose p = turn;
      p.translation = Vec3(0, 0, z);
      return curved_of(Cone{{0, 0, 0}, {0.01, 0, 0}, r}, &p);
    };
    EXPECT_TRUE(inside(disc(1, 0), capsule)) << round;
    EXPECT_TRUE(inside(disc(1, 4), capsule)) << round;
    EXPECT_TRUE(inside(disc(1, 1e-3), capsule)) << round;
    EXPECT_FALSE(inside(disc(1.001, 0), capsule)) << round;
    EXPECT_FALSE(inside(disc(1, -0.1), capsule)) << round;
  }
}

}  // namespace
}  // namespace graze::curved_pieces_test
