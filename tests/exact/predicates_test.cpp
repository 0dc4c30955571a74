// Every predicate against rationals on ordinary, touching and hostile input, and which tier decided.
#include "exact/predicates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using namespace oracle;
using test::Random;

/// Numbers of one kind: 0 small integers (touching), 1 random reals, 2 wide exponents (60 binary orders), 3 the whole range, 4 denormals,
/// small integers and huge numbers together.
double number(Random& random, int kind) {
  switch (kind) {
    case 0:
      return random.integer(-3, 3);
    case 1:
      return random.real(-1, 1);
    case 2:
      return std::ldexp(random.integer(-8, 8), random.integer(-30, 30));
    case 3:
      return std::ldexp(random.real(-1, 1), random.integer(-1040, 1020));
    default:
      return std::ldexp(random.integer(-3, 3), random.integer(0, 2) == 0 ? random.integer(-1074, -1020) : random.integer(0, 3) == 0 ? 1000 : 0);
  }
}
Vec3 vec(Random& random, int kind) {
  const double x = number(random, kind), y = number(random, kind), z = number(random, kind);
  return Vec3(x, y, z);
}

Vec3 cross_of(const Vec3& a, const Vec3& b) { return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }

class Predicates : public ::testing::TestWithParam<int> {};

TEST_P(Predicates, AgreeWithRationals) {
  const int kind = GetParam();
  Random random(10 + static_cast<std::uint64_t>(kind));
  const int n = kind >= 3 ? 1500 : 6000;
  for (int i = 0; i < n; ++i) {
    const Vec3 a = vec(random, kind), b = vec(random, kind), c = vec(random, kind), d = vec(random, kind);
    const R3 ra = r3(a), rb = r3(b), rc = r3(c), rd = r3(d), normal = cross(rb - ra, rc - ra);
    ASSERT_EQ(orient3d(a, b, c, d), dot(normal, rd - ra).sign());
    ASSERT_EQ(orient_direction(a, b, c, d), dot(normal, rd).sign());
    ASSERT_EQ(dot_sign(a, b, c, d), dot(rb - ra, rd - rc).sign());
    for (int k = 0; k < 3; ++k) ASSERT_EQ(orient2d(a, b, c, k), normal[k].sign());
    const double r = std::fabs(c.x), s = std::fabs(c.y), extra = std::fabs(c.z);
    const Rational sum = Rational(r) + Rational(s) + Rational(extra);
    ASSERT_EQ(compare_squared_distance(a, b, r, s, extra), Rational(squared_distance(a, b) - sum * sum).sign());
  }
}

TEST_P(Predicates, AgreeWithRationalsOneUlpFromZero) {
  const int kind = GetParam();
  if (kind >= 3) GTEST_SKIP() << "the neighbours of numbers so far apart are no nearer to a zero";
  Random random(20 + static_cast<std::uint64_t>(kind));
  for (int i = 0; i < 5000; ++i) {
    const Vec3 a = vec(random, kind), e = vec(random, kind), f = vec(random, kind);
    Vec3 p[4] = {a, a + e, a + f, a + (e + f)};  // nearly or exactly coplanar
    const int k = random.integer(0, 3), c = random.integer(0, 2);
    if (random.integer(0, 2)) p[k][c] = std::nextafter(p[k][c], random.integer(0, 1) ? 1e9 : -1e9);
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), orient(p[0], p[1], p[2], p[3]));
  }
}

/// Moves one coordinate of one point by a few units in its last place.
void nudge(Random& random, Vec3* points, int n) {
  double& x = points[random.integer(0, n - 1)][random.integer(0, 2)];
  for (int k = random.integer(0, 3); k > 0; --k) x = std::nextafter(x, random.integer(0, 1) ? 1e9 : -1e9);
}

