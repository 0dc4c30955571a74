// Convex pairs that are nearer than doubles resolve, or touch exactly: doubles or pairs of doubles decide them, as integers do.
#include "convex/decide/in_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::in_pairs_test {
namespace {

using test::Random;

Hull random_hull(Random& r, int n) {
  std::vector<Vec3> p;
  for (int i = 0; i < n; ++i) p.push_back(r.point(-1, 1));
  return Hull(p);
}

using Shape = std::variant<Hull, Box, Triangle, Segment, Capsule>;

/// Shapes about the origin.
Shape shape(Random& r, int kind) {
  const double x = r.real(.3, 1), y = r.real(.3, 1), z = r.real(.3, 1);
  switch (kind) {
    case 0:
      return random_hull(r, 24);
    case 1:
      return Box{{-x, -y, -z}, {x, y, z}};
    case 2: {
      const Vec3 a = r.point(-1, 1), b = r.point(-1, 1), c = r.point(-1, 1);
      return Triangle{{a, b, c}};
    }
    case 3: {
      const Vec3 a = r.point(-1, 1), b = r.point(-1, 1);
      return Segment{a, b};
    }
    case 4: {
      std::vector<Vec3> corners;
      for (int i = 0; i < 8; ++i) corners.push_back(Vec3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z));
      return Hull(corners);
    }
    default: {
      const Vec3 a = r.point(-1, 1), b = r.point(-1, 1);
      return Capsule{a, b, .25};
    }
  }
}

ConvexSet convex(const Shape& s, const Pose& pose) {
  return std::visit([&](const auto& of_kind) { return convex_set_of(of_kind, &pose); }, s);
}

struct Near {
  Shape a, b;
  Pose at_a, at_b;
  Vec3 normal{0, 0, 0};  ///< from b to a
  /// Moves a until it touches b but for roundings.
  Near(Random& r, int kind_a, int kind_b) : a(shape(r, kind_a)), b(shape(r, kind_b)), at_a(r.pose(0)), at_b(r.pose(1)) {
    at_a.translation = at_b.translation + r.point(4, 8);
    const ConvexClosest first = closest(convex(a, at_a), convex(b, at_b));
    normal = (first.on_a - first.on_b) * (1 / first.distance);
    for (int k = 0; k < 2; ++k) {
      const ConvexClosest c = closest(convex(a, at_a), convex(b, at_b));
      at_a.translation -= c.on_a - c.on_b;
    }
  }
  ConvexSet moved(double gap) const {
    Pose pose = at_a;
    pose.translation += gap * normal;
    placed_ = pose;
    return convex(a, placed_);
  }
  ConvexSet other() const { return convex(b, at_b); }

 private:
  mutable Pose placed_;
};

TEST(InPairs, NoGapOrDepthNeedsIntegers) {
  Random r(71);
  int apart = 0, meet = 0;
  for (int i = 0; i < test::rounds(1500); ++i) {
    const Near near(r, r.integer(0, 5), r.integer(0, 4));
    for (const int e : {-20, -30, -40, -44, -48, -52, -54, -60}) {
      const double gap = std::ldexp(r.coin() ? 1.0 : -1.0, e);
      const ConvexSet a = near.moved(gap), b = near.other();
      decision_counts() = {};
      const bool found = within(a, b), back = within(b, a);
      const bool round = a.radius > 0 || b.radius > 0;
      const bool flat = a.segments == 0 && b.segments == 0 && a.points + b.points <= 4;  // segments and triangles may meet in a plane
      if (e >= -48 && !round && !flat) {
        ASSERT_EQ(decision_counts().big, 0u) << i << ' ' << e;
      }
      if (e >= -40 && gap > 0) {
        ASSERT_EQ(decision_counts().filter, 2u) << i << ' ' << e;
      }
      ASSERT_EQ(found, compare_distance(a, b) <= 0) << i << ' ' << e;
      ASSERT_EQ(back, found);
      (found ? meet : apart) += 1;
    }
  }
  EXPECT_GT(apart, test::rounds(1500));
  EXPECT_GT(meet, test::rounds(1500));
}

