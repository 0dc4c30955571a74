// A zip file, written whole or not at all.
#pragma once
#include <string>
#include <string_view>

#include "platform/file.hpp"

namespace graze::clash {

/// Writes to a temporary file beside `path`, which close() renames; without close() nothing is left. All dates are 1980-01-01, so that the same content gives
/// the same bytes. Throws Error (unwritable_file).
class ZipFile {
 public:
  explicit ZipFile(const std::string& path);
  ~ZipFile();
  ZipFile(const ZipFile&) = delete;
  ZipFile& operator=(const ZipFile&) = delete;

  /// Pictures are compressed already: `deflate` off stores the bytes.
  void add(const std::string& name, std::string_view content, bool deflate = true);
  void close();

 private:
  void check(int error) const;

  std::string path_;
  PendingFile pending_;
  void* file_ = nullptr;
};

}  // namespace graze::clash
