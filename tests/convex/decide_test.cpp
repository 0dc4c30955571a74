// The generic decision and distance against a rational oracle (all faces of the Minkowski difference), its tiers, and its identities.
#include "convex/decide/decide.hpp"
#include "convex/decide/closest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "parts/convex_of_shape.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::decide_test {
namespace {

using namespace oracle;
using test::Random;

/// Vertices of a convex set without directions.
std::vector<R3> vertices(const ConvexSet& c) {
  std::vector<R3> out;
  for (std::uint32_t i = 0; i < c.points; ++i)
    for (std::uint32_t bits = 0; bits < (1u << c.segments); ++bits) {
      R3 p = r3(c.base(i));
      for (std::uint32_t k = 0; k < c.segments; ++k)
        for (int j = 0; j < 3; ++j) p.c[j] += Rational(bits >> k & 1 ? c.hi[k] : c.lo[k]) * Rational(c.segment[k][j]);
      out.push_back(p);
    }
  return out;
}

/// Squared distance of two hulls: the least over all pairs of faces of up to three vertices of A - B whose nearest point lies inside them; 0 when a tetrahedron
/// holds the origin.
Rational squared_distance(const ConvexSet& a, const ConvexSet& b) {
  std::vector<R3> w;
  for (const R3& p : vertices(a))
    for (const R3& q : vertices(b)) w.push_back(p - q);
  Rational best = -1;
  const auto take = [&](const Rational& d) {
    if (best < 0 || d < best) best = d;
  };
  const std::size_t n = w.size();
  for (std::size_t i = 0; i < n; ++i) {
    take(dot(w[i], w[i]));
    for (std::size_t j = 0; j < i; ++j) {
      const R3 e = w[j] - w[i];
      const Rational ee = dot(e, e), t = -dot(w[i], e);
      if (ee != 0 && t >= 0 && t <= ee) take(dot(cross(w[i], e), cross(w[i], e)) / ee);
      for (std::size_t k = 0; k < j; ++k) {
        const R3 f = w[k] - w[i], m = cross(e, f);
        const Rational mm = dot(m, m);
        if (mm == 0) continue;
        const Rational s = dot(cross(f, w[i]), m), u = dot(cross(w[i], e), m), h = dot(w[i], m);
        if (s >= 0 && u >= 0 && s + u <= mm) take(h * h / mm);
        for (std::size_t l = 0; l < k && best != 0; ++l) {
          const R3 g = w[l] - w[i];
          const Rational det = dot(m, g);
          if (det == 0) continue;
          const Rational x = dot(cross(g, f), w[i]) / det, y = dot(cross(e, g), w[i]) / det, z = -h / det;
          if (x >= 0 && y >= 0 && z >= 0 && x + y + z <= 1) take(0);
        }
      }
    }
  }
  return best;
}

double number(Random& random, int kind) {
  return kind == 0 ? random.integer(-2, 2) : kind == 1 ? random.real(-1, 1) : std::ldexp(random.integer(-4, 4), random.integer(-200, 200));
}
Vec3 vec(Random& random, int kind) {
  const double x = number(random, kind), y = number(random, kind), z = number(random, kind);
  return Vec3(x, y, z);
}
ConvexSet shape(Random& random, int kind) {
  const double r = random.integer(0, 1) ? std::fabs(number(random, kind)) : 0;
  switch (random.integer(0, 5)) {
    case 0:
      return convex_set_of(Sphere{vec(random, kind), r}, nullptr);
    case 1:
      return convex_set_of(Capsule{vec(random, kind), vec(random, kind), r}, nullptr);
    case 2:
      return convex_set_of(Triangle{{vec(random, kind), vec(random, kind), vec(random, kind)}}, nullptr);
    case 3:
      return convex_set_of(Segment{vec(random, kind), vec(random, kind)}, nullptr);
    case 4:
      return convex_set_of(Point{vec(random, kind)}, nullptr);
    default: {
      ConvexSet c;  // a parallelogram whose corners are sums of products
      c.add_point(vec(random, kind));
      c.add_segment(vec(random, kind), -std::fabs(number(random, kind)), std::fabs(number(random, kind)));
      c.add_segment(vec(random, kind), 0, std::fabs(number(random, kind)));
      return c;
    }
  }
}

class Decide : public ::testing::TestWithParam<int> {};

TEST_P(Decide, AgreesWithRationals) {
  const int kind = GetParam();
  Random random(40 + static_cast<std::uint64_t>(kind));
  int hits = 0;
  const int n = kind == 2 ? 100 : 300;
  for (int i = 0; i < n; ++i) {
    const ConvexSet a = shape(random, kind), b = shape(random, kind);
    const double extra = random.integer(0, 2) ? 0 : std::fabs(number(random, kind));
    const Rational sq = squared_distance(a, b), reach = Rational(a.radius) + Rational(b.radius), wide = reach + Rational(extra);
    const int sign = Rational(sq - wide * wide).sign();
    ASSERT_EQ(within(a, b, extra), sign <= 0) << "case " << i;
    ASSERT_EQ(within(b, a, extra), sign <= 0) << "case " << i;
    ASSERT_EQ(compare_distance(a, b, extra), sign) << "case " << i;
    hits += sign <= 0;
    const ConvexClosest c = closest(a, b), d = closest(b, a);
    ASSERT_EQ(c.distance, d.distance);
    ASSERT_EQ(c.on_a, d.on_b);
    if (sq <= reach * reach) {
      ASSERT_EQ(c.distance, 0) << "case " << i;
      ASSERT_EQ(c.on_a, c.on_b);
    } else {
      // |x| is between (distance (1 -+ 1e-15) -+ denormal) + reach
      ASSERT_GT(c.distance, 0) << "case " << i;
      const Rational least = Rational(c.distance) * (1 - Rational(1, 1000000000000000)) - Rational(5e-324) + reach,
                     most = Rational(c.distance) * (1 + Rational(1, 1000000000000000)) + Rational(5e-324) + reach;
      ASSERT_LE(least * least, sq) << "case " << i;
      ASSERT_GE(most * most, sq) << "case " << i;
    }
    const double gap = signed_gap(a, b);
    ASSERT_EQ(gap > 0 ? 1 : gap < 0 ? -1 : 0, Rational(sq - reach * reach).sign());
  }
  EXPECT_GT(hits, n / 20);
  EXPECT_LT(hits, n - n / 20);
}

/// Pairs within a few units in the last place of contact, where the filters' error bounds matter.
TEST(DecideAtTheEdge, AgreesWithRationals) {
  Random random(60);
  int apart = 0;
  for (int i = 0; i < test::rounds(1200); ++i) {
    const double r = random.integer(0, 1) ? random.real(0, 0.5) : 0;
    const Triangle t{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    Capsule c{random.point(-1, 1) + Vec3(0, 0, 3), random.point(-1, 1) + Vec3(0, 0, 3), r};
    const ConvexSet a = convex_set_of(t, nullptr);
    const ConvexClosest near = closest(a, convex_set_of(c, nullptr));
    const Vec3 shift = near.on_a - near.on_b;  // into contact, up to rounding
    c.a += shift;
    c.b += shift;
    for (int k = random.integer(0, 2); k > 0; --k) c.a[random.integer(0, 2)] += random.integer(-1, 1) * 0x1p-52;
    const ConvexSet b = convex_set_of(c, nullptr);
    const Rational sq = squared_distance(a, b), reach = Rational(r);
    const bool truth = sq <= reach * reach;
    ASSERT_EQ(within(a, b), truth) << "case " << i;
    ASSERT_EQ(closest(a, b).distance == 0, truth) << "case " << i;
    apart += !truth;
  }
  EXPECT_GT(apart, test::rounds(120));
  EXPECT_LT(apart, test::rounds(1080));
}

/// The same with many more pairs, including boxes whose corners are sums of products. The reference is the exact tier, which the tests above compare with
/// rationals.
TEST(DecideAtTheEdge, AgreesWithTheExactTier) {
  Random random(61);
  int apart = 0, cases = 0;
  for (int i = 0; i < test::rounds(20000); ++i) {
    const auto box = [&](const Vec3& center) {
      ConvexSet c;
      c.add_point(center);
      for (int k = 0; k < 3; ++k) c.add_segment(random.point(-1, 1), -random.unit(), random.unit());
      return c;
    };
    const auto triangle = [&](const Vec3& at) {
      return convex_set_of(Triangle{{at + random.point(-1, 1), at + random.point(-1, 1), at + random.point(-1, 1)}}, nullptr);
    };
    const ConvexSet a = random.integer(0, 1) ? box(random.point(-1, 1)) : triangle(random.point(-1, 1));
    ConvexSet b = random.integer(0, 1) ? box(random.point(4, 5)) : triangle(random.point(4, 5));
    const ConvexClosest near = closest(a, b);
    if (near.distance == 0) continue;
    const Vec3 shift = near.on_a - near.on_b;
    for (std::uint32_t k = 0; k < b.points; ++k) b.own[k] += shift;
    const int sign = compare_distance(a, b);
    ASSERT_EQ(within(a, b), sign <= 0) << "case " << i;
    apart += sign > 0;
    ++cases;
  }
  EXPECT_GT(apart, cases / 10);
  EXPECT_LT(apart, cases - cases / 10);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Decide, ::testing::Values(0, 1, 2));

DecisionCounts counts_of(const ConvexSet& a, const ConvexSet& b, bool expected) {
  decision_counts() = {};
  EXPECT_EQ(within(a, b), expected);
  return decision_counts();
}

TEST(DecideTiers, GenericPairsAreDecidedInDoubles) {
  const ConvexSet box = convex_set_of(OrientedBox{{0, 0, 0}, {Vec3(1, 0.1, 0), Vec3(-0.1, 1, 0), Vec3(0, 0, 1)}, {1, 2, 3}}, nullptr);
  EXPECT_EQ(counts_of(box, convex_set_of(Capsule{{5, 5, 5}, {6, 4, 5}, 0.25}, nullptr), false).filter, 1u);
  EXPECT_EQ(counts_of(box, convex_set_of(Capsule{{0.3, 0.2, 0.1}, {6, 4, 5}, 0.25}, nullptr), true).filter, 1u);
  EXPECT_EQ(counts_of(box, convex_set_of(Line{{0.3, 0.2, 9}, {0.1, 0.2, 1}}, nullptr), true).filter, 1u);
  EXPECT_EQ(counts_of(box, convex_set_of(Plane{{0, 0, 4}, {0.1, 0.2, 3}}, nullptr), false).filter, 1u);
}
TEST(DecideTiers, TouchingPairsAreDecidedExactly) {
  const ConvexSet box = convex_set_of(Box{{0, 0, 0}, {1, 1, 1}}, nullptr);
  EXPECT_EQ(counts_of(box, convex_set_of(Box{{1, 1, 1}, {2, 2, 2}}, nullptr), true).pairs, 1u);
  EXPECT_EQ(counts_of(box, convex_set_of(Sphere{{2, 0.5, 0.5}, 1}, nullptr), true).big, 1u);
  EXPECT_EQ(counts_of(box, convex_set_of(Sphere{{std::nextafter(2.0, 3.0), 0.5, 0.5}, 1}, nullptr), false).pairs, 1u);
}
TEST(DecideTiers, NumbersTooLargeForDoublesAreDecidedExactly) {
  EXPECT_EQ(
      counts_of(convex_set_of(Segment{{-1e300, 0, 0}, {1e300, 0, 0}}, nullptr), convex_set_of(Segment{{0, -1e-300, 5e-324}, {0, 1, 5e-324}}, nullptr), false)
          .big,
      1u);
}

TEST(DecideMoves, ExactMovesChangeNothing) {
  Random random(50);
  for (int i = 0; i < 2000; ++i) {
    const Capsule a{random.grid(-3, 3), random.grid(-3, 3), static_cast<double>(random.integer(0, 2))};
    const Triangle b{{random.grid(-3, 3), random.grid(-3, 3), random.grid(-3, 3)}};
    const Pose pose = Pose::quarter_turn(static_cast<Axis>(random.integer(0, 2)), random.integer(0, 3), random.grid(-9, 9));
    ASSERT_EQ(within(convex_set_of(a, nullptr), convex_set_of(b, nullptr)), within(convex_set_of(a, &pose), convex_set_of(b, &pose)));
  }
}

}  // namespace
}  // namespace graze::decide_test