TEST(PredicateValues, AgreeWithRationalsAtTheEdgeOfTheirFilters) {
  Random random(25);
  for (int i = 0; i < 12000; ++i) {
    const Vec3 a = random.point(-1, 1), e = random.point(-1, 1), f = random.point(-1, 1);
    const double s = random.real(-2, 2), t = random.real(-2, 2);
    {  // nearly coplanar, nearly collinear in projection
      Vec3 p[4] = {a, a + e, a + f, a + (s * e + t * f)};
      nudge(random, p, 4);
      ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), orient(p[0], p[1], p[2], p[3]));
      Vec3 q[3] = {a, a + e, a + s * e};
      nudge(random, q, 3);
      for (int k = 0; k < 3; ++k) ASSERT_EQ(orient2d(q[0], q[1], q[2], k), cross(r3(q[1]) - r3(q[0]), r3(q[2]) - r3(q[0]))[k].sign());
    }
    {  // a direction nearly in the plane
      Vec3 p[4] = {a, a + e, a + f, s * e + t * f};
      nudge(random, p, 4);
      ASSERT_EQ(orient_direction(p[0], p[1], p[2], p[3]), dot(cross(r3(p[1]) - r3(p[0]), r3(p[2]) - r3(p[0])), r3(p[3])).sign());
      Vec3 q[5] = {a, a + e, a + f, f, f + (s * e + t * f)};
      nudge(random, q, 5);
      ASSERT_EQ(orient_direction_between(q[0], q[1], q[2], q[3], q[4]), dot(cross(r3(q[1]) - r3(q[0]), r3(q[2]) - r3(q[0])), r3(q[4]) - r3(q[3])).sign());
    }
    {  // nearly at right angles; spheres that nearly touch
      const Vec3 g = cross_of(e, f);
      Vec3 p[4] = {a, a + e, f, f + g};
      nudge(random, p, 4);
      ASSERT_EQ(dot_sign(p[0], p[1], p[2], p[3]), dot(r3(p[1]) - r3(p[0]), r3(p[3]) - r3(p[2])).sign());
      const double distance = std::sqrt(e.x * e.x + e.y * e.y + e.z * e.z), r = distance * random.unit();
      Vec3 q[2] = {a, a + e};
      nudge(random, q, 2);
      const Rational sum = Rational(r) + Rational(distance - r);
      ASSERT_EQ(compare_squared_distance(q[0], q[1], r, distance - r, 0), Rational(squared_distance(q[0], q[1]) - sum * sum).sign());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Numbers, Predicates, ::testing::Values(0, 1, 2, 3, 4));

PredicateCounts after(const std::function<int()>& f, int expected) {
  predicate_counts() = {};
  EXPECT_EQ(f(), expected);
  return predicate_counts();
}

