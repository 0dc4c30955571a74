// Opens input files.
#include "input/input_file.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <graze/error.hpp>

namespace graze::cli {

InputFile::InputFile(const std::string& path, Opening opening) : name_(path == "-" ? "standard input" : path) {
  if (path == "-") return;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (opening == Opening::at_once ? O_NONBLOCK : 0));
  if (descriptor_ < 0) throw Error(ErrorCode::unreadable_file, path + ": cannot be opened: " + std::strerror(errno));
  struct stat info {};
  if (::fstat(descriptor_, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(descriptor_);
    throw Error(ErrorCode::unreadable_file, path + ": is a directory");
  }
}

InputFile::~InputFile() {
  if (descriptor_ != 0) ::close(descriptor_);
}

}  // namespace graze::cli
