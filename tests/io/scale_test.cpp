// Changes of the unit of length against rational arithmetic.
#include "io/scale.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace graze::io {
namespace {

using boost::multiprecision::abs;
using boost::multiprecision::cpp_rational;

TEST(Scale, OneLengthInTwoUnitsIsOneNumber) {
  EXPECT_EQ(Scale(0.01)(70), 0.7);
  EXPECT_EQ(Scale(25.4)(12), 304.8);
  EXPECT_EQ(Scale(304.8)(1), Scale(25.4)(12));
  EXPECT_EQ(Scale(0.0254)(1), Scale(0.01)(2.54));
  EXPECT_EQ(Scale(0.001)(-300.25), -0.30025);
  EXPECT_EQ(Scale(1)(0.1), 0.1);
  EXPECT_TRUE(Scale(1).is_one());
}

TEST(Scale, RoundsOnce) {
  std::mt19937_64 engine(91);
  std::uniform_real_distribution<double> length(-1e4, 1e4);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [up, down] : {std::pair{1, 1000}, {127, 5}, {127, 5000}, {1524, 5}, {5, 127}, {381, 1250}, {1, 12}, {10, 1}, {9999, 9998}}) {
    const Scale scale(static_cast<double>(up) / down);
    for (int i = 0; i < 2000; ++i) {
      const double x = i % 10 == 0 ? std::ldexp(length(engine), -300 + 60 * (i % 11)) : length(engine), y = scale(x);
      const cpp_rational exact = cpp_rational(x) * up / down, error = abs(cpp_rational(y) - exact);
      ASSERT_LE(error, abs(cpp_rational(std::nextafter(y, kInfinity)) - exact)) << x << " * " << up << " / " << down;
      ASSERT_LE(error, abs(cpp_rational(std::nextafter(y, -kInfinity)) - exact)) << x << " * " << up << " / " << down;
    }
  }
}

TEST(Scale, OtherFactorsAndFarNumbersAreMultiplied) {
  EXPECT_EQ(Scale(0.123456789012345)(3), 0.123456789012345 * 3);
  EXPECT_EQ(Scale(1e-9)(3), 1e-9 * 3);
  EXPECT_EQ(Scale(0.001)(0), 0);
  EXPECT_EQ(Scale(0.001)(1e-310), 0.001 * 1e-310);
  EXPECT_EQ(Scale(1000)(1e306), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace graze::io
