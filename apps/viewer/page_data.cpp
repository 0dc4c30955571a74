// What pages carry: three.js as packaged by Debian, and bytes as text.
#include "viewer/page_data.hpp"
#include <zlib.h>
#include <cstdint>
#include <filesystem>
#include <graze/error.hpp>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "platform/file.hpp"

namespace graze::view {

std::string three_js() {
  constexpr const char* kPlaces[] = {"/usr/share/javascript/three/three.min.js", "/usr/share/nodejs/three/build/three.min.js"};
  for (const char* path : kPlaces) {
    if (!std::filesystem::exists(path)) continue;
    std::string s = read_whole(path);
    for (std::size_t at = 0; (at = s.find("</script", at)) != std::string::npos; at += 9) s.replace(at, 8, "<\\/script");
    return s;
  }
  throw Error(ErrorCode::unreadable_file, std::string("a page needs three.js, and ") + kPlaces[0] + " is not there (Debian: apt-get install libjs-three)");
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes.size() * 4 / 3 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t left = static_cast<std::uint32_t>(bytes.size() - i);
    const std::uint32_t n = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    out += kDigits[n >> 18];
    out += kDigits[n >> 12 & 63];
    out += left > 1 ? kDigits[n >> 6 & 63] : '=';
    out += left > 2 ? kDigits[n & 63] : '=';
  }
  return out;
}

std::string packed(std::span<const std::uint8_t> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::uint8_t> out(size);
  if (compress2(out.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), 6) != Z_OK) throw std::bad_alloc();
  return base64(std::span(out).first(size));
}

}  // namespace graze::view
