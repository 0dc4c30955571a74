// Minimal spheres against rational arithmetic.
#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <cmath>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;
using oracle::r3;
using oracle::Rational;

namespace minimal_sphere_test {
namespace {

// Exact square of the minimal radius, by all spheres through up to four points.
Rational minimal_square(const std::vector<Vec3>& p) {
  Rational best = -1;
  for (unsigned subset = 1; subset < 1u << p.size(); ++subset) {
    std::vector<oracle::R3> s;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (subset >> i & 1) s.push_back(r3(p[i]));
    if (s.size() > 4) continue;
    const int m = static_cast<int>(s.size()) - 1;
    oracle::R3 c = s[0], u[3];
    Rational g[3][4];
    for (int i = 0; i < m; ++i) u[i] = s[static_cast<std::size_t>(i) + 1] - s[0];
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) g[i][j] = 2 * oracle::dot(u[i], u[j]);
      g[i][m] = oracle::dot(u[i], u[i]);
    }
    bool regular = true;
    for (int i = 0; i < m && regular; ++i) {  // Gauss-Jordan; Gram matrices need no pivoting unless singular
      if (g[i][i] == 0) {
        regular = false;
        break;
      }
      for (int j = 0; j < m; ++j) {
        if (j == i) continue;
        const Rational f = g[j][i] / g[i][i];
        for (int k = i; k <= m; ++k) g[j][k] -= f * g[i][k];
      }
    }
    if (!regular) continue;
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < 3; ++k) c.c[k] += g[i][m] / g[i][i] * u[i][k];
    Rational far = 0;
    for (const Vec3& q : p) far = std::max(far, oracle::dot(r3(q) - c, r3(q) - c));
    if (best < 0 || far < best) best = far;
  }
  return best;
}

}  // namespace

TEST(MinimalSphere, SmallSetsAgainstRationals) {
  test::Random random(4);
  for (int round = 0; round < 150; ++round) {
    std::vector<Vec3> p(static_cast<std::size_t>(random.integer(1, 7)));
    for (Vec3& q : p) {
      q = round % 3 == 0 ? random.grid(-2, 2) : random.point(-1, 1);
      if (round % 4 == 1) q.z = 0.5;
      if (round % 4 == 2) q = Vec3(q.x, q.x * 1e-9 + 1e-12 * q.y, q.z * 1e-9);
    }
    const Sphere s = minimal_sphere(p);
    for (const Vec3& q : p) EXPECT_LE(oracle::squared_distance(q, s.center), Rational(s.radius) * Rational(s.radius));
    const Rational least = minimal_square(p);
    EXPECT_LE(Rational(s.radius) * Rational(s.radius), least * (1 + Rational(2e-12))) << round;
  }
}

/// r <= (1 + 1e-12) sqrt(least) + 2^-52 of the centre's largest coordinate.
bool as_small_as_said(const Sphere& s, const Rational& least) {
  const double coordinate = std::max({std::fabs(s.center.x), std::fabs(s.center.y), std::fabs(s.center.z)});
  const Rational above = Rational(s.radius) - Rational(coordinate) * Rational(0x1p-52), factor = 1 + Rational(1e-12);
  return above <= 0 || above * above <= least * factor * factor;
}

TEST(MinimalSphere, UnrepresentableCentres) {
  const std::vector<Vec3> neighbours{{1, 0, 0}, {1 + 0x1p-52, 0, 0}};
  const Sphere s = minimal_sphere(neighbours);
  EXPECT_EQ(s.radius, 0x1p-52);  // twice the least: there is no double between them
  test::Random random(6);
  int larger = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Vec3> p(static_cast<std::size_t>(random.integer(2, 6)));
    const double far = round % 3 == 0 ? 1e6 : round % 3 == 1 ? 1e15 : 1e300, wide = round % 3 == 2 ? 1e284 : 3;
    for (Vec3& q : p) {
      q = random.point(-wide, wide);
      q = Vec3(q.x + far, q.y - far, q.z + 0.3 * far);
    }
    const Sphere ball = minimal_sphere(p);
    for (const Vec3& q : p) EXPECT_LE(oracle::squared_distance(q, ball.center), Rational(ball.radius) * Rational(ball.radius));
    const Rational least = minimal_square(p);
    EXPECT_TRUE(as_small_as_said(ball, least)) << round;
    larger += Rational(ball.radius) * Rational(ball.radius) > least * (1 + Rational(2e-12));
  }
  EXPECT_GT(larger, 100);  // the rounding of the centre matters here
}

TEST(MinimalSphere, ManyPointsAndScales) {
  test::Random random(5);
  std::vector<Vec3> p(20000);
  for (Vec3& q : p) {
    q = random.point(-1, 1);
    const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    q = Vec3(q.x / l, q.y / l, q.z / l);
  }
  const Sphere s = minimal_sphere(p);
  EXPECT_NEAR(s.radius, 1, 1e-3);
  for (int e : {-1060, -600, 600, 1000}) {
    std::vector<Vec3> q(p.begin(), p.begin() + 200);
    const Sphere plain = minimal_sphere(q);
    for (Vec3& v : q) v = Vec3(scaled(v.x, e), scaled(v.y, e), scaled(v.z, e));
    const Sphere t = minimal_sphere(q);
    for (const Vec3& v : q) EXPECT_LE(oracle::squared_distance(v, t.center), Rational(t.radius) * Rational(t.radius));
    if (e > -1000) {
      EXPECT_NEAR(scaled(t.radius, -e), plain.radius, 1e-12);
    }
  }
  EXPECT_EQ(minimal_sphere(std::vector<Vec3>{Vec3(1, 2, 3), Vec3(1, 2, 3)}).radius, 0);
  EXPECT_EQ(minimal_sphere(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(6, 8, 0)}).radius, 5);
  EXPECT_EQ(message_of([] { (void)minimal_sphere(std::span<const Vec3>()); }), "minimal_sphere: no points, must have at least one");
}

}  // namespace minimal_sphere_test
