// Poses: the exact arithmetic of the contract, exact quarter turns, and the exact limit of acceptance.
#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/pose.hpp>

#include <cmath>
#include <glm/mat4x4.hpp>
#include <limits>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;
using oracle::Rational;

namespace {

void expect_rotation(const Pose& p, const std::array<double, 9>& rows) {
  for (int i = 0; i < 9; ++i) EXPECT_EQ(p.rotation[i / 3][i % 3], rows[static_cast<std::size_t>(i)]) << "entry " << i;
}

std::array<double, 9> rows_of(const Pose& p) {
  std::array<double, 9> r;
  for (int i = 0; i < 9; ++i) r[static_cast<std::size_t>(i)] = p.rotation[i / 3][i % 3];
  return r;
}

bool accepted(const std::array<double, 9>& rows) {
  try {
    (void)Pose::from_matrix(rows);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool rational_accepts(const std::array<double, 9>& r) {
  const Rational tolerance = Rational(1) / Rational(1000000000000ll);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Rational s = i == j ? -1 : 0;
      for (std::size_t k = 0; k < 3; ++k) s += Rational(r[3 * k + i]) * Rational(r[3 * k + j]);
      if (abs(s) > tolerance) return false;
    }
  return true;
}

}  // namespace

TEST(Pose, EqualComponentsGiveExactTurns) {
  for (double s : {1.0, 0.7071067811865476, 3.0, 1e300, 5e-324, 1e-320, std::numeric_limits<double>::max()}) {
    expect_rotation(Pose::from_quaternion(s, s, 0, 0), {1, 0, 0, 0, 0, -1, 0, 1, 0});   // quarter about x
    expect_rotation(Pose::from_quaternion(0, 0, 0, s), {-1, 0, 0, 0, -1, 0, 0, 0, 1});  // half about z
    expect_rotation(Pose::from_quaternion(s, s, s, s), {0, 0, 1, 1, 0, 0, 0, 1, 0});    // third about (1, 1, 1)
    expect_rotation(Pose::from_quaternion(-s, -s, -s, -s), {0, 0, 1, 1, 0, 0, 0, 1, 0});
  }
}

TEST(Pose, QuarterTurns) {
  for (int n = -9; n <= 9; ++n)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 p(1, 2, 3);
      for (int k = 0; k < ((n % 4) + 4) % 4; ++k) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        const double pa = p[a];
        p[a] = -p[b];
        p[b] = pa;
      }
      const Vec3 q = Pose::quarter_turn(static_cast<Axis>(axis), n, Vec3(10, 0, 0)).apply(Vec3(1, 2, 3));
      EXPECT_EQ(q, Vec3(p.x + 10, p.y, p.z)) << n << " turns about " << axis;
    }
}

TEST(Pose, ScalesByThePowerOfTwoOfTheLargestComponent) {
  // 1e200 squared overflows: only the scaled form is right; and scaling by a power of two changes nothing
  const Pose a = Pose::from_quaternion(0.3, -0.2, 0.9, 0.1);
  for (int e : {-1000, -500, 3, 500, 1000})
    EXPECT_EQ(rows_of(Pose::from_quaternion(scaled(0.3, e), scaled(-0.2, e), scaled(0.9, e), scaled(0.1, e))), rows_of(a)) << e;
  // the literal arithmetic on components already scaled: 0.9 lies below 1, so the contract doubles
  const double w = 0.6, x = -0.4, y = 1.8, z = 0.2, n = ((w * w + x * x) + y * y) + z * z;
  EXPECT_EQ(a.rotation[0][0], (((w * w + x * x) - y * y) - z * z) / n);
  EXPECT_EQ(a.rotation[0][1], (2 * (x * y - w * z)) / n);
  EXPECT_EQ(a.rotation[2][1], (2 * (y * z + w * x)) / n);
}

TEST(Pose, AppliesInTheOrderWritten) {
  Pose p;
  for (auto& row : p.rotation)
    for (double& r : row) r = 0.1;
  p.translation = Vec3(0.7, 0.7, 0.7);
  EXPECT_EQ(p.apply(Vec3(0.3, 0.6, 1e16)).x, ((0.1 * 0.3 + 0.1 * 0.6) + 0.1 * 1e16) + 0.7);
  EXPECT_EQ(p.rotate(Vec3(0.3, 0.6, 0.9)).y, (0.1 * 0.3 + 0.1 * 0.6) + 0.1 * 0.9);
}

