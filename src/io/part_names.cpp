// From Latin-1 to UTF-8.
#include "io/part_names.hpp"

#include <string>
#include <vector>

#include "io/bytes.hpp"
#include "json/utf8.hpp"

namespace graze::io {

bool make_utf8(std::string& name) {
  const auto well_formed = [&] {
    for (std::size_t i = 0, n = 0; i < name.size(); i += n) {
      n = json::utf8_length(name, i);
      if (n == 0) return false;
    }
    return true;
  };
  if (well_formed()) return false;
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  name = std::move(out);
  return true;
}

std::string quote_name(std::string name) {
  constexpr std::size_t kLongest = 60;
  make_utf8(name);
  std::string out = "'";
  for (std::size_t i = 0, n = 0; i < name.size(); i += n) {
    n = json::utf8_length(name, i);
    if (i + n > kLongest) {
      out += "...";
      break;
    }
    const auto c = static_cast<unsigned char>(name[i]);
    out += c < 0x20 || c == 0x7F ? "?" : name.substr(i, n);
  }
  return out + "'";
}

void note_latin1(std::size_t parts, std::vector<std::string>& notes) {
  if (parts > 0) notes.push_back("names of " + counted(parts, "part", "parts") + " are not UTF-8 and were read as Latin-1");
}

}  // namespace graze::io
