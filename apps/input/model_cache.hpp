// Cache of models by path. Each model is read once, by the first thread that requests it, and shared by all threads.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <graze/mesh.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace graze::cli {

/// Thread-safe. Keeps the most recently used models, up to a number of triangles; models in use stay alive regardless.
class ModelCache {
 public:
  using Loader = std::function<Mesh(const std::string& path)>;
  explicit ModelCache(Loader loader, std::size_t max_triangles = std::size_t{1} << 24) : loader_(std::move(loader)), max_triangles_(max_triangles) {}

  /// Throws what the loader throws; failures are cached, too.
  Mesh mesh(const std::string& path);
  /// The solid that the model bounds. Throws Error when it bounds none.
  Solid solid(const std::string& path);

 private:
  struct Entry {
    bool loading = false;
    std::optional<Mesh> mesh;
    std::optional<Solid> solid;
    std::string mesh_error, solid_error;  // empty: none
    std::uint64_t used = 0;
  };
  /// The entry with the requested data; may wait for another thread.
  void fill(Entry& entry, const std::string& path, bool solid, std::unique_lock<std::mutex>& lock);
  Entry& use(const std::string& path, bool solid, std::unique_lock<std::mutex>& lock);
  void drop_old(const Entry* keep);

  Loader loader_;
  std::size_t max_triangles_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Entry> entries_;
  std::uint64_t clock_ = 0;
};

}  // namespace graze::cli