TEST(Pose, AcceptanceIsExactAtTheLimit) {
  // a matrix diag(s, 1, 1) with s^2 - 1 near 1e-12, double by double across the limit; also off-diagonal
  double s = 1 + 0.5e-12;
  for (int k = 0; k < 200; ++k) s = next_down(s);
  int yes = 0, no = 0;
  for (int k = 0; k < 400; ++k, s = next_up(s)) {
    const std::array<double, 9> r{s, 0, 0, 0, 1, 0, 0, 0, 1};
    EXPECT_EQ(accepted(r), rational_accepts(r)) << k;
    ++(accepted(r) ? yes : no);
  }
  EXPECT_GT(yes, 10);
  EXPECT_GT(no, 10);
  double t = 1e-12;
  for (int k = 0; k < 50; ++k) t = next_down(t);
  for (int k = 0; k < 100; ++k, t = next_up(t)) {
    const std::array<double, 9> r{1, t, 0, 0, 1, 0, 0, 0, 1};
    EXPECT_EQ(accepted(r), rational_accepts(r)) << k;
  }
}

TEST(Pose, RefusalsNameTheField) {
  EXPECT_NE(message_of([] { (void)Pose::from_matrix({1, 0, 0, 0, 1, 0, 0, 0, -1}); }).find("reflection"), std::string::npos);
  EXPECT_NE(message_of([] { (void)Pose::from_matrix({2, 0, 0, 0, 2, 0, 0, 0, 2}); }).find("not a rotation"), std::string::npos);
  EXPECT_NE(message_of([] { (void)Pose::from_matrix({1e200, 0, 0, 0, 1, 0, 0, 0, 1}); }).find("matrix[0][0] is 1e+200"), std::string::npos);
  EXPECT_NE(message_of([] { (void)Pose::from_quaternion(0, 0, -0.0, 0); }).find("all components are 0"), std::string::npos);
  EXPECT_EQ(message_of([] { (void)Pose::from_quaternion(0, std::numeric_limits<double>::quiet_NaN(), 0, 0); }), "quaternion: x is NaN, must be finite");
  EXPECT_EQ(message_of([] { (void)Pose::from_quaternion(1, 0, 0, 0, Vec3(0, std::numeric_limits<double>::infinity(), 0)); }),
            "translation: y is infinity, must be finite");
}

TEST(Pose, QuaternionsOfAnyLengthAreAccepted) {
  test::Random random(9);
  for (int i = 0; i < 500; ++i) {
    const Pose p = Pose::from_quaternion(random.real(-1, 1) * 1e-200, random.real(-1, 1), random.real(-1, 1), random.real(-1, 1));
    EXPECT_TRUE(accepted(rows_of(p)));
  }
}

TEST(Pose, NearestKeepsWhatIsARotation) {
  test::Random random(10);
  for (int i = 0; i < 200; ++i) {
    const Pose p = random.pose(0);
    expect_rotation(Pose::nearest(rows_of(p), 0), rows_of(p));
  }
  const Pose moved = Pose::nearest({0, -1, 0, 1, 0, 0, 0, 0, 1}, 0, Vec3(1, 2, 3));
  EXPECT_EQ(moved.translation, Vec3(1, 2, 3));
}

TEST(Pose, NearestRoundsSinglePrecisionAndLargerErrors) {
  test::Random random(11);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const Pose p = random.pose(0);
    const double noise = i % 2 == 0 ? 0 : std::ldexp(1.0, -random.integer(4, 40));
    std::array<double, 9> rows = rows_of(p);
    for (double& x : rows) x = i % 2 == 0 ? static_cast<double>(static_cast<float>(x)) : x + random.real(-noise, noise) / 2;
    refused += !accepted(rows);
    const Pose q = Pose::nearest(rows, 0.1);
    EXPECT_TRUE(accepted(rows_of(q)));
    expect_rotation(Pose::nearest(rows_of(q), 0), rows_of(q));
    // The nearest rotation makes R^T M symmetric.
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < a; ++b) {
        double ab = 0, ba = 0;
        for (int k = 0; k < 3; ++k) {
          ab += q.rotation[k][a] * rows[static_cast<std::size_t>(3 * k + b)];
          ba += q.rotation[k][b] * rows[static_cast<std::size_t>(3 * k + a)];
        }
        EXPECT_NEAR(ab, ba, 1e-14);
      }
    if (i % 2 == 0) {
      expect_rotation(Pose::nearest(rows, 1e-6), rows_of(q));  // the tolerance changes no bit
    }
  }
  EXPECT_GT(refused, 1900);
}

