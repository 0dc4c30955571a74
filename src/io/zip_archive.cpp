// Zip archives: members are found in the directory, and unpacked by zlib.
#include "io/zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/zip_directory.hpp"
#include "platform/watch.hpp"

namespace graze::io {
namespace {

constexpr std::uint64_t kSmall = std::uint64_t{1} << 28, kGrowth = 64;  // of ReadingBudget; the same as for glTF
constexpr unsigned kPiece = 1 << 16;                                    // bytes unpacked at a time; a choice

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

namespace {

// Raw deflate, piece by piece.
class Inflater {
 public:
  Inflater() { good_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Unpacks the next piece; empty at the end, nothing if the data is damaged. Advances `packed`.
  std::optional<std::string_view> next(std::span<const std::byte>& packed, std::vector<char>& piece) {
    if (!good_) return std::nullopt;
    if (ended_) return std::string_view();
    const auto given = static_cast<uInt>(std::min<std::size_t>(packed.size(), std::size_t{1} << 30));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));  // zlib does not write there
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(piece.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    packed = packed.subspan(given - stream_.avail_in);
    const std::size_t made = piece.size() - stream_.avail_out;
    ended_ = code == Z_STREAM_END;
    if (!ended_ && (code != Z_OK || made == 0)) return std::nullopt;  // without a byte in or out there is no end
    return std::string_view(piece.data(), made);
  }

 private:
  z_stream stream_{};
  bool good_ = false, ended_ = false;
};

}  // namespace

struct ZipArchive::State {
  std::map<std::string, ZipMember> members;  // by name in the archive
};

ZipArchive::ZipArchive(const Source& source, ReadingBudget& budget) : source_(source), budget_(budget), state_(std::make_unique<State>()) {
  for (ZipMember& m : read_zip_directory(source)) {
    if (m.name.ends_with('/')) continue;
    if (!members_.try_emplace(normalized(m.name), m.name).second) fail(source_, "the archive has two members of the name " + quote(m.name));
    std::string name = m.name;
    state_->members.emplace(std::move(name), std::move(m));
  }
}

ZipArchive::~ZipArchive() = default;

std::string ZipArchive::find(std::string_view part) const {
  const auto at = members_.find(normalized(part));
  return at == members_.end() ? std::string() : at->second;
}

void ZipArchive::read(const std::string& name, const std::function<void(std::string_view)>& use) {
  const ZipMember& member = state_->members.at(name);
  const auto fail_member = [&](const std::string& what) { fail(source_, name + ": " + what); };
  if ((member.flags & 1) != 0) fail_member("is encrypted");
  if (member.method != 0 && member.method != Z_DEFLATED)
    fail_member("is compressed by method " + std::to_string(member.method) + ", expected 0 (stored) or 8 (deflate)");
  std::span<const std::byte> packed = packed_bytes(source_, member);
  std::vector<char> piece(kPiece);
  Inflater inflater;
  std::uint64_t total = 0;
  uLong checksum = crc32(0, nullptr, 0);
  for (;;) {
    checkpoint();
    const std::size_t before = packed.size();
    std::optional<std::string_view> unpacked;
    if (member.method == Z_DEFLATED) {
      unpacked = inflater.next(packed, piece);
    } else {
      const std::size_t n = std::min<std::size_t>(packed.size(), kPiece);
      unpacked = std::string_view(reinterpret_cast<const char*>(packed.data()), n);
      packed = packed.subspan(n);
    }
    if (!unpacked) fail_member("its compressed data is damaged after " + size_text(total));
    if (unpacked->empty()) break;
    total += unpacked->size();
    budget_.spend(unpacked->size());
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(unpacked->data()), static_cast<uInt>(unpacked->size()));
    use(*unpacked);
    source_.count(before - packed.size());
  }
  if (total != member.unpacked) fail_member("ends after " + size_text(total) + ", its directory says " + std::to_string(member.unpacked));
  if (checksum != member.checksum) fail_member("its checksum is wrong: the file is damaged");
}

}  // namespace graze::io
