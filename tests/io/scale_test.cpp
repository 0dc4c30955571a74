// Changes of the unit of length against rational arithmetic.
#include "io/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "support/random.hpp"

namespace graze::io::scale_test {
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
  test::Random random(91);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [up, down] : {std::pair{1, 1000}, {127, 5}, {127, 5000}, {1524, 5}, {5, 127}, {381, 1250}, {1, 12}, {10, 1}, {9999, 9998}}) {
    Scale scale(static_cast<double>(up) / down);
    for (int i = 0; i < 2000; ++i) {
      const double x = i % 10 == 0 ? std::ldexp(random.real(-1e4, 1e4), -300 + 60 * (i % 11)) : random.real(-1e4, 1e4), y = scale(x);
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

/// Decimals of any length and exponent, as files have them.
std::string random_decimal(test::Random& random) {
  const auto below = [&](unsigned n) { return random.below(n); };
  std::string text = below(2) ? "-" : below(4) ? "" : "+";
  const unsigned before = below(6), after = below(8) == 0 ? 40 + below(900) : below(20);
  if (before == 0 && below(2)) text += "0";
  for (unsigned i = 0; i < before; ++i) text += static_cast<char>('0' + below(10));
  if (after > 0 || below(2)) text += ".";
  for (unsigned i = 0; i < after; ++i) text += static_cast<char>('0' + below(10));
  if (text.find_first_of("0123456789") == std::string::npos) text += "7";
  if (below(3) == 0) text += std::string(below(2) ? "e" : "E") + (below(2) ? "-" : below(2) ? "+" : "") + std::to_string(below(below(4) == 0 ? 320 : 9));
  return text;
}

cpp_rational value_of(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  std::string digits;
  int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  bool point = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') point = true;
    if (c < '0' || c > '9') continue;
    digits += c;
    exponent -= point ? 1 : 0;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  const boost::multiprecision::cpp_int n(digits.empty() ? "0" : digits),
      ten = pow(boost::multiprecision::cpp_int(10), static_cast<unsigned>(std::abs(exponent)));
  const cpp_rational x = exponent < 0 ? cpp_rational(n, ten) : cpp_rational(n * ten);
  return text[0] == '-' ? -x : x;
}

TEST(Scale, DecimalsAreMultipliedAsWritten) {
  EXPECT_EQ(Scale(127, 5).of_text("0.1", 0.1), 2.54);
  EXPECT_EQ(Scale(127, 5).of_text(".1", 0.1), 2.54);
  EXPECT_EQ(Scale(1000, 1).of_text("1e-3", 0.001), 1);
  EXPECT_EQ(Scale(1000, 1).of_text("1e308", 1e308), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Scale(1, 1000).of_text("-0.0", -0.0), 0);
  EXPECT_TRUE(std::signbit(Scale(1, 1000).of_text("-0.0", -0.0)));
  EXPECT_EQ(Scale(1, 1000).of_text("1e-999999999", 0), 0);
  test::Random random(7);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [up, down] : {std::pair{127u, 5u}, {1524u, 5u}, {1u, 1000u}, {1000000u, 1u}, {5u, 127u}}) {
    Scale scale(up, down);
    for (int i = 0; i < 800; ++i) {
      const std::string text = random_decimal(random);
      const cpp_rational read = value_of(text), exact = read * up / down;
      const double x = std::strtod(text.c_str(), nullptr);
      if (!std::isfinite(x)) continue;
      const double y = scale.of_text(text, x);
      if (!std::isfinite(y)) {
        ASSERT_GT(abs(exact), cpp_rational(std::numeric_limits<double>::max()));
        continue;
      }
      const cpp_rational error = abs(cpp_rational(y) - exact);
      for (const double other : {std::nextafter(y, kInfinity), std::nextafter(y, -kInfinity)}) {
        if (!std::isfinite(other)) continue;
        ASSERT_LE(error, abs(cpp_rational(other) - exact)) << text << " * " << up << " / " << down;
      }
    }
    EXPECT_TRUE(scale.has_rounded());
  }
  Scale exact(127, 5);
  EXPECT_EQ(exact.of_text("2.5", 2.5), 63.5);
  EXPECT_EQ(exact(10), 254);
  EXPECT_FALSE(exact.has_rounded());
  EXPECT_EQ(exact.ratio(), "127/5");
}

}  // namespace
}  // namespace graze::io::scale_test
