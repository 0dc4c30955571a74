// A lock on a file in the folder.
#include "cli/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <graze/error.hpp>
#include <string>
#include <system_error>

namespace graze::cli {

FolderLock::FolderLock(const std::string& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  const std::string path = folder + "/.lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (code || file_ < 0) throw Error(ErrorCode::unwritable_file, folder + ": cannot be written: " + (code ? code.message() : std::strerror(errno)));
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  std::fputs(("graze: waiting for another run that writes into " + folder + "\n").c_str(), stderr);
  while (::flock(file_, LOCK_EX) != 0) {
    if (errno != EINTR) throw Error(ErrorCode::unwritable_file, path + ": cannot be locked: " + std::strerror(errno));
  }
}

FolderLock::~FolderLock() { ::close(file_); }

}  // namespace graze::cli
