// The bytes of a file at an aligned address: mapped into memory, or read where the file is small.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "io/bytes.hpp"

namespace graze::io {

struct MappedFile {
  std::shared_ptr<const void> owner;  ///< keeps the bytes
  std::span<const std::byte> bytes;   ///< at a multiple of 64
};

/// Throws Error when the file cannot be read or has more than `max_bytes`.
MappedFile map_file(const std::string& path, std::size_t max_bytes);

/// A copy of the bytes.
MappedFile copy_bytes(std::span<const std::byte> bytes);

/// Whether there is a regular file that begins with these bytes.
bool file_begins_with(const std::string& path, std::span<const unsigned char> begin);

}  // namespace graze::io
