// Writes strings as JSON, and numbers for people.
#include "json/json_write.hpp"
#include <cstdint>
#include "json/utf8.hpp"

namespace graze::json {

std::size_t utf8_length(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t k) { return i + k < s.size() ? static_cast<unsigned char>(s[i + k]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t more = lead >= 0xC2 && lead <= 0xDF ? 1 : lead >= 0xE0 && lead <= 0xEF ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
  if (more == 0) return 0;
  for (std::size_t k = 1; k <= more; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
  return more + 1;
}

std::string text(double value) {
  std::string s;
  put(s, value);
  return s;
}

std::string text(const Vec3& v) {
  std::string s = "(";
  put(s, v.x);
  s += ", ";
  put(s, v.y);
  s += ", ";
  put(s, v.z);
  s += ')';
  return s;
}

void put(std::string& out, std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  const auto plain = [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; };
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && plain(text[i])) ++i;
    out.append(text, begin, i - begin);
    if (i == text.size()) break;
    const std::size_t length = utf8_length(text, i);
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      out += "\\ufffd";
      ++i;
      continue;
    }
    if (length > 1)
      out.append(text, i, length);
    else if (c == '"' || c == '\\')
      (out += '\\') += static_cast<char>(c);
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else
      ((out += "\\u00") += hex[c >> 4]) += hex[c & 15];
    i += length;
  }
  out += '"';
}

}  // namespace graze::json
