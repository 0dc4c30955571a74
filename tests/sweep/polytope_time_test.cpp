// Contact times of boxes, triangles, segments and capsules by separating axes: never wrong, and nearly always certain on generic input. Compared with integer
// arithmetic.
#include "sweep/linear/polytope_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "convex/sets/small_polytope.hpp"
#include "convex/time/exact_time.hpp"
#include "mesh/meshes.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::test::polytope_time_test {
namespace {

using sweeping::polytope_time;
using sweeping::PolytopeTime;

enum class Style { generic, lattice, flush, thin };

/// kind 0: box, 1: rectangle, 2: triangle, 3: segment, 4: point, 5: box of bounds.
ConvexSet polytope(Random& r, int kind, Style style, const Vec3& at, double scale) {
  const auto point = [&](double size) {
    Vec3 p = r.point(-size, size);
    if (style != Style::generic && style != Style::thin)
      for (int i = 0; i < 3; ++i) p[i] = std::round(p[i] * 4) / 4;
    return p * scale;
  };
  ConvexSet c;
  const double size = style == Style::generic ? std::exp(r.real(-3, 0.5)) : 1;
  if (kind == 0 || kind == 1) {
    c.add_point(at);
    const Pose turn = style == Style::flush ? Pose{} : r.pose(0);
    for (int k = 0; k < 3 - kind; ++k) {
      const double half = (style == Style::thin && k == 0 ? 0x1p-40 : r.integer(1, 4) / 4.0) * size * scale;
      c.add_segment(Vec3(turn.rotation[0][k], turn.rotation[1][k], turn.rotation[2][k]), -half, style == Style::generic ? half * r.real(0, 2) : half);
    }
  } else if (kind == 5) {
    c.add_point(Vec3(0, 0, 0));
    const Vec3 p = at + point(size);
    for (int k = 0; k < 3; ++k) {
      Vec3 axis(0, 0, 0);
      axis[k] = 1;
      c.add_segment(axis, p[k], p[k] + scale * (r.integer(0, 4) / 4.0));
    }
  } else {
    for (int k = 0; k < 5 - kind; ++k) c.add_point(at + point(size));
    if (r.integer(0, 2) == 0) c.radius = scale * r.integer(1, 4) / 8.0;
    if (style == Style::thin && kind == 2) c.own[2] = c.own[1] + (c.own[1] - c.own[0]) * 0x1p-30;
  }
  return c;
}

TEST(PolytopeTime, MatchesIntegers) {
  Random r(921);
  int asked[4] = {}, known[4] = {}, later = 0, none = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto style = static_cast<Style>(round % 4);
    const double scale = round % 7 == 3 ? 0x1p-60 : round % 7 == 5 ? 0x1p60 : 1;
    const Vec3 at = round % 5 == 4 ? Vec3(1e5, -3e4, 2e5) * scale : Vec3(0, 0, 0);
    Vec3 from = r.point(-3, 3);
    if (style != Style::generic)
      for (int i = 0; i < 3; ++i) from[i] = std::round(from[i] * 2) / 2;
    const ConvexSet a = polytope(r, r.integer(0, 5), style, at + from * scale, scale), b = polytope(r, r.integer(0, 5), style, at, scale);
    ASSERT_TRUE(is_small_polytope(a) && is_small_polytope(b));
    const Vec3 start = round % 3 == 0 ? r.point(-9, 9) * scale : Vec3(0, 0, 0),
               to = start + (r.integer(0, 3) == 0 ? r.point(-3, 3) : -from * r.real(0.4, 2)) * scale;
    if (to == start) continue;
    PolytopeTime found;
    const Certain contact = polytope_time(a, exact_difference(to, start), b, two_sum(a.radius, b.radius), 1, found);
    const ExactContact truth(a, {to, &start}, b);
    const int kind = round % 4;
    asked[kind] += 1;
    known[kind] += contact != Certain::unknown;
    if (contact == Certain::unknown) continue;
    if (contact == Certain::no) {
      ++none;
      ASSERT_EQ(truth.outcome(), ExactContact::Outcome::none) << round;
      continue;
    }
    double t;
    if (!round_down_quotient(found.height, found.rate, t)) continue;
    if (t > 1) {
      ASSERT_EQ(truth.outcome(), ExactContact::Outcome::none) << round;
      continue;
    }
    if (t == 1) continue;  // the integers may find none by 1
    ++later;
    ASSERT_EQ(truth.outcome(), ExactContact::Outcome::later) << round;
    bool exact;
    ASSERT_EQ(t, truth.rounded_down(exact)) << round;
    const Vec3 n = truth.normal();
    const double length = std::sqrt(dot(found.normal, found.normal));
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(found.normal[i] / length, n[i], 1e-14) << round;
    ASSERT_NEAR(found.share[0] + found.share[1] + found.share[2], 1, 1e-12);
    for (const double share : found.share) ASSERT_TRUE(share >= 0 && share <= 1) << round;
  }
  EXPECT_GT(known[0], asked[0] * 2 / 3);  // others are contacts of round edges and corners
  EXPECT_GT(later, 3000);
  EXPECT_GT(none, 2000);
}

/// Contact at a border of the face, and at the start: all unknown, never wrong.
TEST(PolytopeTime, LeavesBordersToOtherTiers) {
  const ConvexSet box = convex_set_of(Box{Vec3(-1, -1, 2), Vec3(1, 1, 4)}, nullptr);
  ConvexSet triangle;
  triangle.add_point(Vec3(-5, -5, 0)).add_point(Vec3(5, -5, 0)).add_point(Vec3(0, 5, 0));
  const auto fall = [&](const ConvexSet& t, double z) {
    PolytopeTime found;
    return polytope_time(box, exact_difference(Vec3(0, 0, z), Vec3(0, 0, 0)), t, 0.0, 1, found);
  };
  EXPECT_EQ(fall(triangle, -4), Certain::yes);  // flush
  EXPECT_EQ(fall(triangle, -1), Certain::no);
  EXPECT_EQ(fall(triangle, 1), Certain::no);
  ConvexSet corner;
  corner.add_point(Vec3(0.25, 0.5, 0)).add_point(Vec3(1, 1, -3)).add_point(Vec3(-1, 1, -2));
  EXPECT_EQ(fall(corner, -4), Certain::yes);  // a corner meets the inside of the box's face
  corner.own[0].x = 1;
  EXPECT_EQ(fall(corner, -4), Certain::unknown);  // its border
  corner.own[0].x = std::nextafter(1, 2);
  corner.own[1].x = corner.own[2].x = 4;
  EXPECT_EQ(fall(corner, -4), Certain::unknown);  // beside it by one rounding
  corner.own[0].x = 1.001;
  EXPECT_EQ(fall(corner, -4), Certain::no);
}

}  // namespace
}  // namespace graze::test::polytope_time_test
