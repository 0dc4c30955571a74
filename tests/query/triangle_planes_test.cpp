// Planes, normals, reflection (K7, U3, U9 with the cases of their texts), against rational arithmetic.
#include <gtest/gtest.h>
#include <graze/query.hpp>
#include <graze/response.hpp>

#include <cmath>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::r3;
using oracle::Rational;

namespace triangle_planes_test {
namespace {

Rational length_sq(const Vec3& v) { return oracle::dot(r3(v), r3(v)); }

void expect_near(const Vec3& a, const Vec3& b, double relative) {
  const double size = std::max({std::fabs(b.x), std::fabs(b.y), std::fabs(b.z)});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], relative * size) << k;
}

}  // namespace

TEST(PlaneOf, FirstPointAndCrossProduct) {
  const auto p = plane_of(Triangle{{Vec3(1, 2, 3), Vec3(3, 2, 3), Vec3(1, 5, 3)}});
  ASSERT_TRUE(p);
  EXPECT_EQ(p->point, Vec3(1, 2, 3));
  EXPECT_EQ(p->normal, Vec3(0, 0, 6));
  EXPECT_FALSE(plane_of(Triangle{{Vec3(0.1, 0.3, 0), Vec3(0.2, 0.6, 0), Vec3(0.4, 1.2, 0)}}));
  EXPECT_FALSE(plane_of(Triangle{{Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(2, 3, 4)}}));
}

TEST(PlaneOf, CorrectlyRounded) {
  test::Random random(1);
  for (int round = 0; round < 300; ++round) {
    Vec3 a = random.point(-1, 1), b = random.point(-1, 1), c = random.point(-1, 1);
    if (round % 3 == 1) c = Vec3(0.5 * a.x + 0.5 * b.x, 0.5 * a.y + 0.5 * b.y, 0.5 * a.z + 0.5 * b.z);  // a needle: plain cross products lose everything
    if (round % 3 == 2) a.x += 65536, b.x += 65536, c.x += 65536;
    const auto p = plane_of(Triangle{{a, b, c}});
    const oracle::R3 n = oracle::cross(r3(b) - r3(a), r3(c) - r3(a));
    if (oracle::is_zero(n)) {
      EXPECT_FALSE(p);
      continue;
    }
    ASSERT_TRUE(p);
    for (int k = 0; k < 3; ++k) {
      const double x = p->normal[k];
      EXPECT_LE(Rational(next_down(x)), n[k]);
      EXPECT_GE(Rational(next_up(x)), n[k]);
    }
  }
}

TEST(PlaneOf, AnyExponents) {
  for (double s : {1e-320, 1e-200, 1e200, 1e308}) {
    const auto p = plane_of(Triangle{{Vec3(0, 0, 0), Vec3(s, 0, 0), Vec3(0, s, 0)}});
    ASSERT_TRUE(p) << s;
    EXPECT_EQ(p->normal.x, 0);
    EXPECT_EQ(p->normal.y, 0);
    EXPECT_GT(p->normal.z, 0);
    EXPECT_LT(p->normal.z, std::numeric_limits<double>::infinity());
    EXPECT_EQ(*unit_normal(Triangle{{Vec3(0, 0, 0), Vec3(s, 0, 0), Vec3(0, s, 0)}}, Vec3(0, 0, -1)), Vec3(0, 0, -1));
  }
}

TEST(UnitNormal, TurnedTowardsTheViewpoint) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
  EXPECT_EQ(*unit_normal(t, Vec3(5, 5, 1e-300)), Vec3(0, 0, 1));
  EXPECT_EQ(*unit_normal(t, Vec3(5, 5, -1e-300)), Vec3(0, 0, -1));
  EXPECT_FALSE(unit_normal(Triangle{{Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(2, 2, 2)}}, Vec3(0, 0, 1)));
  test::Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Triangle r{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    const Vec3 view = random.point(-1, 1), n = *unit_normal(r, view);
    EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-15);
    EXPECT_GE(oracle::dot(r3(n), r3(view) - r3(r.points[0])), Rational(-1e-15));
  }
}

TEST(Reflect, CasesOfTheText) {
  EXPECT_EQ(reflect(Vec3(1, 0, -1), Vec3(0, 0, 2)), Vec3(1, 0, 1));              // was (1, 0, 3)
  EXPECT_EQ(reflect(Vec3(1000, 0, -1e-4), Vec3(0, 0, 1)), Vec3(1000, 0, 1e-4));  // was z 5.1e-5
  EXPECT_EQ(reflect(Vec3(0, 0, 0), Vec3(0, 0, 1)), Vec3(0, 0, 0));               // was NaN
  const double s = 1 / std::sqrt(3.0);
  expect_near(reflect(Vec3(-1, -1, -1), Vec3(s, s, s)), Vec3(1, 1, 1), 1e-15);  // head-on, was NaN
  EXPECT_EQ(reflect(Vec3(1, 0, -1), Vec3(0, 0, -3)), Vec3(1, 0, 1));            // either orientation
  EXPECT_EQ(reflect(Vec3(1, 2, 3), Vec3(1, 1, 0)), Vec3(-2, -1, 3));
}

TEST(Reflect, TerminatesForInvalidVelocities) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (const double x : bad)
    for (const Vec3& v : {Vec3(x, 0, -1), Vec3(0, -x, -1), Vec3(x, x, -x)})
      for (const Vec3& n : {Vec3(0, 0, 1), Vec3(1, 1, 1), Vec3(x, 0, 1)}) {
        (void)reflect(v, n);
        (void)reflect(Vec3(1, 0, -1), n);
        (void)respond(v, n, {.restitution = .5, .friction = .5});
        (void)slide(v, n);
      }
}

TEST(Reflect, AnyLengthOfTheNormalNeverLonger) {
  test::Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const int ev = i % 3 == 0 ? random.integer(-1070, 1020) : 0, en = i % 2 == 0 ? random.integer(-1070, 1020) : 0;
    const Vec3 v0 = random.point(-1, 1), n0 = i % 5 == 0 ? random.grid(-1, 1) : random.point(-1, 1);
    if (n0 == Vec3(0, 0, 0)) continue;
    const Vec3 v(scaled(v0.x, ev), scaled(v0.y, ev), scaled(v0.z, ev)), n(scaled(n0.x, en), scaled(n0.y, en), scaled(n0.z, en));
    if (n == Vec3(0, 0, 0)) continue;
    const Vec3 r = reflect(v, n);
    EXPECT_LE(length_sq(r), length_sq(v));
    EXPECT_EQ(r, reflect(v, Vec3(-n.x, -n.y, -n.z)));
    const oracle::R3 rv = r3(v), rn = r3(n);
    const Rational f = 2 * oracle::dot(rv, rn) / oracle::dot(rn, rn);
    const double size = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
    for (int k = 0; k < 3; ++k) EXPECT_LE(abs(Rational(r[k]) - (rv[k] - f * rn[k])), Rational(size) * Rational(1e-15) + Rational(5e-324) * 4) << i;
  }
  EXPECT_EQ(reflect(Vec3(1e308, 1, 5e-324), Vec3(1, 0, 0)), Vec3(-1e308, 1, 5e-324));
}

}  // namespace triangle_planes_test
