// Writes a whole file, or none.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace graze::io {

/// Writes the pieces, one after the other, under a temporary name in the same folder, and renames the file when it is on the disk. Throws Error.
void write_whole_file(const std::string& path, std::span<const std::span<const std::byte>> pieces);

}  // namespace graze::io
