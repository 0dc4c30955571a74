// Separating axes of boxes, triangles and segments that nearly touch: never wrong, and seldom unknown where faces and edges lie along each other. Compared with
// integer arithmetic.
#include "convex/axes/polytopes_meet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "mesh/meshes.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::test::polytopes_meet_test {
namespace {

enum class Style { generic, lattice, upright, thin };

ConvexSet polytope(Random& r, int kind, Style style, double scale) {
  const auto point = [&] {
    Vec3 p = r.point(-1, 1);
    if (style == Style::lattice)
      for (int i = 0; i < 3; ++i) p[i] = std::round(p[i] * 4) / 4;
    return p * scale;
  };
  ConvexSet c;
  if (kind < 2) {  // a box or a rectangle
    c.add_point(point());
    Pose turn = style == Style::generic || style == Style::thin ? r.pose(0) : Pose{};
    for (int k = 0; k < 3 - kind; ++k) {
      const double half = (style == Style::thin && k == 0 ? 0x1p-40 : r.integer(1, 4) / 4.0) * scale;
      c.add_segment(Vec3(turn.rotation[0][k], turn.rotation[1][k], turn.rotation[2][k]), -half, half * r.integer(0, 2));
    }
  } else {
    for (int k = 0; k < 5 - kind; ++k) c.add_point(point());
    if (style == Style::upright && c.points == 3) {  // with an edge along z
      c.own[1] = c.own[0];
      c.own[1].z += scale * r.real(0.1, 1);
    }
    if (style == Style::thin && c.points == 3) c.own[2] = c.own[1] + (c.own[1] - c.own[0]) * 0x1p-30;
  }
  return c;
}

TEST(PolytopesMeet, MatchesIntegers) {
  Random r(922);
  int asked[4] = {}, known[4] = {}, meet = 0, apart = 0;
  for (int round = 0; round < rounds(20000); ++round) {
    const auto style = static_cast<Style>(round % 4);
    const double scale = round % 7 == 3 ? 0x1p-60 : round % 7 == 5 ? 0x1p60 : 1;
    const ConvexSet a = polytope(r, r.integer(0, 4), style, scale);
    ConvexSet b = polytope(r, r.integer(0, 4), style, scale);
    const auto shift = [&](const Vec3& by) {
      for (std::uint32_t k = 0; k < b.points; ++k) b.own[k] += by;
    };
    if (round % 5 == 0) shift(Vec3(1e4, -3e3, 2e4) * scale);
    for (int turn = 0; turn < 2; ++turn) {  // until they touch but for roundings
      const ConvexClosest near = closest(a, b);
      if (near.distance > 0) shift(near.on_a - near.on_b);
    }
    if (round % 3 == 0) shift(r.point(-1, 1) * scale * 0x1p-52);
    const Certain found = polytopes_meet(a, b);
    asked[round % 4] += 1;
    known[round % 4] += found != Certain::unknown;
    if (found == Certain::unknown) continue;
    ASSERT_EQ(found == Certain::yes, compare_distance(a, b) <= 0) << round;
    (found == Certain::yes ? meet : apart) += 1;
  }
  EXPECT_GT(known[0], asked[0] / 2);
  EXPECT_GT(known[1], asked[1] / 2);
  EXPECT_GT(known[2], asked[2] / 2);
  EXPECT_GT(meet, rounds(20000) / 10);
  EXPECT_GT(apart, rounds(20000) / 20);
}

/// A triangle that is tiny beside its distance from the other's first corner: differences of rounded corners would not be its edges.
TEST(PolytopesMeet, MatchesIntegersAtMixedSizes) {
  Random r(924);
  int known = 0, apart = 0;
  for (int round = 0; round < rounds(20000); ++round) {
    ConvexSet small = polytope(r, 2 + round % 2, Style::generic, std::ldexp(1.0, -r.integer(5, 50)));
    const ConvexSet large = polytope(r, r.integer(0, 2), round % 4 < 2 ? Style::generic : Style::upright, 1);
    const Vec3 from = r.point(-2, 2);
    for (std::uint32_t k = 0; k < small.points; ++k) small.own[k] += from;
    for (int turn = 0; turn < 2; ++turn) {
      const ConvexClosest near = closest(large, small);
      if (near.distance > 0)
        for (std::uint32_t k = 0; k < small.points; ++k) small.own[k] += near.on_a - near.on_b;
    }
    if (round % 5 == 0 && large.segments > 1 && small.points == 3) {  // flush with a face, but for roundings
      const Vec3 p = large.base(0) + large.hi[0] * r.real(0, 1) * large.segment[0] + large.hi[1] * r.real(0, 1) * large.segment[1];
      const double size = std::ldexp(1.0, -r.integer(5, 50));
      for (Vec3& q : small.own)
        q = p + (large.segments == 3 ? large.hi[2] * large.segment[2] : Vec3(0, 0, 0)) + size * r.real(-1, 1) * large.segment[0] +
            size * r.real(-1, 1) * large.segment[1] + r.point(-1, 1) * 0x1p-53;
    }
    const bool exchanged = round % 3 == 0;
    const Certain found = exchanged ? polytopes_meet(large, small) : polytopes_meet(small, large);
    if (found == Certain::unknown) continue;
    ++known;
    apart += found == Certain::no;
    ASSERT_EQ(found == Certain::yes, compare_distance(large, small) <= 0) << round;
  }
  EXPECT_GT(known, rounds(20000) / 10);
  EXPECT_GT(apart, rounds(20000) / 50);
}

TEST(PolytopesMeet, BoxesOnWallsAreKnown) {
  const ConvexSet box = convex_set_of(Box{Vec3(-0.1, -0.1, -0.1), Vec3(0.3, 0.3, 0.3)}, nullptr);
  ConvexSet wall;
  wall.add_point(Vec3(0.3, -5, -5)).add_point(Vec3(0.3, 5, -5)).add_point(Vec3(0.3, 0, 5));
  EXPECT_EQ(polytopes_meet(box, wall), Certain::yes);
  for (Vec3& p : wall.own) p.x = std::nextafter(0.3, 1);
  EXPECT_EQ(polytopes_meet(box, wall), Certain::no);
  for (Vec3& p : wall.own) p.x = -0.1;
  EXPECT_EQ(polytopes_meet(box, wall), Certain::yes);
  for (Vec3& p : wall.own) p.x = std::nextafter(-0.1, -1);
  EXPECT_EQ(polytopes_meet(wall, box), Certain::no);
}

TEST(PolytopesMeet, FlatDifferencesAndRadiiAreUnknown) {
  ConvexSet a, b;
  a.add_point(Vec3(0, 0, 0)).add_point(Vec3(2, 0, 0)).add_point(Vec3(0, 2, 0));
  b.add_point(Vec3(1, 1, 0)).add_point(Vec3(3, 1, 0)).add_point(Vec3(1, 3, 0));
  EXPECT_EQ(polytopes_meet(a, b), Certain::unknown);  // touch within one plane
  b.own[0].z = b.own[1].z = b.own[2].z = 1;
  EXPECT_EQ(polytopes_meet(a, b), Certain::no);
  a.radius = 1;
  EXPECT_EQ(polytopes_meet(a, b), Certain::unknown);
}

}  // namespace
}  // namespace graze::test::polytopes_meet_test
