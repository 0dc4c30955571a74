// Files that are written whole or not at all.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace graze::clash {

/// Writes the text that the pieces form to a temporary file beside `path` and renames it. Throws Error (unwritable_file), and then leaves the file as it was.
void write_whole(const std::string& path, std::span<const std::string> pieces);

/// The same, for a folder into which programs on several machines write: the temporary name is this program's alone, and the file is on the disk before it gets
/// its name. Where the machine fails then, the file is missing or whole.
void write_durably(const std::string& path, std::string_view content);

/// Throws Error (unreadable_file).
std::string read_whole(const std::string& path);

}  // namespace graze::clash
