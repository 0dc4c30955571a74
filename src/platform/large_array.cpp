// Allocates the memory of large arrays as whole large pages straight from the system. Blocks of the heap, which are split and reused, are rarely backed by
// large pages. The request for large pages is a hint that the system may refuse. The system clears new pages, which takes as long as building a tree on them;
// therefore released pages are kept for the next array: a mesh that is built anew while others live reuses them. Their number is bounded by what the arrays in
// use occupy, so that a program that drops its meshes gets the memory back. The system may reclaim the kept pages when it is short of memory.
#include "platform/large_array.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace graze::large_array_detail {
namespace {

constexpr std::size_t kAlign = 64;  // a cache line

#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MADV_FREE)
constexpr bool kOwnPages = true;
constexpr std::size_t kPage = std::size_t{1} << 21;  // a huge page
// The bytes that are kept: at most so many, and at most so many plus twice the bytes in use (building a mesh takes about twice what it occupies); choices.
constexpr std::size_t kMostKept = std::size_t{256} << 20, kAlwaysKept = std::size_t{8} << 20;

std::size_t whole_pages(std::size_t bytes) {
  if (bytes > ~std::size_t{0} - 2 * kPage) throw std::bad_alloc();
  return (bytes + kPage - 1) / kPage * kPage;
}

unsigned char* map_pages(std::size_t size) {
  void* const p = mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<unsigned char*>(p);
  const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage) % kPage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, kPage - before);
  madvise(begin + before, size, MADV_HUGEPAGE);
  return begin + before;
}

/// Cache of released blocks of pages, oldest first.
class Kept {
 public:
  /// Returns null if no block is large enough.
  unsigned char* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    Block* best = nullptr;
    for (Block& b : std::span(blocks_, count_))
      if (b.size >= size && (best == nullptr || b.size < best->size)) best = &b;
    if (best == nullptr) return nullptr;
    unsigned char* const p = best->begin;
    best->begin += size;
    best->size -= size;
    total_ -= size;
    if (best->size == 0) remove(best);
    return p;
  }
  void keep(unsigned char* p, std::size_t size) {
    madvise(p, size, MADV_FREE);
    const std::lock_guard lock(mutex_);
    used_ -= size;
    const std::size_t most = std::min(kMostKept, kAlwaysKept + 2 * used_);
    while (count_ > 0 && (count_ == std::size(blocks_) || total_ + size > most)) evict();
    if (size > most) {
      munmap(p, size);
      return;
    }
    blocks_[count_++] = {p, size};
    total_ += size;
  }
  void count_used(std::size_t size) {
    const std::lock_guard lock(mutex_);
    used_ += size;
  }

 private:
  struct Block {
    unsigned char* begin;
    std::size_t size;
  };
  void evict() {  // the oldest
    munmap(blocks_[0].begin, blocks_[0].size);
    total_ -= blocks_[0].size;
    remove(blocks_);
  }
  void remove(Block* b) {
    std::copy(b + 1, blocks_ + count_, b);
    --count_;
  }
  std::mutex mutex_;
  Block blocks_[32];
  std::size_t count_ = 0, total_ = 0, used_ = 0;  ///< total_: bytes kept; used_: bytes of arrays in use
};
Kept& kept() {
  static Kept& all = *new Kept;  // outlives the last array
  return all;
}

void* allocate_pages(std::size_t bytes) {
  const std::size_t size = whole_pages(bytes);
  unsigned char* p = kept().take(size);
  if (p == nullptr) p = map_pages(size);
  kept().count_used(size);
  return p;
}
void release_pages(void* p, std::size_t bytes) { kept().keep(static_cast<unsigned char*>(p), whole_pages(bytes)); }
#else
constexpr bool kOwnPages = false;
constexpr std::size_t kPage = 0;
void* allocate_pages(std::size_t) { return nullptr; }
void release_pages(void*, std::size_t) {}
#endif

bool in_own_pages(std::size_t bytes) { return kOwnPages && bytes >= kPage; }

}  // namespace

void* allocate(std::size_t bytes) { return in_own_pages(bytes) ? allocate_pages(bytes) : ::operator new(bytes, static_cast<std::align_val_t>(kAlign)); }

void release(void* p, std::size_t bytes) {
  if (in_own_pages(bytes))
    release_pages(p, bytes);
  else
    ::operator delete(p, static_cast<std::align_val_t>(kAlign));
}

}  // namespace graze::large_array_detail
