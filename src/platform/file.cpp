// Writing by a temporary file and a rename, so that no reader ever sees half a file; reading of files and pipes.
#include "platform/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <graze/error.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/watch.hpp"

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

constexpr const char* kUnfinished = ".part-";

std::string name_beside(const std::string& path) {
  static std::atomic<unsigned> files{0};
  char host[65] = "host";
  (void)::gethostname(host, sizeof host - 1);  // cut short where it is longer; the number of the process remains
  return path + kUnfinished + host + "-" + std::to_string(::getpid()) + "-" + std::to_string(files++);
}

[[noreturn]] void fail_to_read(const std::string& path, const std::string& message) { throw Error(ErrorCode::unreadable_file, path + ": " + message); }

constexpr std::size_t kReadAtOnce = std::size_t{1} << 24;  // bytes, between two looks at whether the caller wants an end; a choice

// Opens a file for reading. A pipe without a writer is refused after a moment, where an ordinary open would block for ever; while a writer is connected, it may
// take its time. The test may have to read a byte; `first` receives that byte.
std::FILE* open_file(const std::string& path, bool pipe, std::optional<char>& first) {
  constexpr int kWaitMilliseconds = 2000;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) fail_to_read(path, "cannot be opened: " + std::generic_category().message(errno));
  if (pipe) {
    pollfd what{file, POLLIN, 0};
    if (::poll(&what, 1, kWaitMilliseconds) == 0) {
      char byte = 0;
      const ssize_t n = ::read(file, &byte, 1);
      if (n == 1) first = byte;
      if (n == 0) {
        ::close(file);
        fail_to_read(path, "is a pipe that no program writes to");
      }
    }
  }
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  std::FILE* const stream = ::fdopen(file, "rb");
  if (stream == nullptr) ::close(file);
  return stream;
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

void remove_unfinished(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  const std::string start = whole.filename().string() + kUnfinished;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(whole.has_parent_path() ? whole.parent_path() : ".", ignored))
    if (entry.path().filename().string().starts_with(start)) fs::remove(entry.path(), ignored);
}

void write_whole(const std::string& path, std::span<const std::string_view> pieces, Durable durable) {
  PendingFile file(path);
  file.write(pieces, durable);
  file.rename();
}

void write_whole(const std::string& path, std::string_view content, Durable durable) { write_whole(path, std::span(&content, 1), durable); }

std::vector<std::string_view> views(std::span<const std::string> pieces) { return {pieces.begin(), pieces.end()}; }

void fail_too_large(const std::string& name, std::size_t bytes, std::size_t max_bytes) {
  throw Error(ErrorCode::too_large, name + ": has " + std::to_string(bytes) + " bytes or more, at most " + std::to_string(max_bytes) + " are read");
}

std::string read_whole(const std::string& path, std::size_t max_bytes) {
  if (path.find('\0') != std::string::npos) fail_to_read(path, "the path holds a NUL character");
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) fail_to_read(path, "there is no such file");
  if (status.type() == std::filesystem::file_type::directory) fail_to_read(path, "is a directory, expected a file");
  if (status.type() != std::filesystem::file_type::regular && status.type() != std::filesystem::file_type::fifo) {
    fail_to_read(path, code ? "cannot be opened: " + code.message() : "is neither a file nor a pipe");
  }
  const bool regular = status.type() == std::filesystem::file_type::regular;
  std::optional<char> first;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_file(path, !regular, first), std::fclose);
  if (!file) fail_to_read(path, "cannot be opened: " + std::generic_category().message(errno));
  const std::uintmax_t size = regular ? std::filesystem::file_size(path, code) : 0;
  if (code) fail_to_read(path, "its size cannot be found: " + code.message());
  if (size > max_bytes) fail_too_large(path, size, max_bytes);

  std::string bytes;
  bytes.resize(static_cast<std::size_t>(size));
  std::size_t read = 0;
  if (first) {
    bytes.assign(1, *first);
    read = 1;
  }
  for (;;) {  // the size of a pipe is known only at its end
    if (read == bytes.size()) {
      if (regular && read > 0) break;
      if (read >= max_bytes) fail_too_large(path, read, max_bytes);
      bytes.resize(std::min<std::size_t>(max_bytes, std::max<std::size_t>(std::size_t{1} << 16, read * 2)));
    }
    checkpoint();
    const std::size_t n = std::fread(bytes.data() + read, 1, std::min(bytes.size() - read, kReadAtOnce), file.get());
    read += n;
    if (n == 0) break;
  }
  if (std::ferror(file.get())) fail_to_read(path, "cannot be read: " + std::generic_category().message(errno));
  bytes.resize(read);
  return bytes;
}

}  // namespace graze
