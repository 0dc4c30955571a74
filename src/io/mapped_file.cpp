// Maps files. Files below kSmall are copied: a page of theirs costs as much as a mapping does, and a copy cannot be cut short by another program.
#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <graze/error.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "platform/file.hpp"
#include "platform/large_array.hpp"

namespace graze::io {
namespace {

constexpr std::size_t kSmall = std::size_t{1} << 20;  // a choice

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

}  // namespace

MappedFile copy_bytes(std::span<const std::byte> bytes) {
  auto copy = std::make_shared<LargeArray<std::byte>>(bytes.size());
  if (!bytes.empty()) std::memcpy(copy->data(), bytes.data(), bytes.size());
  const std::span<const std::byte> view(*copy);
  return {std::move(copy), view};
}

MappedFile map_file(const std::string& path, std::size_t max_bytes) {
  const Source source{path, {}};
  const Descriptor file(path);
  if (file.get() < 0) fail(source, "cannot be opened: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) fail(source, "its size cannot be found: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size < kSmall) {
    const std::string bytes = read_whole(path, max_bytes);
    return copy_bytes(std::as_bytes(std::span(bytes)));
  }
  if (size > max_bytes) fail_too_large(path, size, max_bytes);
  void* const p = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (p == MAP_FAILED) fail(source, "cannot be mapped: " + std::generic_category().message(errno), ErrorCode::unreadable_file);
  const std::shared_ptr<const void> owner(p, [size](void* at) { ::munmap(at, size); });
  return {owner, {static_cast<const std::byte*>(p), size}};
}

bool file_begins_with(const std::string& path, std::span<const unsigned char> begin) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;  // opening a pipe would wait
  const Descriptor file(path);
  std::array<unsigned char, 64> found;
  return file.get() >= 0 && ::read(file.get(), found.data(), begin.size()) == static_cast<ssize_t>(begin.size()) &&
         std::equal(begin.begin(), begin.end(), found.begin());
}

}  // namespace graze::io
