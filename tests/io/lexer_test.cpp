// Decimals to doubles against the C library's correctly rounded strtod, and the lexer's lines, tokens and messages.
#include "io/lexer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <graze/error.hpp>

#include "support/model_writer.hpp"
#include "support/random.hpp"

namespace graze::io::lexer_test {
namespace {

Source source_of(std::string_view text) { return {"t", {reinterpret_cast<const std::byte*>(text.data()), text.size()}}; }

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

double coordinate(const std::string& text) {
  const Source source = source_of(text);
  Lexer lexer(source, {.comments = true, .continuation = true});
  const double x = lexer.coordinate(1, 4);
  EXPECT_TRUE(lexer.at_line_end()) << text;
  return x;
}

std::string coordinate_error(const std::string& text) {
  try {
    coordinate(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Lexer, EveryDoubleRoundTrips) {
  test::Random random(7);
  for (int i = 0; i < 200000; ++i) {
    const double x = std::bit_cast<double>(random.bits());
    if (!is_finite(x)) continue;
    ASSERT_EQ(bits(coordinate(test::decimal(x, test::Digits::shortest))), bits(x));
    ASSERT_EQ(bits(coordinate(test::decimal(x, test::Digits::seventeen))), bits(x));
  }
}

TEST(Lexer, RoundsAnyDecimalCorrectly) {
  test::Random random(8);
  for (int i = 0; i < 20000; ++i) {
    const std::size_t digits = 1 + random.below<std::size_t>(i % 100 == 0 ? 1200 : 40);
    std::string text = random.coin() ? "-" : "";
    const std::size_t point = random.below(digits + 1);
    for (std::size_t d = 0; d < digits; ++d) {
      if (d == point) text += '.';
      text += static_cast<char>('0' + (random.below(4) ? random.below(10) : 0));
    }
    if (random.below(2)) {
      text += random.coin() ? "e-" : "E";
      text += std::to_string(random.below(400));
    }
    const double expected = std::strtod(text.c_str(), nullptr);
    if (std::isinf(expected)) {
      ASSERT_NE(coordinate_error(text).find("beyond the largest double"), std::string::npos) << text;
    } else {
      ASSERT_EQ(bits(coordinate(text)), bits(expected)) << text;
    }
  }
}

TEST(Lexer, TiesAndEdges) {
  EXPECT_EQ(coordinate("9007199254740993"), 9007199254740992.0);  // a tie goes to even
  EXPECT_EQ(coordinate("9007199254740993.0000000000000000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(bits(coordinate("-0")), bits(-0.0));
  EXPECT_EQ(coordinate("+.5"), 0.5);
  EXPECT_EQ(coordinate("5."), 5.0);
  EXPECT_EQ(bits(coordinate("2.4703282292062327e-324")), 0u);  // under half of the smallest denormal
  EXPECT_EQ(bits(coordinate("2.4703282292062328e-324")), 1u);
  EXPECT_EQ(bits(coordinate("-1e-400")), bits(-0.0));
  EXPECT_EQ(bits(coordinate("1e-99999999999999999999")), 0u);
  EXPECT_EQ(bits(coordinate("0e99999999999999999999")), 0u);
  EXPECT_EQ(coordinate("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(coordinate("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_EQ(coordinate("1.7976931348623157e308"), 1.7976931348623157e308);
}

TEST(Lexer, RefusesNumbersThatAreNotFinite) {
  EXPECT_EQ(coordinate_error("nan"), "t: line 1: y of vertex 4 is 'nan': NaN and infinity are refused");
  EXPECT_EQ(coordinate_error("-inf"), "t: line 1: y of vertex 4 is '-inf': NaN and infinity are refused");
  EXPECT_EQ(coordinate_error("1e309"), "t: line 1: y of vertex 4 is '1e309' is beyond the largest double");
  EXPECT_EQ(coordinate_error("\n"), "t: line 1: the line ends, expected y of vertex 4");
  for (const char* bad : {"abc", "1,5", "1.0x", "+-1", "--1", "0x10", "1e", ".", "1.2.3", "1e5.0",
                          "\xEF\xBB\xBF"
                          "1"}) {
    EXPECT_NE(coordinate_error(bad).find("expected a number (y of vertex 4)"), std::string::npos) << bad;
  }
}

TEST(Lexer, QuotesAreShortAndPrintable) {
  EXPECT_EQ(quote("a\x01\xff"), "'a\\x01\\xff'");
  EXPECT_EQ(quote(std::string(1000, 'x')), std::string("'").append(40, 'x').append("...'"));
  EXPECT_LT(coordinate_error(std::string(100000, 'x')).size(), 200u);
}

TEST(Lexer, CountsLinesOfEveryKind) {
  const Source source = source_of("a\nb\r\nc\rd # e\n\n  f \\\n g\\\r\nh # \\\ni");
  Lexer lexer(source, {.comments = true, .continuation = true});
  std::vector<std::pair<std::string, std::size_t>> lines;
  while (lexer.find_line()) {
    const std::size_t line = lexer.line();
    std::string tokens;
    for (std::string_view t = lexer.token(); !t.empty(); t = lexer.token()) tokens += std::string(t) + '|';
    lines.emplace_back(tokens, line);
    lexer.next_line();
  }
  const std::vector<std::pair<std::string, std::size_t>> expected = {{"a|", 1}, {"b|", 2}, {"c|", 3}, {"d|", 4}, {"f|g|h|", 6}, {"i|", 9}};
  EXPECT_EQ(lines, expected);
}

TEST(Lexer, RestIsTrimmed) {
  const Source source = source_of("g  two words#1 \t# note\r\nx");
  Lexer lexer(source, {});
  lexer.token();
  EXPECT_EQ(lexer.rest(), "two words#1");
  lexer.next_line();
  EXPECT_EQ(lexer.token(), "x");
  EXPECT_EQ(lexer.rest(), "");
}

TEST(Lexer, IntegerErrorsNameTheExpectedRange) {
  const auto integer = [](const std::string& text) -> std::string {
    const Source source = source_of(text);
    Lexer lexer(source, {});
    try {
      return std::to_string(lexer.integer("a count", 0, 9));
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(integer("+7"), "7");
  EXPECT_EQ(integer("12"), "t: line 1: found '12', expected a count from 0 to 9");
  EXPECT_EQ(integer("99999999999999999999"), "t: line 1: found '99999999999999999999', expected a count from 0 to 9");
  EXPECT_EQ(integer("1.5"), "t: line 1: found '1.5', expected a count (an integer)");
  EXPECT_EQ(integer(""), "t: line 1: the file ends, expected a count (an integer)");
}

}  // namespace
}  // namespace graze::io::lexer_test
