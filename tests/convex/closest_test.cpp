// Witnesses of convex shapes that intersect: one common point, up to a rounding of coordinates, however flat the sets are that prove it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <graze/query.hpp>

#include "bvh/scenes.hpp"
#include "exact/double_parts.hpp"

using namespace graze;
using test::Random;

namespace {

/// How far the common point lies from the farther of the shapes, in units of the last place of `most`; 0 if they do not intersect.
template <class A, class B>
double off(const A& a, const B& b, double most) {
  const Closest c = closest(a, b);
  if (c.distance != 0) return 0;
  EXPECT_TRUE(c.on_a == c.on_b);
  return std::max(closest(Point{c.on_a}, a).distance, closest(Point{c.on_b}, b).distance) / (next_up(most) - most);
}

}  // namespace

TEST(ConvexClosest, TheCommonPointOfATriangleAndAFlatWedge) {
  const Triangle t{{Vec3(-2.0000000000000004, 2, 1.9999999999999998), Vec3(1.1444091796875e-05, 1, -2.0000000000000004),
                    Vec3(-1.9999999999999998, 1.0000000000000002, -0.00048828125)}};
  const Triangle u{{t.points[1], Vec3(-1, 1, -4.3655745685100555e-11), t.points[2]}};
  const Wedge w{Vec3(-2, 0.99999999999999989, 4.9406564584124654e-324),
                {Vec3(0, 0, 4.9406564584124654e-324), Vec3(0.99999999999999989, 1, -0.99999999999999989),
                 Vec3(1.9999999999999998, 1.0000000000000002, 4.9406564584124654e-324)}};
  EXPECT_TRUE(intersects(t, w));
  EXPECT_LE(off(t, w, 2), 8);
  EXPECT_LE(off(u, w, 2), 8);
}

TEST(ConvexClosest, CommonPointsOfFlatTetrahedra) {
  Random r(411);
  int hits = 0;
  double worst = 0;
  for (int round = 0; round < 20000; ++round) {
    const Vec3 a = r.point(-1, 1), b = r.point(-1, 1), c = r.point(-1, 1);
    const double thin = std::ldexp(1.0, -static_cast<int>(r.integer(4, 50)));
    const Hull flat(std::array{a, b, c, (a + b + c) * (1 / 3.0) + thin * r.point(-1, 1)});
    const Vec3 inside = (a + b + c) * (1 / 3.0) + thin * r.point(-1, 1);
    const Triangle t{{inside + thin * r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}};
    hits += intersects(flat, t);
    worst = std::max(worst, off(flat, t, 1));
  }
  EXPECT_GT(hits, 1000);
  EXPECT_LE(worst, 8);
}
