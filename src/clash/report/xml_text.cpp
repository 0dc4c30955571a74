// Escapes text for XML.
#include "clash/report/xml_text.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include "json/utf8.hpp"

namespace graze::clash {

std::string xml(std::string_view text) {
  std::string out;
  put_xml(out, text);
  return out;
}

void put_xml(std::string& out, std::string_view text) {
  const auto plain = [](char c) { return c >= ' ' && c < 0x7F && c != '&' && c != '<' && c != '>' && c != '"'; };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && plain(text[i])) ++i;
    out.append(text, begin, i - begin);
    if (i == text.size()) break;
    const std::size_t length = json::utf8_length(text, i);
    const std::string_view character = text.substr(i, length);
    i += length == 0 ? 1 : length;
    if (length == 0 || character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF")  // not UTF-8; U+FFFE and U+FFFF, which XML does not have
      out += "\xEF\xBF\xBD";
    else if (character == "&")
      out += "&amp;";
    else if (character == "<")
      out += "&lt;";
    else if (character == ">")
      out += "&gt;";
    else if (character == "\"")
      out += "&quot;";
    else if (character == "\n")
      out += "&#10;";
    else if (length == 1 && static_cast<unsigned char>(character[0]) < 0x20 && character != "\t")
      out += '?';
    else
      out += character;
  }
}

}  // namespace graze::clash
