// SHA-256 by OpenSSL's libcrypto.
#include "clash/pairs/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace graze::clash {
namespace {

EVP_MD_CTX* context_of(void* p) { return static_cast<EVP_MD_CTX*>(p); }

// Looked up once: OpenSSL takes longer for that than for a digest.
const EVP_MD* sha256() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

void check(int ok) {
  if (ok != 1) throw Error(ErrorCode::internal, "libcrypto cannot compute SHA-256");
}

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
// That of the thread's last digest: to make one takes longer than a short digest.
thread_local std::unique_ptr<EVP_MD_CTX, FreeContext> spare;

template <class T>
std::array<unsigned char, sizeof(T)> little(T value) {
  std::array<unsigned char, sizeof(T)> out;
  for (std::size_t i = 0; i < sizeof(T); ++i) out[i] = static_cast<unsigned char>(value >> 8 * i);
  return out;
}

}  // namespace

Digest::Digest() : context_(spare ? spare.release() : EVP_MD_CTX_new()) {
  check(context_ != nullptr && sha256() != nullptr && EVP_DigestInit_ex(context_of(context_), sha256(), nullptr));
}
Digest::~Digest() { spare.reset(context_of(context_)); }

void Digest::bytes(const void* data, std::size_t n) {
  if (n > buffer_.size() - buffered_) flush();
  if (n > buffer_.size()) {
    check(EVP_DigestUpdate(context_of(context_), data, n));
    return;
  }
  if (n == 0) return;  // `data` may be null
  std::memcpy(buffer_.data() + buffered_, data, n);
  buffered_ += n;
}

void Digest::flush() {
  check(EVP_DigestUpdate(context_of(context_), buffer_.data(), buffered_));
  buffered_ = 0;
}

Digest& Digest::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  bytes(text.data(), text.size());
  return *this;
}
Digest& Digest::add(std::span<const std::string> pieces) {
  std::uint64_t size = 0;
  for (const std::string& piece : pieces) size += piece.size();
  add(size);
  for (const std::string& piece : pieces) bytes(piece.data(), piece.size());
  return *this;
}
Digest& Digest::add(std::uint64_t number) {
  const auto raw = little(number);
  bytes(raw.data(), raw.size());
  return *this;
}
Digest& Digest::add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
Digest& Digest::add(std::span<const double> numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    bytes(numbers.data(), numbers.size_bytes());
  } else {
    for (const double x : numbers) add(x);
  }
  return *this;
}
Digest& Digest::add(std::span<const std::uint32_t> numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    bytes(numbers.data(), numbers.size_bytes());
  } else {
    for (const std::uint32_t n : numbers) {
      const auto raw = little(n);
      bytes(raw.data(), raw.size());
    }
  }
  return *this;
}

std::string Digest::hex(std::size_t digits) {
  flush();
  std::array<unsigned char, 32> raw{};
  check(EVP_DigestFinal_ex(context_of(context_), raw.data(), nullptr));
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out(digits, '0');
  for (std::size_t i = 0; i < digits; ++i) out[i] = kHex[raw[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
  return out;
}

}  // namespace graze::clash
