// Merges vertices whose three coordinates have the same bits, keeping the order of first appearance.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <graze/vec.hpp>
#include <vector>

#include "io/bytes.hpp"

namespace graze::io {

/// Finds vertices by their bits: -0 and 0 stay two vertices, and no coordinate changes. Open-addressed hash table of vertex indices.
class VertexMerger {
 public:
  explicit VertexMerger(std::vector<Vec3>& vertices) : vertices_(vertices), slots_(64, kEmpty) {}

  std::uint32_t number(const Vec3& v) {
    if (vertices_.size() * 2 >= slots_.size()) grow();
    for (std::size_t slot = hash(v) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == kEmpty) {
        slots_[slot] = static_cast<std::uint32_t>(vertices_.size());
        vertices_.push_back(v);
        return slots_[slot];
      }
      if (std::memcmp(&vertices_[slots_[slot]], &v, sizeof v) == 0) return slots_[slot];
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

  static std::uint64_t mixed(std::uint64_t h) {
    h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93;
    h = (h ^ (h >> 29)) * 0x9E3779B97F4A7C15;
    return h ^ (h >> 32);
  }

  static std::size_t hash(const Vec3& v) {
    return mixed(std::bit_cast<std::uint64_t>(v.x) + mixed(std::bit_cast<std::uint64_t>(v.y) + mixed(std::bit_cast<std::uint64_t>(v.z) + 0x2545F4914F6CDD1D)));
  }

  void grow() {
    std::vector<std::uint32_t>(slots_.size() * 2, kEmpty).swap(slots_);
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      std::size_t slot = hash(vertices_[i]) & (slots_.size() - 1);
      while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<Vec3>& vertices_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace graze::io
