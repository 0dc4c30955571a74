// Computes XXH64 as its specification states it, with the specification's names.
#include "io/xxh64.hpp"

#include <bit>
#include <cstring>

namespace graze::io {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F, kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63,
                        kPrime5 = 0x27D4EB2F165667C5;

template <class T>
T lane_at(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  if constexpr (std::endian::native == std::endian::big) {
    T swapped = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) swapped = static_cast<T>(swapped << 8 | (value >> (8 * i) & 0xFF));
    return swapped;
  }
  return value;
}

std::uint64_t xxh_round(std::uint64_t accumulator, std::uint64_t lane) { return std::rotl(accumulator + lane * kPrime2, 31) * kPrime1; }
std::uint64_t xxh_merge(std::uint64_t accumulator, std::uint64_t other) { return (accumulator ^ xxh_round(0, other)) * kPrime1 + kPrime4; }

}  // namespace

std::uint64_t xxh64(std::span<const std::byte> bytes) {
  const std::byte *p = bytes.data(), *const end = p + bytes.size();
  std::uint64_t acc = kPrime5;
  if (bytes.size() >= 32) {
    std::uint64_t acc1 = kPrime1 + kPrime2, acc2 = kPrime2, acc3 = 0, acc4 = 0 - kPrime1;
    for (; end - p >= 32; p += 32) {
      acc1 = xxh_round(acc1, lane_at<std::uint64_t>(p));
      acc2 = xxh_round(acc2, lane_at<std::uint64_t>(p + 8));
      acc3 = xxh_round(acc3, lane_at<std::uint64_t>(p + 16));
      acc4 = xxh_round(acc4, lane_at<std::uint64_t>(p + 24));
    }
    acc = std::rotl(acc1, 1) + std::rotl(acc2, 7) + std::rotl(acc3, 12) + std::rotl(acc4, 18);
    acc = xxh_merge(xxh_merge(xxh_merge(xxh_merge(acc, acc1), acc2), acc3), acc4);
  }
  acc += bytes.size();
  for (; end - p >= 8; p += 8) acc = std::rotl(acc ^ xxh_round(0, lane_at<std::uint64_t>(p)), 27) * kPrime1 + kPrime4;
  for (; end - p >= 4; p += 4) acc = std::rotl(acc ^ lane_at<std::uint32_t>(p) * kPrime1, 23) * kPrime2 + kPrime3;
  for (; p != end; ++p) acc = std::rotl(acc ^ static_cast<std::uint64_t>(*p) * kPrime5, 11) * kPrime1;
  acc = (acc ^ acc >> 33) * kPrime2;
  acc = (acc ^ acc >> 29) * kPrime3;
  return acc ^ acc >> 32;
}

}  // namespace graze::io
