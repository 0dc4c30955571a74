// XXH64, the checksum of tree files: fast, and defined in public (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace graze::io {

/// Returns the XXH64 of the bytes with seed 0.
std::uint64_t xxh64(std::span<const std::byte> bytes);

}  // namespace graze::io
