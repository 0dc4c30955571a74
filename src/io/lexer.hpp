// The lexer of the text readers: lines, tokens, integers, and doubles correctly rounded from decimals.
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/bytes.hpp"

namespace graze::io {

/// Reads a text line by line (LF, CR LF or CR). Within a line, tokens are separated by blanks; `#` at the start of a token ends the line.
class Lexer {
 public:
  struct Rules {
    bool comments = true;       ///< `#` starts a comment
    bool continuation = false;  ///< a backslash at the end of a line joins it with the next line
    bool any_number = false;    ///< coordinates may be NaN or infinite, for a vertex that no face uses
  };

  Lexer(const Source& source, Rules rules, std::size_t offset = 0, std::size_t line = 1)
      : source_(source), p_(source.begin() + offset), counted_(p_), end_(source.end()), line_(line), rules_(rules) {}

  bool at_end() const { return p_ == end_; }
  std::size_t line() const { return line_; }
  std::size_t offset() const { return static_cast<std::size_t>(p_ - source_.begin()); }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - p_); }

  /// Skips blanks; returns true if nothing follows on this line.
  bool at_line_end() {
    skip_blanks();
    return p_ == end_ || *p_ == '\n' || *p_ == '\r' || (*p_ == '#' && rules_.comments);
  }

  /// Skips the rest of the current line.
  void next_line() {
    while (p_ != end_ && *p_ != '\n' && *p_ != '\r') ++p_;
    end_of_line();
  }

  /// Advances to the next line that is not empty; returns false at the end of the text.
  bool find_line() {
    while (at_line_end()) {
      if (p_ == end_) return false;
      next_line();
    }
    return true;
  }

  /// Returns the next token of this line; empty at the end of the line.
  std::string_view token() {
    if (at_line_end()) return {};
    const char* const first = p_;
    while (p_ != end_ && !ends_token(p_)) ++p_;
    return {first, static_cast<std::size_t>(p_ - first)};
  }

  /// Returns the next token without consuming it.
  std::string_view peek() {
    const char* const here = p_;
    const std::size_t line = line_;
    const std::string_view t = token();
    p_ = here;
    line_ = line;
    return t;
  }

  /// The rest of this line without blanks at either end (and without a comment that follows a blank).
  std::string_view rest();

  /// Reads a double, which must be finite unless the rules allow others. `axis` and `vertex` name the number in a message.
  double coordinate(int axis, std::size_t vertex) {
    skip_blanks();
    const char* first = p_;
    if (first != end_ && *first == '+') ++first;
    double value;
    const auto [last, error] = std::from_chars(first, end_, value);
    if (error == std::errc() && ends_token(last) && is_finite(value) && (first == p_ || *first != '-')) [[likely]] {
      p_ = last;
      return value;
    }
    return unusual_coordinate(axis, vertex);
  }

  /// Reads an integer in [low, high]; `what` names it in a message.
  std::int64_t integer(const char* what, std::int64_t low, std::int64_t high);

  /// Fails at the next token: "line 5: found 'x', expected ...".
  [[noreturn]] void fail_expected(const std::string& expected);
  [[noreturn]] void fail_here(const std::string& message) const { fail_at_line(source_, line_, message); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
  bool continues(const char* p) const { return rules_.continuation && *p == '\\' && p + 1 != end_ && (p[1] == '\n' || p[1] == '\r'); }
  bool ends_token(const char* p) const { return p == end_ || is_blank(*p) || *p == '\n' || *p == '\r' || continues(p); }

  void end_of_line() {
    if (p_ == end_) return;
    if (*p_ == '\r' && p_ + 1 != end_ && p_[1] == '\n') ++p_;
    ++p_;
    ++line_;
    if (const auto n = static_cast<std::size_t>(p_ - counted_); n >= kCountStep) {
      source_.count(n);
      counted_ = p_;
    }
  }

  void skip_blanks() {
    for (; p_ != end_; ++p_) {
      if (is_blank(*p_)) continue;
      if (!continues(p_)) return;
      ++p_;
      end_of_line();
      --p_;
    }
  }

  double unusual_coordinate(int axis, std::size_t vertex);

  const Source& source_;
  const char* p_;
  const char* counted_;
  const char* end_;
  std::size_t line_;
  Rules rules_;
};

/// Parses a whole token as a double; returns false if it is not a number. Infinities and values that overflow become infinities, NaN becomes NaN.
bool parse_double(std::string_view token, double& value);

}  // namespace graze::io
