// Plane equations against rationals: coefficients rounded once, polygons whose first corners are collinear, concave and bent polygons, any exponents.
#include <gtest/gtest.h>
#include <graze/heritage/plane_equation.hpp>

#include <cmath>
#include <limits>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::Rational;

namespace plane_equation_test {
namespace {

/// Checks that x is a double nearest to the true value.
void expect_nearest(double x, const Rational& truth) {
  const Rational error = abs(Rational(x) - truth);
  EXPECT_LE(error, abs(Rational(next_up(x)) - truth)) << x;
  EXPECT_LE(error, abs(Rational(next_down(x)) - truth)) << x;
}

}  // namespace

TEST(PlaneEquation, OfAPlaneKeepsTheNormalAndRoundsOnce) {
  const PlaneEquation e = equation_of(Plane{{1, 2, 3}, {0, 0, 6}});
  EXPECT_EQ(e.a, 0);
  EXPECT_EQ(e.b, 0);
  EXPECT_EQ(e.c, 6);
  EXPECT_EQ(e.d, -18);
  test::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Plane p{random.point(-1, 1), random.point(-1, 1)};
    for (int k = 0; k < 3; ++k) p.point[k] = scaled(p.point[k], random.integer(-40, 40)), p.normal[k] = scaled(p.normal[k], random.integer(-40, 40));
    if (i % 3 == 0) p.point.z = -(p.normal.x * p.point.x + p.normal.y * p.point.y) / p.normal.z;  // nearly through the origin: products cancel
    const PlaneEquation q = equation_of(p);
    EXPECT_EQ(Vec3(q.a, q.b, q.c), p.normal);
    expect_nearest(q.d, -oracle::dot(oracle::r3(p.normal), oracle::r3(p.point)));
  }
}

TEST(PlaneEquation, DoesNotOverflow) {
  const PlaneEquation e = equation_of(Plane{{1e200, 0, 0}, {1e200, 3e199, 0}});
  EXPECT_TRUE(std::isfinite(e.d));
  EXPECT_LT(e.d, 0);
  EXPECT_EQ(e.b / e.a, 3e199 / 1e200);
  EXPECT_NEAR(-e.d / e.a, 1e200, 1e185);
  const PlaneEquation most = equation_of(Plane{{1.7e308, 1.7e308, 1.7e308}, {1.7e308, 1.7e308, 1.7e308}});
  EXPECT_TRUE(std::isfinite(most.d));
}

TEST(PlaneEquation, GivesAPlaneWhosePointIsRoundedOnce) {
  const Plane floor = plane_of(PlaneEquation{0, 0, 2, -6});
  EXPECT_EQ(floor.point, Vec3(0, 0, 3));
  EXPECT_EQ(floor.normal, Vec3(0, 0, 2));
  EXPECT_EQ(plane_of(PlaneEquation{3, -3, 1, 0}).point, Vec3(0, 0, 0));
  EXPECT_FALSE(std::signbit(plane_of(PlaneEquation{3, -3, 1, 0}).point.x));
  EXPECT_EQ(plane_of(PlaneEquation{3, -3, 1, 6}).point, Vec3(-2, 0, 0));  // of equal components the first
  test::Random random(4);
  for (int i = 0; i < 2000; ++i) {
    PlaneEquation e{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
    for (double* const x : {&e.a, &e.b, &e.c, &e.d}) *x = scaled(*x, random.integer(-40, 40));
    const Plane p = plane_of(e);
    EXPECT_EQ(p.normal, Vec3(e.a, e.b, e.c));
    int k = 0;
    for (int j = 1; j < 3; ++j)
      if (std::fabs(p.normal[j]) > std::fabs(p.normal[k])) k = j;
    for (int j = 0; j < 3; ++j) {
      if (j == k)
        expect_nearest(p.point[j], -Rational(e.d) / Rational(p.normal[k]));
      else
        EXPECT_EQ(p.point[j], 0);
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(oracle::message_of([] { (void)plane_of(PlaneEquation{0, 0, 0, 1}); }), "plane_of: the normal (a, b, c) is (0, 0, 0), must not be zero");
  EXPECT_EQ(oracle::message_of([&] { (void)plane_of(PlaneEquation{0, infinity, 0, 1}); }), "plane_of: the normal (a, b, c): y is infinity, must be finite");
  EXPECT_EQ(oracle::message_of([&] { (void)plane_of(PlaneEquation{0, 1, 0, -infinity}); }), "plane_of: d is -infinity, must be finite");
  EXPECT_NE(oracle::message_of([] { (void)plane_of(PlaneEquation{0, 1e-300, 0, 1e300}); }).find("beyond the largest double"), std::string::npos);
}

TEST(PlaneEquation, OfAPolygonIsItsAreaVector) {
  EXPECT_EQ(plane_of(std::vector<Vec3>{{0, 0, 1}, {2, 0, 1}, {0, 3, 1}})->normal, Vec3(0, 0, 6));
  // the first three corners are collinear
  EXPECT_EQ(plane_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}})->normal, Vec3(0, 0, 8));
  // concave at its second corner: the first three have the opposite orientation
  EXPECT_EQ(plane_of(std::vector<Vec3>{{4, 0, 0}, {1, 1, 0}, {0, 4, 0}, {0, 0, 0}})->normal, Vec3(0, 0, 8));
  EXPECT_EQ(plane_of(std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 2}})->normal, Vec3(8, -8, 32));  // bent
  EXPECT_FALSE(plane_of(std::vector<Vec3>{{0.1, 0.3, 0}, {0.2, 0.6, 0}, {0.4, 1.2, 0}, {0.8, 2.4, 0}}));
  EXPECT_FALSE(plane_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(oracle::message_of([] {
              (void)plane_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, std::numeric_limits<double>::infinity(), 0}});
            }).substr(0, 17),
            "plane_of: point 2");
  test::Random random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<Vec3> corners;
    oracle::R3 truth{{0, 0, 0}};
    for (int i = 0; i < 3 + round % 6; ++i) corners.push_back(random.point(-1, 1) + Vec3(round % 2 ? 65536 : 0, 0, 0));
    for (std::size_t i = 0; i < corners.size(); ++i) {  // Newell: another sum with the same value
      const oracle::R3 c = oracle::cross(oracle::r3(corners[i]), oracle::r3(corners[(i + 1) % corners.size()]));
      for (int k = 0; k < 3; ++k) truth.c[k] += c[k];
    }
    const auto p = plane_of(corners);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->point, corners[0]);
    for (int k = 0; k < 3; ++k) expect_nearest(p->normal[k], truth[k]);
  }
  for (double s : {1e-320, 1e-200, 1e200, 1e308}) {
    const auto p = plane_of(std::vector<Vec3>{{0, 0, 0}, {s, 0, 0}, {s, s, 0}, {0, s, 0}});
    ASSERT_TRUE(p) << s;
    EXPECT_EQ(Vec3(p->normal.x, p->normal.y, 0), Vec3(0, 0, 0));
    EXPECT_GT(p->normal.z, 0);
    EXPECT_LT(p->normal.z, std::numeric_limits<double>::infinity());
  }
}

}  // namespace plane_equation_test
