// Reading files and pipes.
#include "io/file_bytes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <graze/error.hpp>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/watch.hpp"

namespace graze::io {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 24;  // bytes, between two looks at whether the caller wants an end; a choice

// Opens a file for reading. A pipe without a writer is refused after a moment, where an ordinary open would block for ever; while a writer is connected, it may
// take its time. The test may have to read a byte; `first` receives that byte.
std::FILE* open_file(const Source& source, bool pipe, std::optional<std::byte>& first) {
  constexpr int kWaitMilliseconds = 2000;
  const int file = ::open(source.name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) fail(source, "cannot be opened: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  if (pipe) {
    pollfd what{file, POLLIN, 0};
    if (::poll(&what, 1, kWaitMilliseconds) == 0) {
      std::byte byte{};
      const ssize_t n = ::read(file, &byte, 1);
      if (n == 1) first = byte;
      if (n == 0) {
        ::close(file);
        fail(source, "is a pipe that no program writes to", ErrorCode::unreadable_file);
      }
    }
  }
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  std::FILE* const stream = ::fdopen(file, "rb");
  if (stream == nullptr) ::close(file);
  return stream;
}

}  // namespace

void fail_too_large(const Source& source, std::size_t bytes, std::size_t max_bytes) {
  fail(source, "has " + std::to_string(bytes) + " bytes or more, at most " + std::to_string(max_bytes) + " are read", ErrorCode::too_large);
}

FileBytes read_file(const std::string& path, std::size_t max_bytes) {
  const Source source{path, {}};
  if (path.find('\0') != std::string::npos) fail(source, "the path holds a NUL character", ErrorCode::unreadable_file);
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) fail(source, "there is no such file", ErrorCode::unreadable_file);
  if (status.type() == std::filesystem::file_type::directory) fail(source, "is a directory, expected a model file", ErrorCode::unreadable_file);
  if (status.type() != std::filesystem::file_type::regular && status.type() != std::filesystem::file_type::fifo) {
    fail(source, code ? "cannot be opened: " + code.message() : "is neither a file nor a pipe", ErrorCode::unreadable_file);
  }
  const bool regular = status.type() == std::filesystem::file_type::regular;
  std::optional<std::byte> first;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_file(source, !regular, first), std::fclose);
  if (!file) fail(source, "cannot be opened: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  const std::uintmax_t size = regular ? std::filesystem::file_size(path, code) : 0;
  if (code) fail(source, "its size cannot be found: " + code.message(), ErrorCode::unreadable_file);
  if (size > max_bytes) fail_too_large(source, size, max_bytes);

  std::vector<std::byte> bytes;
  bytes.resize(static_cast<std::size_t>(size));
  std::size_t read = 0;
  if (first) {
    bytes.assign(1, *first);
    read = 1;
  }
  for (;;) {  // the size of a pipe is known only at its end
    if (read == bytes.size()) {
      if (regular && read > 0) break;
      if (read >= max_bytes) fail_too_large(source, read, max_bytes);
      bytes.resize(std::min<std::size_t>(max_bytes, std::max<std::size_t>(std::size_t{1} << 16, read * 2)));
    }
    checkpoint();
    const std::size_t n = std::fread(bytes.data() + read, 1, std::min(bytes.size() - read, kReadAtOnce), file.get());
    read += n;
    if (n == 0) break;
  }
  if (std::ferror(file.get())) fail(source, "cannot be read: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  bytes.resize(read);
  return {std::move(bytes), regular};
}

}  // namespace graze::io