TEST(InPairs, DistancesOfAnySmallness) {
  Random r(72);
  int integers = 0, asked = 0;
  for (int i = 0; i < test::rounds(1500); ++i) {
    const Near near(r, r.integer(0, 5), r.integer(0, 4));
    for (const int e : {-20, -27, -34, -38, -42, -46, -50, -53}) {
      const ConvexSet a = near.moved(std::ldexp(1, e)), b = near.other();
      decision_counts() = {};
      const ConvexClosest c = closest(a, b), d = closest(b, a);
      const int big = static_cast<int>(decision_counts().big);
      ASSERT_TRUE(c.distance == d.distance && c.on_a == d.on_b && c.on_b == d.on_a);
      const double exact = std::max(signed_gap(a, b), 0.0);
      ASSERT_LE(std::fabs(c.distance - exact), 1e-15 * exact) << i << ' ' << e;
      const Vec3 x = c.on_a - c.on_b;
      ASSERT_NEAR(std::sqrt(x.x * x.x + x.y * x.y + x.z * x.z), exact, 0x1p-46) << i << ' ' << e;
      if (e > -36) {
        ASSERT_EQ(big, 0) << i << ' ' << e;
      }
      ++asked;
      integers += big != 0;
    }
  }
  EXPECT_LT(integers, asked * 2 / 5);  // of balls, and of faces that lie along each other
}

Hull cuboid(const Vec3& lo, const Vec3& hi) {
  std::vector<Vec3> p;
  for (int i = 0; i < 8; ++i) p.push_back(Vec3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z));
  return Hull(p);
}

/// Boxes on a grid, as hulls or as boxes, that share a face, an edge or a corner, or parts of them.
TEST(InPairs, FlushFacesTouchExactly) {
  Random r(73);
  for (int i = 0; i < test::rounds(3000); ++i) {
    const double unit = r.coin() ? 1 : .1;
    const Vec3 lo = r.grid(-3, 0), size = r.grid(1, 3), by = r.grid(-3, 3), other = r.grid(1, 3);
    Vec3 at(0, 0, 0);
    for (int k = 0; k < 3; ++k) at[k] = std::clamp(lo[k] + by[k], lo[k] - other[k], lo[k] + size[k]);
    const int axis = r.integer(0, 2);
    at[axis] = lo[axis] + size[axis];
    const auto scaled = [&](const Vec3& p) { return p * unit; };
    const Hull a = cuboid(scaled(lo), scaled(lo + size)), b = cuboid(scaled(at), scaled(at + other));
    const Box box{scaled(at), scaled(at + other)};
    const ConvexSet x = convex_set_of(a, nullptr), y = r.coin() ? convex_set_of(b, nullptr) : convex_set_of(box, nullptr);
    decision_counts() = {};
    ASSERT_TRUE(within(x, y)) << i;
    const ConvexClosest c = closest(x, y);
    EXPECT_EQ(decision_counts().big, 0u) << i;
    ASSERT_EQ(c.distance, 0);
    ASSERT_EQ(c.on_a, c.on_b);
    ASSERT_LE(closest(convex_point(c.on_a), x).distance, 0x1p-50) << i;
    ASSERT_LE(closest(convex_point(c.on_a), y).distance, 0x1p-50) << i;
    Vec3 away = scaled(at);
    away[axis] = std::nextafter(away[axis], 9);
    const ConvexSet z = convex_set_of(Box{away, scaled(at + other)}, nullptr);
    ASSERT_FALSE(within(x, z)) << i;
  }
}

TEST(InPairs, GapsBelowThePrecisionOfPairs) {
  Random r(76);
  for (int i = 0; i < test::rounds(300); ++i) {
    const double gap = std::ldexp(1.0, -r.integer(85, 140));
    const Vec3 low = r.point(-.9, 0), high = r.point(.1, 1), other = r.point(.1, 1);
    const Hull a = cuboid({-1, low.y, low.z}, {0, high.y, high.z});
    for (const double x : {gap, -gap, 0.0}) {
      const Hull b = cuboid({x, low.z, low.y}, {1, other.y, other.z});
      const ConvexSet p = convex_set_of(a, nullptr), q = convex_set_of(b, nullptr);
      ASSERT_EQ(within(p, q), x <= 0) << i;
      ASSERT_EQ(closest(p, q).distance, std::max(x, 0.0)) << i;
    }
  }
}

