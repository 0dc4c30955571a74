// Reads a whole file or pipe.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/bytes.hpp"

namespace graze::io {

struct FileBytes {
  std::vector<std::byte> bytes;
  bool regular = false;  ///< a file, not a pipe
};

/// Throws Error when the file cannot be read or has more than `max_bytes`.
FileBytes read_file(const std::string& path, std::size_t max_bytes);

[[noreturn]] void fail_too_large(const Source& source, std::size_t bytes, std::size_t max_bytes);

}  // namespace graze::io
