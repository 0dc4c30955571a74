// Zip archives by minizip, which reads the bytes in memory through the functions below.
#include "io/zip_archive.hpp"

#include <minizip/unzip.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/watch.hpp"

namespace graze::io {

// A file for minizip, read only.
struct MemoryFile {
  std::span<const std::byte> bytes;
  std::uint64_t at = 0;
};

namespace {

constexpr std::uint64_t kSmall = std::uint64_t{1} << 28, kGrowth = 64;  // of ReadingBudget; the same as for glTF
constexpr unsigned kPiece = 1 << 16;                                    // bytes unpacked at a time; a choice

MemoryFile& file_of(void* stream) { return *static_cast<MemoryFile*>(stream); }

void* open_memory(void* opaque, const void* /*name*/, int /*mode*/) { return opaque; }

uLong read_memory(void* /*opaque*/, void* stream, void* to, uLong size) {
  MemoryFile& file = file_of(stream);
  const std::uint64_t n = std::min<std::uint64_t>(size, file.bytes.size() - file.at);
  if (n > 0) std::memcpy(to, file.bytes.data() + file.at, static_cast<std::size_t>(n));
  file.at += n;
  return static_cast<uLong>(n);
}

uLong write_memory(void* /*opaque*/, void* /*stream*/, const void* /*from*/, uLong /*size*/) { return 0; }

ZPOS64_T tell_memory(void* /*opaque*/, void* stream) { return file_of(stream).at; }

long seek_memory(void* /*opaque*/, void* stream, ZPOS64_T offset, int origin) {
  MemoryFile& file = file_of(stream);
  const std::uint64_t size = file.bytes.size();
  const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at : origin == ZLIB_FILEFUNC_SEEK_END ? size : 0;
  if (offset > size - base) return -1;
  file.at = base + offset;
  return 0;
}

int close_memory(void* /*opaque*/, void* /*stream*/) { return 0; }
int error_of_memory(void* /*opaque*/, void* /*stream*/) { return 0; }

int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

// Names of parts of a package are compared without their case and with %20 and the like written out.
std::string normalized(std::string_view part) {
  std::string out;
  for (std::size_t i = part.starts_with('/') ? 1 : 0; i < part.size(); ++i) {
    char c = part[i];
    if (c == '%' && i + 2 < part.size() && digit_of(part[i + 1]) >= 0 && digit_of(part[i + 2]) >= 0) {
      c = static_cast<char>(16 * digit_of(part[i + 1]) + digit_of(part[i + 2]));
      i += 2;
    }
    out += c == '\\' ? '/' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string size_text(std::uint64_t bytes) { return counted(bytes, "byte", "bytes"); }

}  // namespace

ReadingBudget::ReadingBudget(const Source& source, std::uint64_t max_bytes)
    : source_(source), limit_(std::min<std::uint64_t>(max_bytes, kSmall + kGrowth * source.bytes.size())), left_(limit_) {}

void ReadingBudget::fail_spent() const {
  fail(source_, "the model is too large when unpacked (more than " + size_text(limit_) + "; the file has " + std::to_string(source_.bytes.size()) + ")",
       ErrorCode::too_large);
}

struct ZipArchive::State {
  MemoryFile file;
  unzFile zip = nullptr;
  std::map<std::string, unz64_file_pos> places;  // by name in the archive
};

ZipArchive::ZipArchive(const Source& source, ReadingBudget& budget) : source_(source), budget_(budget), state_(std::make_unique<State>()) {
  state_->file.bytes = source.bytes;
  zlib_filefunc64_def functions{open_memory, read_memory, write_memory, tell_memory, seek_memory, close_memory, error_of_memory, &state_->file};
  state_->zip = unzOpen2_64("", &functions);
  if (state_->zip == nullptr) fail(source_, "is no zip archive: its directory is missing or damaged");
  std::vector<char> text(1 << 16);
  for (int code = unzGoToFirstFile(state_->zip); code != UNZ_END_OF_LIST_OF_FILE; code = unzGoToNextFile(state_->zip)) {
    unz_file_info64 info{};
    unz64_file_pos place{};
    if (code == UNZ_OK) code = unzGetCurrentFileInfo64(state_->zip, &info, text.data(), text.size(), nullptr, 0, nullptr, 0);
    if (code == UNZ_OK) code = unzGetFilePos64(state_->zip, &place);
    if (code != UNZ_OK) {
      unzClose(state_->zip);
      fail(source_, "the directory of the archive is damaged after " + counted(state_->places.size(), "member", "members"));
    }
    const std::string name(text.data(), std::min<std::size_t>(info.size_filename, text.size()));
    if (name.ends_with('/')) continue;
    const bool fresh = members_.try_emplace(normalized(name), name).second;
    if (!fresh) {
      unzClose(state_->zip);
      fail(source_, "the archive has two members of the name " + quote(name));
    }
    state_->places.emplace(name, place);
  }
}

ZipArchive::~ZipArchive() { unzClose(state_->zip); }

std::string ZipArchive::find(std::string_view part) const {
  const auto at = members_.find(normalized(part));
  return at == members_.end() ? std::string() : at->second;
}

void ZipArchive::read(const std::string& name, const std::function<void(std::string_view)>& use) {
  const auto fail_member = [&](const std::string& what) { fail(source_, name + ": " + what); };
  unz64_file_pos place = state_->places.at(name);
  unz_file_info64 info{};
  if (unzGoToFilePos64(state_->zip, &place) != UNZ_OK || unzGetCurrentFileInfo64(state_->zip, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
    fail_member("its entry in the archive's directory is damaged");
  if ((info.flag & 1) != 0) fail_member("is encrypted");
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
    fail_member("is compressed by method " + std::to_string(info.compression_method) + ", expected 0 (stored) or 8 (deflate)");
  if (unzOpenCurrentFile(state_->zip) != UNZ_OK) fail_member("its header in the archive is damaged, or differs from the directory");
  // Closed in any case, so that the next member can be opened; its result is the test of the checksum.
  struct Closer {
    unzFile zip;
    ~Closer() {
      if (zip != nullptr) unzCloseCurrentFile(zip);
    }
  } closer{state_->zip};
  std::vector<char> piece(kPiece);
  std::uint64_t total = 0, counted_to = state_->file.at;
  for (;;) {
    checkpoint();
    const int n = unzReadCurrentFile(state_->zip, piece.data(), kPiece);
    if (n < 0) fail_member("its compressed data is damaged after " + size_text(total));
    if (n == 0) break;
    total += static_cast<std::uint64_t>(n);
    budget_.spend(static_cast<std::uint64_t>(n));
    use({piece.data(), static_cast<std::size_t>(n)});
    if (state_->file.at > counted_to) source_.count(static_cast<std::size_t>(state_->file.at - std::exchange(counted_to, state_->file.at)));
  }
  if (total != info.uncompressed_size) fail_member("ends after " + size_text(total) + ", its directory says " + std::to_string(info.uncompressed_size));
  if (unzCloseCurrentFile(std::exchange(closer.zip, nullptr)) != UNZ_OK) fail_member("its checksum is wrong: the file is damaged");
}

}  // namespace graze::io
