// Running error bounds against rationals: after every single operation, whatever the true operands within their own bounds.
#include "exact/approx.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using oracle::Rational;

bool covers(const Approx& x, const Rational& truth) { return abs(Rational(x.v) - truth) <= Rational(x.e) * Rational(1 + 0x1p-30); }

/// Tests the three operations at both ends of both operands' bounds.
void check_operations(const Approx& a, const Approx& b) {
  for (const int i : {-1, 1})
    for (const int j : {-1, 1}) {
      const Rational x = Rational(a.v) + i * Rational(a.e), y = Rational(b.v) + j * Rational(b.e);
      ASSERT_TRUE(covers(a + b, x + y)) << a.v << " + " << b.v;
      ASSERT_TRUE(covers(a - b, x - y)) << a.v << " - " << b.v;
      ASSERT_TRUE(covers(a * b, x * y)) << a.v << " * " << b.v;
    }
}

TEST(Approx, BoundsCoverEveryOperation) {
  test::Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::ldexp(1, random.integer(-40, 40)), error = i % 2 ? 0 : std::ldexp(random.real(0, 1), random.integer(-50, 0));
    const Approx a(random.real(-1, 1), error), b(random.real(-1, 1) * scale, error * scale);
    check_operations(a, b);
    if (HasFatalFailure()) return;
  }
}

TEST(Approx, BoundsCoverUnderflow) {
  test::Random random(8);
  for (int i = 0; i < 5000; ++i) {
    check_operations(std::ldexp(random.real(-1, 1), -530), std::ldexp(random.real(-1, 1), random.integer(-560, -500)));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace graze
