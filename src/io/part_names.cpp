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

void note_latin1(std::size_t parts, std::vector<std::string>& notes) {
  if (parts > 0) notes.push_back("names of " + counted(parts, "part", "parts") + " are not UTF-8 and were read as Latin-1");
}

}  // namespace graze::io