TEST(PredicateTiers, TheFilterDecidesGenericInput) {
  const PredicateCounts n = after([] { return orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.4, 0.5}); }, 1);
  EXPECT_EQ(n.filter, 1u);
  EXPECT_EQ(n.fixed + n.big, 0u);
}
TEST(PredicateTiers, FixedWidthIntegersDecideAnExactZero) {
  const PredicateCounts n = after([] { return orient3d({100003, 0, 0}, {0, 100003, 0}, {0, 0, 100003}, {50001, 50001, 1}); }, 0);
  EXPECT_EQ(n.fixed, 1u);
  EXPECT_EQ(n.filter + n.big, 0u);
}
TEST(PredicateTiers, AWindowOf126BitsStillFits) {
  EXPECT_EQ(after([] { return orient3d({0, 0, 0}, {0x1p60, 0, 0x1p60}, {0, 0x1p-60, 0}, {0x1p60, 0x1p-60, 0x1p60}); }, 0).fixed, 1u);
}
// Zeros of faces at right angles to an axis, whatever their numbers, and of points on a grid.
TEST(PredicateTiers, DoublesDecideMostZeros) {
  Random random(33);
  predicate_counts() = {};
  constexpr int kMany = 3000;
  for (int i = 0; i < kMany; ++i) {
    const int axis = i % 3, kind = i % 2;
    Vec3 p[4] = {vec(random, kind), vec(random, kind), vec(random, kind), vec(random, kind)};
    for (Vec3& q : p) q[axis] = p[0][axis];
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), 0);
    ASSERT_EQ(orient2d(p[0], p[1], p[2], (axis + 1) % 3), 0);
    const Vec3 g = random.grid(-4000, 4000), e = random.grid(-4000, 4000), f = random.grid(-4000, 4000);
    const double s = std::ldexp(1, random.integer(-200, 200));
    ASSERT_EQ(orient3d(s * g, s * (g + e), s * (g + f), s * (g + (e - f))), 0);
    ASSERT_EQ(orient2d(s * g, s * (g + e), s * (g - 1000.0 * e), axis), 0);
  }
  EXPECT_EQ(predicate_counts().filter, 4u * kMany);
}
// Beside an edge along an axis, the sign is that of the other differences, however small or large they are.
TEST(PredicateValues, EdgesAlongAxesOfTheWholeRange) {
  Random random(34);
  for (int i = 0; i < 6000; ++i) {
    Vec3 a = vec(random, 3), b = vec(random, 3), c = vec(random, 3);
    (i % 2 ? b : c)[i % 3] = a[i % 3];
    const R3 normal = cross(r3(b) - r3(a), r3(c) - r3(a));
    for (int k = 0; k < 3; ++k) ASSERT_EQ(orient2d(a, b, c, k), normal[k].sign());
  }
}
// At the edge of the grid on which everything is exact, and just beyond it.
TEST(PredicateValues, AgreeWithRationalsAtTheEdgeOfTheGrid) {
  Random random(35);
  for (int i = 0; i < 6000; ++i) {
    const int bits = random.integer(13, 18);
    const auto point = [&] { return random.grid(-(1 << bits), 1 << bits); };
    const Vec3 a = point(), e = point(), f = point();
    Vec3 p[4] = {a, a + e, a + f, a + (e + f)};
    if (random.coin()) p[random.integer(0, 3)][random.integer(0, 2)] += random.integer(-1, 1);
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), orient(p[0], p[1], p[2], p[3]));
    Vec3 q[3] = {0x1p11 * a, 0x1p11 * (a + e), 0x1p11 * (a - e)};
    q[2][random.integer(0, 2)] += random.integer(-1, 1);
    for (int k = 0; k < 3; ++k) ASSERT_EQ(orient2d(q[0], q[1], q[2], k), cross(r3(q[1]) - r3(q[0]), r3(q[2]) - r3(q[0]))[k].sign());
  }
}
TEST(PredicateTiers, OnlyZerosOfHugeExponentsNeedUnlimitedIntegers) {
  EXPECT_EQ(after([] { return orient3d({0, 0, 0}, {1e300, 0, 0}, {0, 1e-300, 0}, {1e300, 1e-300, 0x1p-1000}); }, 1).filter, 1u);
  EXPECT_EQ(after([] { return orient3d({1, 2, 0x4p-1000}, {1e300, 2, 0x3p-1000}, {1, 1e-300, 0x2p-1000}, {1e300, 1e-300, 0x1p-1000}); }, 0).big, 1u);
  EXPECT_EQ(after([] { return orient3d({0, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}, {0, 0, 1e308}); }, 1).filter, 1u);
}
// Coordinates whose exponents have nothing in common: unlimited integers would take microseconds for each.
TEST(PredicateTiers, FiltersDecideNearlyAllNumbersOfTheWholeRange) {
  Random random(31);
  predicate_counts() = {};
  constexpr std::uint64_t kMany = 20000;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    const Vec3 a = vec(random, 3), b = vec(random, 3), c = vec(random, 3), d = vec(random, 3);
    orient3d(a, b, c, d);
    orient2d(a, b, c, static_cast<int>(i % 3));
    orient_direction(a, b, c, d);
    dot_sign(a, b, c, d);
    compare_squared_distance(a, b, std::fabs(c.x), std::fabs(c.y), std::fabs(c.z));
  }
  EXPECT_LT(predicate_counts().big, kMany / 4);  // of five times as many calls
}
// In one axis all coordinates are the same, so that the sign is an exact zero, or that of an orientation in the plane.
TEST(PredicateTiers, FiltersDecideFlatInputOfTheWholeRange) {
  Random random(32);
  predicate_counts() = {};
  for (int i = 0; i < 2000; ++i) {
    Vec3 p[4] = {vec(random, 3), vec(random, 3), vec(random, 3), vec(random, 3)};
    for (Vec3& q : p) q[i % 3] = p[0][i % 3];
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), 0);
    orient2d(p[0], p[1], p[2], i % 3);
  }
  EXPECT_LT(predicate_counts().big, 400u);
}
TEST(PredicateTiers, TheFilterDecidesNearlyAllRandomInput) {
  Random random(30);
  predicate_counts() = {};
  for (int i = 0; i < 100000; ++i) orient3d(random.point(-1, 1), random.point(-1, 1), random.point(-1, 1), random.point(-1, 1));
  EXPECT_EQ(predicate_counts().filter, 100000u);
}

TEST(PredicateValues, IdentitiesUnderPermutation) {
  Random random(31);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 a = random.grid(-2, 2), b = random.grid(-2, 2), c = random.grid(-2, 2), d = random.grid(-2, 2);
    const int s = orient3d(a, b, c, d);
    ASSERT_EQ(orient3d(b, a, c, d), -s);
    ASSERT_EQ(orient3d(a, c, b, d), -s);
    ASSERT_EQ(orient3d(a, b, d, c), -s);
    ASSERT_EQ(orient3d(b, c, a, d), s);
  }
}

}  // namespace
}  // namespace graze
