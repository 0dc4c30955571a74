// SHA-256 of texts and numbers, as hexadecimal digits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace graze::clash {

/// The digest of what is added, in order. Numbers count by their bits in little-endian order, so that digests are the same on every machine.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  /// A text counts with its length, so that "ab", "c" differs from "a", "bc".
  Digest& add(std::string_view text);
  /// The text that the pieces form.
  Digest& add(std::span<const std::string> pieces);
  Digest& add(double number);
  Digest& add(std::uint64_t number);
  Digest& add(std::span<const double> numbers);
  Digest& add(std::span<const std::uint32_t> numbers);
  /// The first `digits` hexadecimal digits, at most 64. Nothing may be added after.
  std::string hex(std::size_t digits);

 private:
  void bytes(const void* data, std::size_t n);
  void flush();
  void* context_;
  std::array<unsigned char, 512> buffer_;  // what libcrypto has not got yet, since each of its calls takes longer than 100 bytes of a digest
  std::size_t buffered_ = 0;
};

}  // namespace graze::clash
