// Zip files by minizip.
#include "clash/report/zip_file.hpp"

#include <minizip/zip.h>

#include <cerrno>
#include <graze/error.hpp>
#include <string>
#include <string_view>
#include <system_error>

namespace graze::clash {
namespace {

constexpr uLong kFirstDay = 1u << 21 | 1u << 16;  // 1980-01-01 in the zip format

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::unwritable_file, path + ": cannot be written" + (why.empty() ? why : ": " + why));
}

}  // namespace

ZipFile::ZipFile(const std::string& path) : path_(path), pending_(path) {
  file_ = zipOpen64(pending_.temporary().c_str(), APPEND_STATUS_CREATE);
  if (file_ == nullptr) fail(path_, std::generic_category().message(errno));
}

ZipFile::~ZipFile() {
  if (file_ != nullptr) zipClose(file_, nullptr);
}

void ZipFile::check(int error) const {
  if (error != ZIP_OK) fail(path_, error == ZIP_ERRNO ? std::generic_category().message(errno) : "");
}

void ZipFile::add(const std::string& name, std::string_view content, bool deflate) {
  zip_fileinfo info{};
  info.dosDate = kFirstDay;
  check(zipOpenNewFileInZip64(file_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, deflate ? Z_DEFLATED : 0, deflate ? 6 : 0, 0));
  check(zipWriteInFileInZip(file_, content.data(), static_cast<unsigned>(content.size())));
  check(zipCloseFileInZip(file_));
}

void ZipFile::close() {
  void* const file = file_;
  file_ = nullptr;
  check(zipClose(file, nullptr));
  pending_.rename();
}

}  // namespace graze::clash
