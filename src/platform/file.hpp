// Files that are written whole or not at all, and files read whole.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace graze {

/// Whether a file is on the disk before it gets its name: where the machine fails then, the file is missing or whole.
enum class Durable : bool { no, yes };

/// A new file under a temporary name beside `path` that is this object's alone, also among programs of several machines.
class PendingFile {
 public:
  explicit PendingFile(std::string path);
  /// Removes the file if it has not got its name.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  /// Writes the pieces, one after the other. Throws Error (unwritable_file).
  void write(std::span<const std::string_view> pieces, Durable durable = Durable::no) const;
  /// Gives the file its name; one that had it is replaced. Throws Error (unwritable_file).
  void rename();

 private:
  std::string path_, temporary_;
  bool renamed_ = false;
};

/// Removes the temporary files of `path` that killed programs left. Only for one who knows that nobody writes the file now.
void remove_unfinished(const std::string& path);

/// Writes to a temporary file beside `path` and renames it. Throws Error (unwritable_file), and then leaves the file as it was.
void write_whole(const std::string& path, std::span<const std::string_view> pieces, Durable durable = Durable::no);
void write_whole(const std::string& path, std::string_view content, Durable durable = Durable::no);

/// The pieces as views, for the functions above.
[[nodiscard]] std::vector<std::string_view> views(std::span<const std::string> pieces);

/// The content of a file or a pipe. Throws Error (unreadable_file; too_large for more than `max_bytes`).
[[nodiscard]] std::string read_whole(const std::string& path, std::size_t max_bytes = ~std::size_t{0});

[[noreturn]] void fail_too_large(const std::string& name, std::size_t bytes, std::size_t max_bytes);

[[noreturn]] void fail_to_write(const std::string& path, int error);  ///< `error`: a value of errno

}  // namespace graze
