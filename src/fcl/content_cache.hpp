// Meshes and hulls by their content. FCL's models are plain arrays that a program may change or free at any time, and another model may then stand at the same
// address, so every use compares the whole content.
#pragma once
#include <fcl/math/triangle.h>
#include <cstddef>
#include <cstdint>
#include <graze/mesh.hpp>
#include <graze/shapes/hull.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

namespace graze::for_fcl {

/// Points and triangles in the memory of a program; a hull has no triangles.
struct Content {
  std::span<const Vec3> points;
  std::span<const ::fcl::Triangle> triangles;
};

/// A mesh or a hull, which keeps the points and triangles of which it was made.
struct Cached {
  std::optional<Mesh> mesh;
  std::optional<Hull> hull;
};

/// Keeps what was used last. Bounded: when the newer half is full, the older half is dropped. May be called from any thread.
class ContentCache {
 public:
  explicit ContentCache(std::size_t bytes_per_half) : bytes_per_half_(bytes_per_half) {}

  /// Returns the mesh, or the hull where there are no triangles. `owner` is where the content was found the last time; it only speeds up the search. Throws
  /// Error for content of which there is no mesh or hull.
  [[nodiscard]] std::shared_ptr<const Cached> get(const void* owner, const Content& content);

 private:
  struct Half {
    std::unordered_map<const void*, std::shared_ptr<const Cached>> by_owner;
    std::unordered_multimap<std::uint64_t, std::shared_ptr<const Cached>> by_hash;
    std::size_t bytes = 0;
  };

  [[nodiscard]] std::shared_ptr<const Cached> of_owner(const void* owner);
  [[nodiscard]] std::shared_ptr<const Cached> of_hash(std::uint64_t hash, const Content& content);
  void keep(const void* owner, std::uint64_t hash, const std::shared_ptr<const Cached>& cached, std::size_t bytes);

  std::mutex mutex_;
  Half newer_, older_;
  std::size_t bytes_per_half_;
};

}  // namespace graze::for_fcl
