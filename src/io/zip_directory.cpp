// Finds the record at the end of the archive, then reads the directory entry by entry, and local headers on demand.
#include "io/zip_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace graze::io {
namespace {

constexpr std::uint32_t kEntry = 0x02014b50, kLocal = 0x04034b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator = 0x07064b50;
constexpr std::uint64_t kEntrySize = 46, kLocalSize = 30, kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20;
constexpr std::uint16_t kDescriptor = 8;  // flag: sizes and checksum follow the data
constexpr std::uint16_t kFull16 = 0xFFFF;
constexpr std::uint32_t kFull32 = 0xFFFFFFFF;  // the number stands in the extra field

// Numbers at any place of the file. Places are checked by has().
class Numbers {
 public:
  explicit Numbers(const Source& source) : source_(source) {}
  std::uint64_t size() const { return source_.bytes.size(); }
  bool has(std::uint64_t at, std::uint64_t n) const { return n <= size() && at <= size() - n; }
  std::uint16_t u16(std::uint64_t at) const { return reader(at).take<std::uint16_t>(); }
  std::uint32_t u32(std::uint64_t at) const { return reader(at).take<std::uint32_t>(); }
  std::uint64_t u64(std::uint64_t at) const { return reader(at).take<std::uint64_t>(); }
  bool is(std::uint64_t at, std::uint32_t signature, std::uint64_t n) const { return has(at, n) && u32(at) == signature; }
  std::string_view text(std::uint64_t at, std::uint64_t n) const { return source_.text().substr(static_cast<std::size_t>(at), static_cast<std::size_t>(n)); }

 private:
  ByteReader reader(std::uint64_t at) const { return {source_, static_cast<std::size_t>(at)}; }
  const Source& source_;
};

// Sizes and the place of a header, each of 32 bits, or full and then in the extra field 1, in this order.
struct Wide {
  std::uint64_t unpacked, packed, header = 0;
  bool complete = true;  // nothing full is missing in the extra field
};

Wide widened(const Numbers& file, Wide w, std::uint64_t extra, std::uint64_t length) {
  const std::uint64_t end = extra + length;
  while (end - extra >= 4) {
    const std::uint64_t at = extra + 4, n = std::min<std::uint64_t>(file.u16(extra + 2), end - at);
    if (file.u16(extra) == 1) {
      std::uint64_t used = 0;
      for (std::uint64_t* number : {&w.unpacked, &w.packed, &w.header}) {
        if (*number != kFull32) continue;
        if (n - used < 8) {
          w.complete = false;
          return w;
        }
        *number = file.u64(at + used);
        used += 8;
      }
      return w;
    }
    extra = at + n;
  }
  w.complete = w.unpacked != kFull32 && w.packed != kFull32 && w.header != kFull32;
  return w;
}

// Where the directory lies, by the records at the end.
struct Place {
  std::uint64_t begin, size, members;
};

std::optional<std::uint64_t> find_end(const Numbers& file) {
  if (file.size() < kEndSize) return std::nullopt;
  const std::uint64_t last = file.size() - kEndSize, first = last - std::min<std::uint64_t>(last, kFull16);  // a comment may follow
  for (std::uint64_t at = last + 1; at-- > first;)
    if (file.u32(at) == kEnd && file.u16(at + 20) <= file.size() - at - kEndSize) return at;
  return std::nullopt;
}

std::optional<Place> find_directory(const Numbers& file) {
  const std::optional<std::uint64_t> end = find_end(file);
  if (!end) return std::nullopt;
  Place p{file.u32(*end + 16), file.u32(*end + 12), file.u16(*end + 10)};
  std::uint64_t after = *end;  // of the directory
  bool several = file.u16(*end + 4) != file.u16(*end + 6) || file.u16(*end + 8) != file.u16(*end + 10);
  if (*end >= kLocatorSize && file.u32(*end - kLocatorSize) == kLocator) {
    const std::uint64_t at = file.u64(*end - kLocatorSize + 8);
    if (!file.is(at, kEnd64, kEnd64Size)) return std::nullopt;
    p = {file.u64(at + 48), file.u64(at + 40), file.u64(at + 32)};
    several = file.u32(at + 16) != file.u32(at + 20) || file.u64(at + 24) != file.u64(at + 32);
    after = at;
  }
  if (several || p.size > after || p.begin > after - p.size) return std::nullopt;
  return p;
}

}  // namespace

std::vector<ZipMember> read_zip_directory(const Source& source) {
  const Numbers file(source);
  const std::optional<Place> place = find_directory(file);
  if (!place) fail(source, "is no zip archive: its directory is missing or damaged");
  std::vector<ZipMember> members;
  std::uint64_t at = place->begin;
  const std::uint64_t end = place->begin + place->size;
  while (members.size() < place->members) {
    const auto fail_damaged = [&] { fail(source, "the directory of the archive is damaged after " + counted(members.size(), "member", "members")); };
    if (end - at < kEntrySize || file.u32(at) != kEntry) fail_damaged();
    const std::uint64_t name = file.u16(at + 28), extra = file.u16(at + 30), comment = file.u16(at + 32);
    if (end - at - kEntrySize < name + extra + comment) fail_damaged();
    ZipMember m;
    m.name = file.text(at + kEntrySize, name);
    m.flags = file.u16(at + 8);
    m.method = file.u16(at + 10);
    m.checksum = file.u32(at + 16);
    const Wide w = widened(file, {file.u32(at + 24), file.u32(at + 20), file.u32(at + 42)}, at + kEntrySize + name, extra);
    if (!w.complete) fail_damaged();
    m.unpacked = w.unpacked;
    m.packed = w.packed;
    m.header = w.header;
    members.push_back(std::move(m));
    at += kEntrySize + name + extra + comment;
  }
  return members;
}

std::span<const std::byte> packed_bytes(const Source& source, const ZipMember& member) {
  const Numbers file(source);
  const auto fail_member = [&](const std::string& what) { fail(source, member.name + ": " + what); };
  if (!file.is(member.header, kLocal, kLocalSize)) fail_member("its header in the archive is damaged, or differs from the directory");
  const std::uint64_t at = member.header, name = file.u16(at + 26), extra = file.u16(at + 28), data = at + kLocalSize + name + extra;
  if (!file.has(data, 0) || file.text(at + kLocalSize, name) != member.name || file.u16(at + 8) != member.method)
    fail_member("its header in the archive is damaged, or differs from the directory");
  if ((file.u16(at + 6) & kDescriptor) == 0) {
    const Wide w = widened(file, {file.u32(at + 22), file.u32(at + 18)}, at + kLocalSize + name, extra);
    if (w.unpacked != member.unpacked || w.packed != member.packed || file.u32(at + 14) != member.checksum)
      fail_member("its header in the archive is damaged, or differs from the directory");
  }
  if (!file.has(data, member.packed)) fail_member("its data is cut off: the directory says " + counted(member.packed, "byte", "bytes"));
  return source.bytes.subspan(static_cast<std::size_t>(data), static_cast<std::size_t>(member.packed));
}

}  // namespace graze::io
