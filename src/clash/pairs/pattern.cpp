// Patterns of paths, by the table of all prefixes: no input takes exponential time.
#include "clash/pairs/pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "json/utf8.hpp"

namespace graze::clash {

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern == "**") return true;
  if (!is_pattern(pattern)) return pattern == text;
  // at[i]: the pattern so far matches the first i characters
  std::vector<char> at(text.size() + 1, 0), next(text.size() + 1);
  at[0] = 1;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    const char c = pattern[p];
    const bool deep = c == '*' && p + 1 < pattern.size() && pattern[p + 1] == '*';
    next.assign(next.size(), 0);
    if (c == '*') {
      // "**/" may also stand for nothing
      const bool folder = deep && p + 2 < pattern.size() && pattern[p + 2] == '/' && (p == 0 || pattern[p - 1] == '/');
      char on = 0;
      for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i > 0 && !deep && text[i - 1] == '/') on = 0;
        on = static_cast<char>(on | at[i]);
        next[i] = folder ? static_cast<char>(at[i] | (on && i > 0 && text[i - 1] == '/')) : on;
      }
      if (deep) p += folder ? 2 : 1;
    } else {
      for (std::size_t i = 0; i < text.size(); ++i) {
        // `?` is a character, which may have several bytes
        const std::size_t length = c == '?' ? std::max<std::size_t>(json::utf8_length(text, i), 1) : 1;
        if (at[i] && (c == '?' ? text[i] != '/' : text[i] == c)) next[i + length] = 1;
      }
    }
    at.swap(next);
  }
  return at[text.size()] != 0;
}

}  // namespace graze::clash
