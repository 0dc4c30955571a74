// Lines that divide a triangle, and distances of segments with rational ends, against within() of segments with ends in doubles.
#include "mesh/arrangement/flat_arrangement.hpp"

#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <cmath>
#include <vector>

#include "mesh/arrangement/meeting_points.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::flat_arrangement_test {
namespace {

using test::Random;

/// The point, as a quotient by three.
ExactPoint rational(const Vec3& p) { return {Dyadic(3.0) * exact(p), Dyadic(3.0)}; }
ExactSegment rational(const Segment& s) { return {rational(s.a), {exact(s.b)}}; }
Vec3 rounded(const ExactPoint& p) { return box_of(p).lo; }

TEST(FlatArrangement, SegmentsThatAreCloserThanARadius) {
  Random random(1213);
  int closer = 0, touching = 0;
  for (int round = 0; round < test::rounds(20000); ++round) {
    const Segment s{random.grid(-3, 3), random.grid(-3, 3)}, t{random.grid(-3, 3), random.grid(-3, 3)};
    const double r = random.integer(1, 3);
    const bool expected = within(s, t, std::nextafter(r, 0));  // squares of distances on the grid are not that near to other integers
    ASSERT_EQ(are_closer(rational(s), rational(t), r), expected) << round;
    closer += expected;
    touching += within(s, t, r) && !expected;
  }
  EXPECT_GT(closer, 1000 / (test::kSanitized ? 8 : 1));
  EXPECT_GT(touching, 0);
}

TEST(FlatArrangement, NearestPointsAndFeet) {
  Random random(1217);
  for (int round = 0; round < test::rounds(4000); ++round) {
    const Segment s{random.grid(-3, 3), random.grid(-3, 3)};
    const Vec3 p = random.grid(-3, 3);
    const Vec3 nearest = rounded(nearest_on(rational(s), rational(p)));
    const Closest c = closest(Point{p}, s);
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(nearest[i], c.on_b[i], 1e-15 * 4);
    const Triangle t{{random.grid(-3, 3), random.grid(-3, 3), random.grid(-3, 3)}};
    const V3<Dyadic> n = cross(exact(t.points[1]) - exact(t.points[0]), exact(t.points[2]) - exact(t.points[0]));
    if (is_zero(n)) continue;
    const ExactPoint foot = foot_in_plane(rational(p), exact(t));
    ASSERT_EQ(sign_of(dot(from_to(foot, exact(t.points[0])), n)), 0);
    ASSERT_TRUE(is_zero(cross(from_to(foot, exact(p)), n)));
  }
}

double length_of(const std::vector<ExactSegment>& pieces) {
  double sum = 0;
  for (const ExactSegment& s : pieces) sum += closest(Point{rounded(s.from)}, Point{rounded(s.to)}).distance;
  return sum;
}

TEST(FlatArrangement, PiecesEndWhereOtherTrianglesMeet) {
  const ExactTriangle flat = exact(Triangle{{Vec3(0, 0, 0), Vec3(8, 0, 0), Vec3(0, 8, 0)}});
  EXPECT_EQ(pieces_in(flat, {}).size(), 3u);
  // upright triangles that cut it along x = 2 and y = 2; both end at the outline
  const ExactTriangle along_y = exact(Triangle{{Vec3(2, -9, -9), Vec3(2, 30, 0), Vec3(2, -9, 9)}});
  const ExactTriangle along_x = exact(Triangle{{Vec3(-9, 2, -9), Vec3(30, 2, 0), Vec3(-9, 2, 9)}});
  const ExactTriangle one[] = {along_y}, two[] = {along_y, along_x};
  const std::vector<ExactSegment> cut_once = pieces_in(flat, one), cut_twice = pieces_in(flat, two);
  EXPECT_EQ(cut_once.size(), 3u + 2 + 1);       // two edges are cut, and one line
  EXPECT_EQ(cut_twice.size(), 3u + 4 + 2 * 2);  // the lines cross at (2, 2)
  EXPECT_NEAR(length_of(cut_twice) - length_of(pieces_in(flat, {})), 12, 1e-12);
  // A triangle in the same plane gives its edges; one without area its line; one beside it nothing.
  const ExactTriangle inner[] = {exact(Triangle{{Vec3(1, 1, 0), Vec3(3, 1, 0), Vec3(1, 3, 0)}})};
  EXPECT_EQ(pieces_in(flat, inner).size(), 6u);
  // An edge of a triangle in the same plane is cut where it crosses an upright one, and where it crosses an edge of another in the plane.
  const ExactTriangle flat_and_upright[] = {inner[0], exact(Triangle{{Vec3(1.5, -9, -9), Vec3(1.5, 30, 0), Vec3(1.5, -9, 9)}})};
  EXPECT_EQ(pieces_in(flat, flat_and_upright).size(), 3u + 2 + 3 + 2 + 3);
  const ExactTriangle two_flat[] = {inner[0], exact(Triangle{{Vec3(1.5, 0.5, 0), Vec3(1.5, 1.25, 0), Vec3(0.5, 0.5, 0)}})};
  EXPECT_EQ(pieces_in(flat, two_flat).size(), 3u + 3 + 2 + 3 + 2);
  const ExactTriangle needle[] = {exact(Triangle{{Vec3(1, 1, 0), Vec3(2, 1, 0), Vec3(3, 1, 0)}})};
  EXPECT_NEAR(length_of(pieces_in(flat, needle)) - length_of(pieces_in(flat, {})), 4, 1e-12);  // an edge is the sum of the others
  const ExactTriangle apart[] = {exact(Triangle{{Vec3(9, 9, 0), Vec3(10, 9, 0), Vec3(9, 10, 0)}})};
  EXPECT_EQ(pieces_in(flat, apart).size(), 3u);
  // Only a corner of the other lies in it.
  const ExactTriangle corner[] = {exact(Triangle{{Vec3(1, 1, 0), Vec3(2, 1, 5), Vec3(1, 2, 5)}})};
  EXPECT_EQ(pieces_in(flat, corner).size(), 3u);
}

}  // namespace
}  // namespace graze::flat_arrangement_test
