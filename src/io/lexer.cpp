// The lexer's rare paths: numbers that are not ordinary finite decimals, and messages.
#include "io/lexer.hpp"

#include "math/limits.hpp"

namespace graze::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns true if a decimal outside the range of doubles is too large, false if it is too small, by the exponent of its first non-zero digit.
bool is_overflow(std::string_view s) {
  std::size_t i = !s.empty() && s[0] == '-' ? 1 : 0;
  std::int64_t leading = 0;  // digits from the first non-zero one to the point, or minus the number of zeros after the point
  bool seen = false, point = false;
  for (; i < s.size() && (is_digit(s[i]) || s[i] == '.'); ++i) {
    if (s[i] == '.') {
      point = true;
    } else {
      seen = seen || s[i] != '0';
      if (!point && seen) ++leading;
      if (point && !seen) --leading;
    }
  }
  std::int64_t exponent = 0;
  bool negative = false;
  if (i < s.size()) ++i;  // e or E
  if (i < s.size() && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
  for (; i < s.size() && is_digit(s[i]); ++i) exponent = exponent < (std::int64_t{1} << 50) ? exponent * 10 + (s[i] - '0') : exponent;
  return seen && leading + (negative ? -exponent : exponent) > 0;
}

}  // namespace

bool parse_double(std::string_view token, double& value) {
  if (token.starts_with('+')) {
    token.remove_prefix(1);
    if (token.starts_with('-')) return false;
  }
  const auto [last, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (last != token.data() + token.size() || token.empty()) return false;
  if (error == std::errc()) return true;
  if (error != std::errc::result_out_of_range) return false;
  const bool negative = token[0] == '-';
  value = is_overflow(token) ? kInfinity : 0.0;  // below half the smallest denormal, 0 is the correctly rounded value
  if (negative) value = -value;
  return true;
}

double Lexer::unusual_coordinate(int axis, std::size_t vertex) {
  const std::size_t line = line_;
  const std::string which = std::string(1, "xyz"[axis]) + " of vertex " + std::to_string(vertex);
  const std::string_view found = token();
  double value;
  if (found.empty()) fail_at_line(source_, line, "the line ends, expected " + which);
  if (!parse_double(found, value)) fail_at_line(source_, line, "found " + quote(found) + ", expected a number (" + which + ")");
  if (is_finite(value) || rules_.any_number) return value;
  const char* const fault = found.find_first_of("nN") == std::string_view::npos ? " is beyond the largest double" : ": NaN and infinity are refused";
  fail_at_line(source_, line, which + " is " + quote(found) + fault);
}

std::int64_t Lexer::integer(const char* what, std::int64_t low, std::int64_t high) {
  const bool more = !at_line_end();
  const char* const first = p_;
  std::int64_t value = 0;
  const auto [last, error] = std::from_chars(first + (more && *first == '+' ? 1 : 0), end_, value);
  if (!more || error != std::errc() || !ends_token(last) || value < low || value > high) {
    const bool is_integer = more && error != std::errc::invalid_argument && ends_token(last);
    fail_expected(std::string(what) + (is_integer ? " from " + std::to_string(low) + " to " + std::to_string(high) : " (an integer)"));
  }
  p_ = last;
  return value;
}

std::string_view Lexer::rest() {
  if (at_line_end()) return {};
  const char* const first = p_;
  const char* last = p_;  // past the last character that is not blank
  while (p_ != end_ && *p_ != '\n' && *p_ != '\r' && !(rules_.comments && *p_ == '#' && is_blank(p_[-1]))) {
    if (!is_blank(*p_++)) last = p_;
  }
  return {first, static_cast<std::size_t>(last - first)};
}

void Lexer::fail_expected(const std::string& expected) {
  const std::size_t line = line_;
  const std::string_view found = token();
  fail_at_line(source_, line, (!found.empty() ? "found " + quote(found) : p_ == end_ ? "the file ends" : "the line ends") + ", expected " + expected);
}

}  // namespace graze::io
