// Writing by a temporary file and a rename, so that no reader ever sees half a file.
#include "platform/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <graze/error.hpp>
#include <ios>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace graze {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux writes at most 2 GB at once

/// Returns 0 or the error's number.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(file, content.data(), std::min(content.size(), kMostAtOnce));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int to_disk(int file) { return ::fsync(file) != 0 && errno != EINVAL ? errno : 0; }  // EINVAL: such a file cannot be synchronized

std::string name_beside(const std::string& path) {
  static std::atomic<unsigned> files{0};
  char host[65] = "host";
  (void)::gethostname(host, sizeof host - 1);  // cut short where it is longer; the number of the process remains
  return path + ".part-" + host + "-" + std::to_string(::getpid()) + "-" + std::to_string(files++);
}

}  // namespace

void fail_to_write(const std::string& path, int error) {
  throw Error(ErrorCode::unwritable_file, path + ": cannot be written: " + std::generic_category().message(error));
}

PendingFile::PendingFile(std::string path) : path_(std::move(path)), temporary_(name_beside(path_)) {}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!renamed_) std::filesystem::remove(temporary_, ignored);
}

void PendingFile::write(std::span<const std::string_view> pieces, Durable durable) const {
  const int file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail_to_write(path_, errno);
  int error = 0;
  for (const std::string_view piece : pieces)
    if (error == 0) error = write_all(file, piece);
  if (error == 0 && durable == Durable::yes) error = to_disk(file);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail_to_write(path_, error);
}

void PendingFile::rename() {
  std::error_code code;
  std::filesystem::rename(temporary_, path_, code);
  if (code) fail_to_write(path_, code.value());
  renamed_ = true;
}

void write_whole(const std::string& path, std::span<const std::string_view> pieces, Durable durable) {
  PendingFile file(path);
  file.write(pieces, durable);
  file.rename();
}

void write_whole(const std::string& path, std::string_view content, Durable durable) { write_whole(path, std::span(&content, 1), durable); }

std::vector<std::string_view> views(std::span<const std::string> pieces) { return {pieces.begin(), pieces.end()}; }

std::string read_whole(const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) throw Error(ErrorCode::unreadable_file, path + ": is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::unreadable_file, path + ": cannot be opened: " + std::generic_category().message(errno));
  const std::uintmax_t expected = std::filesystem::file_size(path, code);        // of a pipe: an error
  std::string text(code ? 4096 : static_cast<std::size_t>(expected) + 1, '\0');  // one more byte, so that the end is seen
  std::size_t size = 0;
  while (file.read(text.data() + size, static_cast<std::streamsize>(text.size() - size))) {
    size = text.size();
    text.resize(2 * size);
  }
  text.resize(size + static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw Error(ErrorCode::unreadable_file, path + ": cannot be read");
  return text;
}

}  // namespace graze
