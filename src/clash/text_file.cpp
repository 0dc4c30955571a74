// Writing by a temporary file and a rename.
#include "clash/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <graze/error.hpp>
#include <iterator>
#include <string>
#include <system_error>

namespace graze::clash {

void write_whole(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  const auto fail = [&](int error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw Error(ErrorCode::unwritable_file, path + ": cannot be written: " + std::generic_category().message(error));
  };
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(errno);
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t n = ::write(file, content.data() + written, content.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      ::close(file);
      fail(error);
    }
    written += static_cast<std::size_t>(n);
  }
  if (::close(file) != 0) fail(errno);
  std::error_code code;
  std::filesystem::rename(temporary, path, code);
  if (code) fail(code.value());
}

std::string read_whole(const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) throw Error(ErrorCode::unreadable_file, path + ": is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::unreadable_file, path + ": cannot be opened: " + std::generic_category().message(errno));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw Error(ErrorCode::unreadable_file, path + ": cannot be read");
  return text;
}

}  // namespace graze::clash
