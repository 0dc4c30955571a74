// Files that are written whole or not at all.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace graze::clash {

/// A new file under a temporary name beside `path`.
class PendingFile {
 public:
  /// Writes the text that the pieces form. Throws Error (unwritable_file).
  PendingFile(std::string path, std::span<const std::string> pieces);
  PendingFile(std::string path, std::string temporary, std::span<const std::string_view> pieces, bool durable);  ///< durable: it is on the disk, too
  /// Removes the file if it has not got its name.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Gives the file its name; one that had it is replaced. Throws Error (unwritable_file).
  void rename();

 private:
  void remove();
  std::string path_, temporary_;  // the latter empty when it is renamed
};

/// Writes to a temporary file beside `path` and renames it. Throws Error (unwritable_file), and then leaves the file as it was.
void write_whole(const std::string& path, std::span<const std::string> pieces);

/// The same, for a folder into which programs on several machines write: the temporary name is this program's alone, and the file is on the disk before it gets
/// its name. Where the machine fails then, the file is missing or whole.
void write_durably(const std::string& path, std::string_view content);

/// Throws Error (unreadable_file).
std::string read_whole(const std::string& path);

}  // namespace graze::clash
