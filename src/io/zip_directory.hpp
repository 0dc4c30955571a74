// The directory of a zip archive, in all forms that ZIP64 has.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/bytes.hpp"

namespace graze::io {

/// A member as the directory describes it. The numbers are the file's, and may be wrong.
struct ZipMember {
  std::string name;
  std::uint64_t packed = 0, unpacked = 0;  ///< bytes
  std::uint64_t header = 0;                ///< where its local header begins in the file
  std::uint32_t checksum = 0;              ///< CRC-32 of the unpacked bytes
  std::uint16_t flags = 0, method = 0;
};

/// In the order of the directory, which is found by the record at the end of the file. Throws Error for a directory that is missing, damaged, or of an archive
/// in several files.
/// Method: PKWARE, APPNOTE.TXT 6.3.10, 4.3.6 to 4.5.3. Own code, since minizip 1.1 does not read sizes of 64 bits in the directory.
std::vector<ZipMember> read_zip_directory(const Source& source);

/// The packed bytes of a member. Throws Error, which names the member, where its local header is missing or contradicts the directory, or they leave the file.
std::span<const std::byte> packed_bytes(const Source& source, const ZipMember& member);

}  // namespace graze::io
