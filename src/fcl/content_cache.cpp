// Meshes and hulls by their content.
#include "fcl/content_cache.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace graze::for_fcl {
namespace {

static_assert(sizeof(::fcl::Triangle) == 3 * sizeof(std::size_t), "triangles are compared and hashed as three numbers");

bool same_points(std::span<const Vec3> a, std::span<const Vec3> b) { return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0; }

bool same_triangles(std::span<const TriangleIndices> a, std::span<const ::fcl::Triangle> b) {
  if (a.size() != b.size()) return false;
  constexpr std::size_t block = 256;  // without a branch in each, the compiler compares several at once
  for (std::size_t begin = 0; begin < a.size(); begin += block) {
    const std::size_t numbers = 3 * std::min(block, a.size() - begin);
    const std::uint32_t* x = a[begin].data();
    const auto* y = reinterpret_cast<const std::size_t*>(&b[begin]);
    std::size_t difference = 0;
    for (std::size_t i = 0; i < numbers; ++i) difference |= x[i] ^ y[i];
    if (difference != 0) return false;
  }
  return true;
}

bool same(const Cached& cached, const Content& content) {
  if (cached.hull) return content.triangles.empty() && same_points(cached.hull->points(), content.points);
  return same_points(cached.mesh->vertices(), content.points) && same_triangles(cached.mesh->triangles(), content.triangles);
}

std::uint64_t hash_words(std::uint64_t hash, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, at + i, sizeof word);
    hash = (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;
  }
  return hash;
}

std::uint64_t hash_of(const Content& content) {
  const std::uint64_t points = hash_words(content.triangles.size(), content.points.data(), content.points.size_bytes());
  return hash_words(points, content.triangles.data(), content.triangles.size_bytes());
}

Cached make(const Content& content) {
  if (content.triangles.empty()) return {std::nullopt, Hull(content.points)};
  std::vector<TriangleIndices> triangles(content.triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const std::size_t vertex = content.triangles[i][k];
      constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();
      triangles[i][static_cast<std::size_t>(k)] = vertex > largest ? largest : static_cast<std::uint32_t>(vertex);  // out of range: the mesh refuses it
    }
  }
  return {Mesh(content.points, triangles), std::nullopt};
}

/// What a mesh or hull takes, roughly: a mesh 100 bytes a triangle and 24 a vertex, a hull about as much as a mesh of twice as many triangles as points.
std::size_t size_of(const Content& content) { return 512 + content.triangles.size() * 100 + content.points.size() * (content.triangles.empty() ? 224 : 24); }

}  // namespace

std::shared_ptr<const Cached> ContentCache::of_owner(const void* owner) {
  const std::lock_guard lock(mutex_);
  for (Half* half : {&newer_, &older_}) {
    const auto at = half->by_owner.find(owner);
    if (at != half->by_owner.end()) return at->second;
  }
  return nullptr;
}

std::shared_ptr<const Cached> ContentCache::of_hash(std::uint64_t hash, const Content& content) {
  const std::lock_guard lock(mutex_);
  for (Half* half : {&newer_, &older_}) {
    const auto [begin, end] = half->by_hash.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
      if (same(*at->second, content)) return at->second;
    }
  }
  return nullptr;
}

void ContentCache::keep(const void* owner, std::uint64_t hash, const std::shared_ptr<const Cached>& cached, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (newer_.bytes + bytes > bytes_per_half_) {
    older_ = std::move(newer_);
    newer_ = Half();
  }
  newer_.by_owner[owner] = cached;
  newer_.by_hash.emplace(hash, cached);
  newer_.bytes += bytes;
}

std::shared_ptr<const Cached> ContentCache::get(const void* owner, const Content& content) {
  if (auto cached = of_owner(owner); cached != nullptr && same(*cached, content)) return cached;
  const std::uint64_t hash = hash_of(content);
  std::shared_ptr<const Cached> cached = of_hash(hash, content);
  if (cached == nullptr) cached = std::make_shared<const Cached>(make(content));
  keep(owner, hash, cached, size_of(content));  // an old one, too: it was used, so it moves to the newer half
  return cached;
}

}  // namespace graze::for_fcl