/// A segment above the border of a triangle: the foot of the perpendicular is in or out of it by a rounding, which counts where the distance is small.
TEST(InPairs, FeetAtTheBorderOfAFace) {
  Random r(77);
  for (int i = 0; i < test::rounds(3000); ++i) {
    const Vec3 a = r.point(-1, 1), b = r.point(-1, 1), c = r.point(-1, 1), d = b - a, e = c - a;
    const Vec3 n(d.y * e.z - d.z * e.y, d.z * e.x - d.x * e.z, d.x * e.y - d.y * e.x);
    const Vec3 foot = r.nudge(a + d * r.real(0, 1)), end = foot + n;
    const Segment above{foot + n * std::ldexp(1.0, -r.integer(26, 34)), end};
    const ConvexSet x = convex_set_of(Triangle{{a, b, c}}, nullptr), y = convex_set_of(above, nullptr);
    const double exact = std::max(signed_gap(x, y), 0.0);
    ASSERT_LE(std::fabs(closest(x, y).distance - exact), 1e-15 * exact) << i;
  }
}

/// Parts of one body share corners that are no round numbers.
TEST(InPairs, SharedCornersTouchExactly) {
  Random r(74);
  int asked = 0;
  for (int i = 0; i < test::rounds(3000); ++i) {
    const std::array<Vec3, 5> p{r.point(-1, 1), r.point(-1, 1), r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)};
    const Pose pose = r.pose(1);
    const int shared = r.integer(1, 3);
    std::vector<Vec3> first{p[3]}, second{p[4]};
    for (int k = 0; k < 3; ++k) {
      if (k < shared || r.coin()) first.push_back(p[k]);
      if (k < shared || r.coin()) second.push_back(p[k]);
    }
    const Hull one(first), two(second);
    const ConvexSet a = convex_set_of(one, &pose), b = convex_set_of(two, &pose);
    decision_counts() = {};
    ASSERT_TRUE(within(a, b)) << i;
    asked += decision_counts().big == 0;
    const ConvexClosest c = closest(a, b);
    ASSERT_EQ(c.distance, 0) << i;
    ASSERT_LE(closest(convex_point(c.on_a), a).distance, 0x1p-49) << i;
    ASSERT_LE(closest(convex_point(c.on_a), b).distance, 0x1p-49) << i;
  }
  EXPECT_GT(asked, test::rounds(2000));
}

/// Flat, tiny and huge sets, and those whose corners coincide or differ in the last place.
TEST(InPairs, HostileSetsAsIntegers) {
  Random r(75);
  for (int i = 0; i < test::rounds(4000); ++i) {
    const double thin = std::ldexp(1.0, -r.integer(0, 60)), scale = std::ldexp(1.0, r.integer(-200, 200));
    const Vec3 o = r.point(-1, 1), e = r.point(-1, 1), f = r.point(-1, 1);
    const auto points = [&] {
      std::vector<Vec3> p;
      for (int k = r.integer(1, 6); k >= 0; --k) {
        const double s = r.real(0, 1), t = r.real(0, 1);
        const Vec3 off = r.point(-1, 1);
        p.push_back(r.nudge(o + e * s + f * t + off * thin) * scale);
      }
      return p;
    };
    std::vector<Vec3> first = points(), second = points();
    if (r.coin()) second.push_back(first[0]);
    if (r.coin()) second.push_back(r.nudge(first.back()));
    const Hull one(first), two(second);
    const ConvexSet a = convex_set_of(one, nullptr), b = convex_set_of(two, nullptr);
    const int sign = compare_distance(a, b);
    ASSERT_EQ(within(a, b), sign <= 0) << i;
    ASSERT_EQ(within(b, a), sign <= 0) << i;
    const ConvexClosest c = closest(a, b);
    const double exact = std::max(signed_gap(a, b), 0.0);
    ASSERT_LE(std::fabs(c.distance - exact), 1e-15 * exact) << i;
    ASSERT_EQ(c.distance == 0, sign <= 0) << i;
  }
}

}  // namespace
}  // namespace graze::in_pairs_test
