// Writing by a temporary file and a rename, so that no reader ever sees half a file.
#include "io/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <graze/error.hpp>
#include <string>
#include <system_error>

namespace graze::io {
namespace {

/// Returns 0 or the error's number.
int write_all(int file, std::span<const std::byte> bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // Linux writes at most 2 GB at once
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), std::min(bytes.size(), kMost));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

void write_whole_file(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
  static std::atomic<unsigned> files{0};
  const std::string temporary = path + ".part" + std::to_string(::getpid()) + "-" + std::to_string(files++);
  const auto fail = [&](int error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw Error(ErrorCode::unwritable_file, path + ": cannot be written: " + std::generic_category().message(error));
  };
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(errno);
  int error = 0;
  for (const std::span<const std::byte> piece : pieces)
    if (error == 0) error = write_all(file, piece);
  if (error == 0 && ::fsync(file) != 0 && errno != EINVAL) error = errno;  // EINVAL: such a file cannot be synchronized
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail(error);
  std::error_code code;
  std::filesystem::rename(temporary, path, code);
  if (code) fail(code.value());
}

}  // namespace graze::io
