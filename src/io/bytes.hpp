// The bytes of a file with its name, errors that name their position, and a reader of binary data that cannot read past the end.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "platform/expects.hpp"
#include "platform/progress_meter.hpp"

namespace graze::io {

/// Readers count the bytes that they have read in steps of about this many.
inline constexpr std::size_t kCountStep = 1 << 16;

/// The input of a reader; `name` serves only for messages and for the file name extension.
struct Source {
  std::string name;
  std::span<const std::byte> bytes;
  ProgressMeter* meter = nullptr;  ///< counts bytes; null if progress is not reported

  /// Records that n more bytes have been read.
  void count(std::size_t n) const {
    if (meter != nullptr) meter->add(n);
  }
  const char* begin() const { return reinterpret_cast<const char*>(bytes.data()); }
  const char* end() const { return begin() + bytes.size(); }
  std::string_view text() const { return {begin(), bytes.size()}; }
};

/// The found text as quoted in a message: printable, and short whatever the file contains.
std::string quote(std::string_view found);

[[noreturn]] void fail(const Source& source, const std::string& message, ErrorCode code = ErrorCode::malformed_file);
[[noreturn]] void fail_at_line(const Source& source, std::size_t line, const std::string& message);
[[noreturn]] void fail_at_byte(const Source& source, std::size_t offset, const std::string& message);

/// "1 vertex", "2 vertices"
std::string counted(std::uint64_t n, const char* one, const char* many);

inline bool is_finite(double x) { return (std::bit_cast<std::uint64_t>(x) >> 52 & 0x7FF) != 0x7FF; }

/// Reads scalars in either byte order from a given offset. `need` must precede `take`, so that a reader checks once per record, not once per byte.
class ByteReader {
 public:
  ByteReader(const Source& source, std::size_t offset, bool big_endian = false)
      : source_(source), offset_(offset), swap_(big_endian != (std::endian::native == std::endian::big)) {}

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return source_.bytes.size() - offset_; }

  /// Throws unless n bytes follow; `what` names them in the message.
  void need(std::size_t n, const char* what) const {
    if (n > remaining()) fail_short(n, what);
  }

  template <class T>
  T take() {
    GRAZE_EXPECTS(sizeof(T) <= remaining());
    std::byte raw[sizeof(T)];
    std::memcpy(raw, source_.bytes.data() + offset_, sizeof(T));
    offset_ += sizeof(T);
    if (swap_) {
      for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
    }
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

  void skip(std::size_t n) { offset_ += n; }

 private:
  [[noreturn]] void fail_short(std::size_t n, const char* what) const;

  const Source& source_;
  std::size_t offset_;
  bool swap_;
};

}  // namespace graze::io
