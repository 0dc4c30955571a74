// Serialises snapshots: little-endian, every double by its bits.
#pragma once
#include <bit>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/pose.hpp>
#include <span>
#include <string>
#include <vector>

namespace graze {

struct ByteWriter {
  std::vector<std::uint8_t> bytes;
  void put(std::uint64_t x) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(x >> (8 * i)));
  }
  void put(double x) { put(std::bit_cast<std::uint64_t>(x)); }
  void put(const Vec3& v) {
    for (int i = 0; i < 3; ++i) put(v[i]);
  }
  void put(const Pose& p) {
    for (const auto& row : p.rotation)
      for (const double x : row) put(x);
    put(p.translation);
  }
};

struct ByteReader {
  std::span<const std::uint8_t> bytes;
  std::size_t at = 0;
  std::uint64_t number() {
    if (bytes.size() - at < 8)
      throw Error(ErrorCode::bad_snapshot, "restore: the snapshot ends at byte " + std::to_string(bytes.size()) + " where more was expected");
    std::uint64_t x = 0;
    for (int i = 0; i < 8; ++i) x |= static_cast<std::uint64_t>(bytes[at + static_cast<std::size_t>(i)]) << (8 * i);
    at += 8;
    return x;
  }
  double real() { return std::bit_cast<double>(number()); }
  Vec3 vector() {
    const double x = real(), y = real(), z = real();
    return {x, y, z};
  }
  Pose pose() {
    Pose p;
    for (auto& row : p.rotation)
      for (double& x : row) x = real();
    p.translation = vector();
    return p;
  }
};

}  // namespace graze
