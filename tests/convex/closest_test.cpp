// Witnesses of convex shapes that intersect: one common point, up to a rounding of coordinates, however flat the sets are that prove it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <graze/query.hpp>
#include <vector>

#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "exact/double_parts.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

using namespace graze;
using test::Random;

namespace closest_test {
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

namespace {

Hull random_hull(Random& r) {
  std::vector<Vec3> p;
  for (int i = 0; i < 40; ++i) p.push_back(r.point(-1, 1));
  return Hull(p);
}
OrientedBox random_box(Random& r) {
  const Pose turn = r.pose(0);
  return {r.point(-1, 1), {turn.rotate({1, 0, 0}), turn.rotate({0, 1, 0}), turn.rotate({0, 0, 1})}, {r.real(.1, .6), r.real(.1, .6), r.real(.1, .6)}};
}

/// How the distances of pairs that are apart were proven; each is compared with the exact decision.
template <class A, class B>
DecisionCounts tiers_of(const std::vector<A>& a, const std::vector<B>& b, const Pose& pose) {
  DecisionCounts sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    decision_counts() = {};
    const Closest c = closest(a[i], at(b[i], pose));
    if (c.distance == 0) continue;
    sum.filter += decision_counts().filter, sum.pairs += decision_counts().pairs, sum.big += decision_counts().big;
    EXPECT_TRUE(within(a[i], at(b[i], pose), c.distance * (1 + 1e-15))) << i;
    EXPECT_FALSE(within(a[i], at(b[i], pose), c.distance * (1 - 1e-15))) << i;
    const Closest other = closest(at(b[i], pose), a[i]);
    EXPECT_TRUE(other.distance == c.distance && other.on_a == c.on_b && other.on_b == c.on_a) << i;
  }
  return sum;
}

}  // namespace

TEST(ConvexClosest, DoublesProveGenericPairs) {
  Random r(9);
  std::vector<OrientedBox> boxes;
  std::vector<Capsule> capsules;
  std::vector<Triangle> triangles;
  std::vector<Hull> hulls;
  for (int i = 0; i < 300; ++i) {
    boxes.push_back(random_box(r));
    const Vec3 p = r.point(-1, 1);
    capsules.push_back({p, p + r.point(-1, 1), .2});
    triangles.push_back({{r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}});
    hulls.push_back(random_hull(r));
  }
  const auto expect_doubles = [](const DecisionCounts& c) {
    EXPECT_GT(c.filter, 200u);
    EXPECT_LT(c.pairs, 10u);
    EXPECT_EQ(c.big, 0u);
  };
  for (const double far : {1.0, 1e6}) {
    const Pose pose = Pose::from_quaternion(.5, .3, -.4, 1, Vec3(2, -2, 2) * far);
    expect_doubles(tiers_of(boxes, boxes, pose));
    expect_doubles(tiers_of(boxes, capsules, pose));
    expect_doubles(tiers_of(triangles, boxes, pose));
    expect_doubles(tiers_of(capsules, triangles, pose));
    expect_doubles(tiers_of(hulls, hulls, pose));
    expect_doubles(tiers_of(boxes, hulls, pose));
  }
}

// Faces of a turned building: parallel and in one plane but for rounding, 1e-12 apart or less. Doubles and pairs of doubles cannot give 1e-15 of that.
TEST(ConvexClosest, BoundsWhereIntegersAreNeeded) {
  Random r(5);
  int bounded = 0, narrow = 0;
  for (int round = 0; round < 3000; ++round) {
    Pose turn = Pose::from_quaternion(1, 0, 0, 0.1 + 0.01 * static_cast<double>(r.integer(0, 40)));
    turn.translation = r.point(-1e5, 1e5);
    const auto flat = [&](double side) {
      const auto corner = [&] { return turn.apply(Vec3(5, 100 * r.point(-1, 1).y, 100 * r.point(-1, 1).z)); };
      Triangle t{{corner(), corner(), corner()}};
      for (Vec3& p : t.points) p.x += side * 0x1p-36;
      return t;
    };
    const Triangle a = flat(0), b = flat(r.integer(0, 1) == 0 ? 0 : 1);
    const ConvexSet x = convex_set_of(a, nullptr), y = convex_set_of(b, nullptr);
    const ClosestOrBounds found = closest_without_integers(x, y);
    const ConvexClosest exact = closest(x, y);
    if (found.closest) {
      EXPECT_EQ(found.closest->distance, exact.distance);
      continue;
    }
    ++bounded;
    EXPECT_LE(found.lo, exact.distance * (1 + 1e-15));
    EXPECT_GE(found.hi, exact.distance * (1 - 1e-15));
    narrow += found.hi - found.lo < 1e-20;
    const ClosestOrBounds back = closest_without_integers(y, x);
    EXPECT_EQ(back.lo, found.lo);
    EXPECT_EQ(back.hi, found.hi);
  }
  EXPECT_GT(bounded, 100);
  EXPECT_GT(narrow, bounded / 2);
}

/// A coordinate that the other two make tiny when all are scaled.
TEST(ConvexClosest, CommonPointsKeepTinyCoordinates) {
  for (const double x : {5e-324, -6.573782570939535e-308, 3.6417265317735607e-308, 1e-290}) {
    const ConvexSet point = convex_point(Vec3(x, 0, 1));
    EXPECT_EQ(closest(point, point).on_a, Vec3(x, 0, 1));
    EXPECT_EQ(closest(point, point).on_b, Vec3(x, 0, 1));
  }
}

}  // namespace closest_test
