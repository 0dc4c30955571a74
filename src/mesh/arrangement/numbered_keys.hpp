// Numbers for distinct keys, such as points, edges and triangles by their corners, in the order in which they first occur.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/queries/leaf.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "platform/watch.hpp"

namespace graze {

/// A hash table of keys of N words.
template <std::size_t N>
class NumberedKeys {
 public:
  using Key = std::array<std::uint64_t, N>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Takes up to `most` keys.
  explicit NumberedKeys(std::size_t most) : slots_(std::bit_ceil(2 * most + 1), kNone) { keys_.reserve(most); }

  /// The number of a key, a new one if it has none.
  std::uint32_t add(const Key& key) {
    std::uint32_t& slot = slots_[place(key)];
    if (slot == kNone) {
      if (keys_.size() % kLook == 0) checkpoint();
      slot = size();
      keys_.push_back(key);
    }
    return slot;
  }
  std::uint32_t find(const Key& key) const { return slots_[place(key)]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  static constexpr std::uint32_t kLook = 1 << 16;  // keys between two looks at whether the caller wants an end; a choice

  std::size_t place(const Key& key) const {
    std::uint64_t h = 1;
    for (const std::uint64_t word : key) h = (h ^ word) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    std::size_t at = (h * 0x9E3779B97F4A7C15ull) >> 20;
    while (slots_[at &= slots_.size() - 1] != kNone && keys_[slots_[at]] != key) ++at;
    return at;
  }

  std::vector<std::uint32_t> slots_;
  std::vector<Key> keys_;
};

/// Points by their coordinates; -0 equals 0.
using NumberedPoints = NumberedKeys<3>;
inline NumberedPoints::Key key_of(const Vec3& p) {
  return {std::bit_cast<std::uint64_t>(p.x + 0.0), std::bit_cast<std::uint64_t>(p.y + 0.0), std::bit_cast<std::uint64_t>(p.z + 0.0)};
}
inline Vec3 point_of(const NumberedPoints::Key& k) { return {std::bit_cast<double>(k[0]), std::bit_cast<double>(k[1]), std::bit_cast<double>(k[2])}; }

/// The triangles of a view by the numbers of their placed corners.
inline std::vector<TriangleIndices> numbered_triangles(const MeshView& view, NumberedPoints& points) {
  std::vector<std::uint32_t> number(view.mesh->vertices.size(), NumberedPoints::kNone);
  std::vector<TriangleIndices> result(view.mesh->triangles.begin(), view.mesh->triangles.end());
  for (TriangleIndices& t : result)
    for (std::uint32_t& v : t) {
      std::uint32_t& n = number[v];
      if (n == NumberedPoints::kNone) n = points.add(key_of(view.pose ? leaf::place(*view.pose, view.mesh->vertices[v]) : view.mesh->vertices[v]));
      v = n;
    }
  return result;
}

}  // namespace graze