TEST(Pose, NearestRefusesWhatIsNotNear) {
  const auto message = [](const std::array<double, 9>& rows, double tolerance) { return message_of([&] { (void)Pose::nearest(rows, tolerance); }); };
  EXPECT_EQ(message({1, 0, 0, 0, 1, 0, 0, 0, 1}, -1), "nearest: the tolerance is -1, must be from 0 to 0.1");
  EXPECT_EQ(message({1, 0, 0, 0, 1, 0, 0, 0, 1}, NAN), "nearest: the tolerance is NaN, must be from 0 to 0.1");
  EXPECT_EQ(message({1, 0, 0, 0, NAN, 0, 0, 0, 1}, 0.1), "matrix[1][1] is NaN, must be finite");
  EXPECT_EQ(message({1.01, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-6), "matrix[0][0] is 1.01, and 1 in the nearest rotation, must be within 1e-06");
  EXPECT_NE(message({1, 0, 0, 0, 1, 0, 0, 0, -1.00001}, 0.1).find("reflection"), std::string::npos);
  EXPECT_NE(message({0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, 0.1).find("not a rotation"), std::string::npos);
  EXPECT_NE(message({1.5, 0, 0, 0, 1.5, 0, 0, 0, 1.5}, 0.1).find("matrix[0][0] is 1.5"), std::string::npos);
  EXPECT_NE(message({0, 0, 0, 0, 0, 0, 0, 0, 0}, 0.1).find("not a rotation"), std::string::npos);
  EXPECT_EQ(message({1.0625, 0, 0, 0, 1, 0, 0, 0, 1}, 0.0625), "(nothing thrown)");  // inclusive
}

TEST(Pose, MatricesOfFourRows) {
  const Pose p = Pose::from_quaternion(0.3, -0.2, 0.9, 0.1, Vec3(1, -2, 3e100));
  const std::array<double, 16> rows = p.matrix4();
  EXPECT_EQ(rows[3], 1);
  EXPECT_EQ(rows[7], -2);
  EXPECT_EQ(rows[15], 1);
  const Pose q = Pose::from_matrix4(rows);
  expect_rotation(q, rows_of(p));
  EXPECT_EQ(q.translation, p.translation);
  const auto m = p.to_glm<glm::dmat4>();
  EXPECT_EQ(m[3], glm::dvec4(1, -2, 3e100, 1));
  EXPECT_EQ(m[0][1], p.rotation[1][0]);
  expect_rotation(Pose::from_glm(m), rows_of(p));
  glm::dmat4 single(glm::mat4(p.to_glm<glm::dmat4>()));
  single[3] = glm::dvec4(0, 0, 0, 1);
  EXPECT_NE(message_of([&] { (void)Pose::from_glm(single); }).find("not a rotation"), std::string::npos);
  EXPECT_EQ(message_of([&] { (void)Pose::from_glm(single, 1e-6); }), "(nothing thrown)");
  EXPECT_EQ(message_of([] {
              (void)Pose::from_matrix4({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1});
            }),
            "matrix: the last row is (0, 0.5, 0, 1), must be (0, 0, 0, 1)");
}

TEST(Pose, ComposesAndInverts) {
  test::Random random(12);
  for (int i = 0; i < 500; ++i) {
    const Pose a = random.pose(9);
    const Pose b = random.pose(9);
    const Vec3 p = random.point(-9, 9), both = compose(a, b).apply(p), one = a.apply(b.apply(p)), back = inverse(a).apply(a.apply(p));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(both[k], one[k], 1e-13);
      EXPECT_NEAR(back[k], p[k], 1e-13);
    }
  }
  const Pose turn = Pose::quarter_turn(Axis::z, 1, Vec3(1, 2, 3));
  expect_rotation(compose(turn, inverse(turn)), {1, 0, 0, 0, 1, 0, 0, 0, 1});
  EXPECT_EQ(compose(turn, inverse(turn)).translation, Vec3(0, 0, 0));
  EXPECT_EQ(compose(turn, turn).translation, turn.apply(Vec3(1, 2, 3)));
}
