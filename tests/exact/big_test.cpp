// Conversions between doubles and exact numbers.
#include "exact/big.hpp"
#include "exact/rough.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

double any_double(test::Random& random) {
  for (;;) {
    const double x = std::bit_cast<double>(random.bits());
    if (std::isfinite(x)) return x;
  }
}

TEST(DoubleParts, RoundTrips) {
  test::Random random(2);
  for (int i = 0; i < 100000; ++i) {
    const double x = any_double(random);
    const DoubleParts p = parts_of(x);
    ASSERT_EQ(std::ldexp(static_cast<double>(p.mantissa), p.exponent), x);
    ASSERT_TRUE(p.mantissa % 2 != 0 || x == 0);
    if (x != 0) {
      ASSERT_EQ(exponent_of(x), std::ilogb(x));
    }
    ASSERT_EQ(next_up(x), std::nextafter(x, INFINITY));
    ASSERT_EQ(next_down(x), std::nextafter(x, -INFINITY));
    const int e = random.integer(-2200, 2200);
    ASSERT_EQ(scaled(x, e), std::ldexp(x, e)) << x << " * 2^" << e;
  }
  for (int e = -1074; e < 1024; ++e) ASSERT_EQ(power_of_two(e), std::ldexp(1.0, e));
}

TEST(Dyadic, ConvertsDoublesExactly) {
  test::Random random(3);
  for (int i = 0; i < 50000; ++i) {
    const double x = any_double(random);
    for (const Rounding r : {Rounding::nearest, Rounding::down, Rounding::up}) ASSERT_EQ(to_double(Dyadic(x), r), x);
  }
}

TEST(Dyadic, QuotientsRoundInEachDirection) {
  test::Random random(4);
  for (int i = 0; i < 50000; ++i) {
    const double x = any_double(random), y = std::fabs(random.real(0.5, 3));
    const Dyadic n(x), d(y);
    const double down = to_double(n.m, d.m, n.e - d.e, Rounding::down), up = to_double(n.m, d.m, n.e - d.e, Rounding::up),
                 near = to_double(n.m, d.m, n.e - d.e, Rounding::nearest);
    const oracle::Rational q = oracle::Rational(x) / oracle::Rational(y);
    ASSERT_LE(oracle::Rational(down), q);
    if (std::isfinite(up)) {
      ASSERT_GE(oracle::Rational(up), q);
      ASSERT_TRUE(up == down || up == std::nextafter(down, INFINITY));
      ASSERT_EQ(near, x / y);
    }
  }
}

TEST(Dyadic, RoundsAtTheEndsOfTheRange) {
  const BigInt one = 1;
  EXPECT_EQ(to_double(one, one, -2000, Rounding::nearest), 0);
  EXPECT_EQ(to_double(one, one, -2000, Rounding::nearest, true), 5e-324);
  EXPECT_EQ(to_double(one, one, -2000, Rounding::up), 5e-324);
  EXPECT_EQ(to_double(-one, one, -2000, Rounding::down), -5e-324);
  EXPECT_EQ(to_double(one, one, 2000, Rounding::nearest), std::numeric_limits<double>::max());
  EXPECT_EQ(to_double(one, one, 2000, Rounding::up), std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_double((one << 53) - 1, one, -1074 - 52, Rounding::nearest), 0x1p-1073);  // 1.99... denormals: to two
  EXPECT_EQ(to_double(BigInt(3), one, -1075, Rounding::nearest), 0x1p-1073);             // 1.5 denormals: to even
}

TEST(Dyadic, SquareRootsAgreeWithHardware) {
  test::Random random(5);
  for (int i = 0; i < 50000; ++i) {
    const double x = std::fabs(any_double(random));
    Dyadic d(x);
    if (d.e & 1) d = {d.m << 1, d.e - 1};
    ASSERT_EQ(sqrt_to_double(d.m, 1, d.e / 2), std::sqrt(x));
  }
}

/// Sums and differences of a few doubles of very different sizes: words of all zeros and of all ones.
BigInt scattered(test::Random& r) {
  BigInt x = 0;
  for (int k = r.integer(1, 5); k > 0; --k) {
    BigInt y = static_cast<std::uint64_t>(r.integer(1, 1 << 30));
    y <<= r.integer(0, 3000);
    if (r.integer(0, 1))
      x += y;
    else
      x -= y;
  }
  return x;
}

TEST(Big, SparseProducts) {
  test::Random r(91);
  for (int i = 0; i < 5000; ++i) {
    const BigInt a = scattered(r), b = i % 3 == 0 ? BigInt(scattered(r) * scattered(r)) : scattered(r);
    if (a.sign() == 0 || b.sign() == 0) continue;
    ASSERT_EQ(sparse_product(a, b), BigInt(a * b));
    ASSERT_EQ(product(a, b), BigInt(a * b));
  }
}

/// A sign reported as certain is correct, including for sums that cancel.
TEST(Big, RoughSigns) {
  test::Random r(92);
  int certain = 0;
  for (int i = 0; i < 20000; ++i) {
    const BigInt a = scattered(r), b = scattered(r), c = scattered(r);
    const BigInt d = i % 2 ? scattered(r) : BigInt((a * b) / (c.sign() == 0 ? BigInt(1) : c) + r.integer(-1, 1));
    const int truth = BigInt(a * b - c * d).sign(), said = (Rough(a) * Rough(b) - Rough(c) * Rough(d)).certain_sign();
    ASSERT_TRUE(said == 0 || said == truth) << i;
    certain += said != 0;
  }
  EXPECT_GT(certain, 8000);
}

}  // namespace
}  // namespace graze
