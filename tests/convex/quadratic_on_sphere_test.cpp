// Quadratics on circles and spheres against many samples, and with greatest values at and near 0.
#include "convex/curved/quadratic_on_sphere.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convex/sets/minkowski_frame.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::quadratic_on_sphere_test {
namespace {

using test::Random;

SphereQuadratic random_quadratic(Random& random, int n) {
  SphereQuadratic q;
  q.n = n;
  q.k = random.real(-2, 2);
  for (int i = 0; i < n; ++i) {
    q.g[i] = random.integer(0, 2) == 0 ? 0 : random.real(-1, 1);
    for (int j = 0; j <= i; ++j) q.f[i][j] = q.f[j][i] = random.integer(0, 3) == 0 ? 0 : random.real(-1, 1);
  }
  return q;
}

double value_at(const SphereQuadratic& q, const double (&y)[3]) {
  double sum = rounded(q.k);
  for (int i = 0; i < q.n; ++i) {
    sum += 2 * rounded(q.g[i]) * y[i];
    for (int j = 0; j < q.n; ++j) sum += rounded(q.f[i][j]) * y[i] * y[j];
  }
  return sum;
}

/// The greatest value: samples, improved by steps to random neighbours that are ever smaller.
double greatest(const SphereQuadratic& q, Random& random) {
  double best = -1e300, at[3] = {0, 0, 0};
  const auto test = [&](double x, double y, double z) {
    double p[3] = {x, q.n > 1 ? y : 0, q.n > 2 ? z : 0};
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (length == 0) return;
    for (double& c : p) c /= length;
    if (const double v = value_at(q, p); v > best) {
      best = v;
      std::copy(p, p + 3, at);
    }
  };
  for (int k = 0; k < 2000; ++k) test(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1));
  for (double step = 0.1; step > 1e-6; step *= 0.98) test(at[0] + random.real(-step, step), at[1] + random.real(-step, step), at[2] + random.real(-step, step));
  return best;
}

TEST(QuadraticOnSphere, AgreesWithSamples) {
  Random random(7);
  int yes = 0, rounds = test::rounds(1000);
  for (int round = 0; round < rounds; ++round) {
    SphereQuadratic q = random_quadratic(random, random.integer(1, 3));
    const double most = greatest(q, random);
    for (const double shift : {-1.0, -1e-3, 1e-3, 1.0}) {  // samples come within some 1e-6
      SphereQuadratic moved = q;
      moved.k = q.k - TwoDouble(most) + TwoDouble(shift);
      ASSERT_EQ(is_at_most_zero(moved, 1e-5), shift < 0) << round << " " << shift;
    }
    yes += most < 0;
  }
  EXPECT_GT(yes, rounds / 20);
  EXPECT_LT(yes, rounds * 19 / 20);
}

/// |(1 - s, 0, 0) + s y|^2 - 1 is greatest at y = (1, 0, 0), with 0; for s = 1 it is 0 everywhere.
TEST(QuadraticOnSphere, GreatestValueOfZero) {
  for (const int n : {1, 2, 3})
    for (const double s : {0x1p-30, 0.25, 0.75, 1 - 0x1p-30, 1.0})
      for (const double margin : {0x1p-20, 0x1p-45, 0x1p-85}) {
        for (const double excess : {-1.0, 0.0, 1.0}) {  // in units of the margin
          SphereQuadratic q;
          q.n = n;
          const TwoDouble scale(s);
          q.add_square(1, TwoDouble(1) - scale, {scale, TwoDouble(0), TwoDouble(0)});
          if (n > 1) q.add_square(1, TwoDouble(0), {TwoDouble(0), scale, TwoDouble(0)});
          if (n > 2) q.add_square(1, TwoDouble(0), {TwoDouble(0), TwoDouble(0), scale});
          q.k = q.k - TwoDouble(1) + TwoDouble(excess * margin);
          if (excess < 0) {
            EXPECT_TRUE(is_at_most_zero(q, margin)) << n << " " << s << " " << margin;
          } else {
            EXPECT_FALSE(is_at_most_zero(q, margin)) << n << " " << s << " " << margin << " " << excess;
          }
        }
      }
}

TEST(QuadraticOnSphere, HardCaseWithoutLinearPart) {
  SphereQuadratic q;
  q.n = 3;
  q.f[0][0] = 1;
  q.f[1][1] = 1;
  q.f[2][2] = -5;
  q.g[2] = 0.25;  // the greatest value is taken on a circle: 1 + 1/96 - ...
  const double y = 0.25 / 6, most = (1 - y * y) - 5 * y * y + 2 * 0.25 * y;
  for (const double gap : {1e-3, 1e-9, 1e-14}) {
    q.k = -most - gap;
    EXPECT_TRUE(is_at_most_zero(q, 0.5 * gap)) << gap;
    q.k = -most + gap;
    EXPECT_FALSE(is_at_most_zero(q, 0.5 * gap)) << gap;
  }
}

TEST(QuadraticOnSphere, OfNoDimensionIsANumber) {
  SphereQuadratic q;
  q.k = -1;
  EXPECT_TRUE(is_at_most_zero(q, 0x1p-40));
  q.k = 0;
  EXPECT_FALSE(is_at_most_zero(q, 0x1p-40));
}

}  // namespace
}  // namespace graze::quadratic_on_sphere_test
