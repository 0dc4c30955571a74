// What pages carry: three.js as packaged by Debian, and bytes as text.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace graze::view {

/// The program, to stand in a script element. Throws graze::Error that names the package when it is not installed.
std::string three_js();

std::string base64(std::span<const std::uint8_t> bytes);

/// Compressed by deflate, in base64.
std::string packed(std::span<const std::uint8_t> bytes);

/// Arrays of numbers, concatenated; each starts at a multiple of four bytes.
class Pack {
 public:
  /// Returns the byte offset of the array and its number of elements.
  template <class T>
  std::array<std::size_t, 2> add(const std::vector<T>& list) {
    while (bytes_.size() % 4) bytes_.push_back(0);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + list.size() * sizeof(T));
    if (!list.empty()) std::memcpy(bytes_.data() + at, list.data(), list.size() * sizeof(T));
    return {at, list.size()};
  }
  std::string text() const { return packed(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace graze::view
