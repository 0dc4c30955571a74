// Marks are found from the first to the last, in the page alone.
#include "input/html.hpp"

#include <cstddef>

namespace graze::cli {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string json_in_html(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) json.replace(at, 2, "<\\/");
  for (std::size_t at = 0; (at = json.find("<!--", at)) != std::string::npos; at += 9) json.replace(at, 4, "\\u003c!--");
  return json;
}

std::string filled_in(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> texts) {
  std::string out;
  for (;;) {
    std::size_t first = std::string_view::npos;
    const std::pair<std::string_view, std::string_view>* next = nullptr;
    for (const auto& text : texts)
      if (const std::size_t at = page.find(text.first); at < first) first = at, next = &text;
    out += page.substr(0, first);
    if (next == nullptr) return out;
    out += next->second;
    page.remove_prefix(first + next->first.size());
  }
}

}  // namespace graze::cli
