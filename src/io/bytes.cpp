// Error messages of the readers: quoted text is short and printable, and every error names its position in the file.
#include "io/bytes.hpp"

#include <graze/error.hpp>

namespace graze::io {

std::string quote(std::string_view found) {
  constexpr std::size_t kLongest = 40;
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "'";
  for (std::size_t i = 0; i < found.size() && i < kLongest; ++i) {
    const auto c = static_cast<unsigned char>(found[i]);
    if (c >= 0x20 && c < 0x7F) {
      out += found[i];
    } else {
      out += {'\\', 'x', kHex[c >> 4], kHex[c & 15]};
    }
  }
  if (found.size() > kLongest) out += "...";
  return out + "'";
}

void fail(const Source& source, const std::string& message, ErrorCode code) { throw Error(code, source.name + ": " + message); }

void fail_at_line(const Source& source, std::size_t line, const std::string& message) {
  throw Error(ErrorCode::malformed_file, source.name + ": line " + std::to_string(line) + ": " + message);
}

void fail_at_byte(const Source& source, std::size_t offset, const std::string& message) {
  throw Error(ErrorCode::malformed_file, source.name + ": byte " + std::to_string(offset) + ": " + message);
}

std::string counted(std::uint64_t n, const char* one, const char* many) { return std::to_string(n) + ' ' + (n == 1 ? one : many); }

void ByteReader::fail_short(std::size_t n, const char* what) const {
  fail_at_byte(source_, offset_,
               std::string("expected ") + what + " (" + counted(n, "byte", "bytes") + "), but " +
                   (remaining() == 0 ? "the file ends here" : "only " + counted(remaining(), "byte follows", "bytes follow")));
}

}  // namespace graze::io
