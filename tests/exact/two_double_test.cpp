// Double-double arithmetic against rationals: the relative errors that the bounds in convex/ rely on.
#include "exact/two_double.hpp"

#include <gtest/gtest.h>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using oracle::Rational;
Rational value(const TwoDouble& x) { return Rational(x.hi) + Rational(x.lo); }
bool close(const TwoDouble& x, const Rational& truth, int bits) { return abs(value(x) - truth) * (boost::multiprecision::cpp_int(1) << bits) <= abs(truth); }

TEST(TwoDouble, ErrorsStayWithinTheirBounds) {
  test::Random random(6);
  const auto draw = [&] { return TwoDouble(random.real(-1, 1), random.real(-1, 1) * 0x1p-54); };
  for (int i = 0; i < 30000; ++i) {
    TwoDouble a = draw(), b = draw();
    a = quick_two_sum(a.hi, a.lo);
    b = quick_two_sum(b.hi, b.lo);
    if (a.hi == 0 || b.hi == 0) continue;
    const Rational x = value(a), y = value(b);
    ASSERT_TRUE(close(a + b, x + y, 102));
    ASSERT_TRUE(close(a - b, x - y, 102));
    ASSERT_TRUE(close(a * b, x * y, 102));
    ASSERT_TRUE(close(a / b, x / y, 102));
    const TwoDouble p = a * a, root = square_root(p);
    ASSERT_TRUE(abs(value(root) * value(root) - value(p)) * (boost::multiprecision::cpp_int(1) << 102) <=
                value(p) * Rational(1 + 0x1p-50));  // twice the root's, and its square
    ASSERT_EQ(value(two_product(a.hi, b.hi)), Rational(a.hi) * Rational(b.hi));
    ASSERT_EQ(value(two_sum(a.hi, b.hi)), Rational(a.hi) + Rational(b.hi));
  }
}

}  // namespace
}  // namespace graze
