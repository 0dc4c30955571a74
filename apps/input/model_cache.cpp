// Implements the cache of models.
#include "input/model_cache.hpp"
#include <graze/error.hpp>

namespace graze::cli {

ModelCache::Entry& ModelCache::use(const std::string& path, bool solid, std::unique_lock<std::mutex>& lock) {
  for (;;) {
    Entry& entry = entries_[path];
    entry.used = ++clock_;
    if (entry.loading) {  // another thread loads the model; search again afterwards, since the entry may have been dropped meanwhile
      changed_.wait(lock);
      continue;
    }
    const bool ready = !entry.mesh_error.empty() || (entry.mesh && (!solid || entry.solid || !entry.solid_error.empty()));
    if (ready) return entry;
    entry.loading = true;
    fill(entry, path, solid, lock);
    entry.loading = false;
    changed_.notify_all();
    drop_old(&entry);
  }
}

void ModelCache::fill(Entry& entry, const std::string& path, bool solid, std::unique_lock<std::mutex>& lock) {
  std::optional<Mesh> mesh = entry.mesh;
  std::optional<Solid> body;
  std::string mesh_error, solid_error;
  lock.unlock();
  try {
    if (!mesh) mesh = loader_(path);
  } catch (const Error& e) {
    mesh_error = e.what();
    if (mesh_error.empty()) mesh_error = "cannot be read";
  } catch (...) {
    lock.lock();
    entry.loading = false;
    changed_.notify_all();
    throw;
  }
  if (solid && mesh) {
    try {
      body = Solid(*mesh);
    } catch (const Error& e) {
      solid_error = e.what();
      if (solid_error.empty()) solid_error = "bounds no solid";
    } catch (...) {
      lock.lock();
      entry.loading = false;
      changed_.notify_all();
      throw;
    }
  }
  lock.lock();
  entry.mesh = std::move(mesh);
  entry.mesh_error = std::move(mesh_error);
  if (solid) {
    entry.solid = std::move(body);
    entry.solid_error = std::move(solid_error);
  }
}

void ModelCache::drop_old(const Entry* keep) {
  // Remembered failures count as well, so that a stream of wrong paths uses bounded memory.
  constexpr std::size_t kPerEntry = 256;
  for (;;) {
    std::size_t total = 0;
    auto oldest = entries_.end();
    for (auto i = entries_.begin(); i != entries_.end(); ++i) {
      total += kPerEntry + (i->second.mesh ? i->second.mesh->size() : 0);
      if (i->second.loading || &i->second == keep) continue;
      if (oldest == entries_.end() || i->second.used < oldest->second.used) oldest = i;
    }
    if (total <= max_triangles_ || oldest == entries_.end()) return;
    entries_.erase(oldest);
  }
}

Mesh ModelCache::mesh(const std::string& path) {
  std::unique_lock lock(mutex_);
  const Entry& entry = use(path, false, lock);
  if (!entry.mesh_error.empty()) throw Error(ErrorCode::invalid_shape, entry.mesh_error);
  return *entry.mesh;
}

Solid ModelCache::solid(const std::string& path) {
  std::unique_lock lock(mutex_);
  const Entry& entry = use(path, true, lock);
  if (!entry.mesh_error.empty()) throw Error(ErrorCode::invalid_shape, entry.mesh_error);
  if (!entry.solid_error.empty()) throw Error(ErrorCode::invalid_shape, entry.solid_error);
  return *entry.solid;
}

}  // namespace graze::cli
