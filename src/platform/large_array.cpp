// Allocates the memory of large arrays as large pages straight from the system, which gets them back with the array. Blocks of the heap, which are split and
// reused, are rarely backed by large pages, and holes between them stay resident. The request for large pages is a hint that the system may refuse. The system
// clears new pages, which costs a small tree a tenth of its build: arrays of less than kLeast bytes come from the heap, which has pages in use already.
#include "platform/large_array.hpp"

#include <cstdint>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "platform/small_pages.hpp"

namespace graze::large_array_detail {
namespace {

constexpr std::size_t kAlign = 64;  // a cache line

#if defined(__linux__) && defined(MADV_HUGEPAGE)
constexpr bool kOwnPages = true;
constexpr std::size_t kPage = std::size_t{1} << 21;       // a huge page
constexpr std::size_t kSmallPage = std::size_t{1} << 12;  // the end of an array is in small pages, so that it takes no more than it needs
constexpr std::size_t kLeast = kPage;                     // bytes; a choice

std::size_t whole_pages(std::size_t bytes) {
  if (bytes > ~std::size_t{0} - 2 * kPage) throw std::bad_alloc();
  return (bytes + kSmallPage - 1) / kSmallPage * kSmallPage;
}

void* allocate_pages(std::size_t bytes) {
  const std::size_t size = whole_pages(bytes);
  void* const p = mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<unsigned char*>(p);
  const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage) % kPage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, kPage - before);
  madvise(begin + before, size, MADV_HUGEPAGE);
  return begin + before;
}
void release_pages(void* p, std::size_t bytes) { munmap(p, whole_pages(bytes)); }
void ask_for_small_pages(void* p, std::size_t bytes) { madvise(p, whole_pages(bytes), MADV_NOHUGEPAGE); }
#else
constexpr bool kOwnPages = false;
constexpr std::size_t kPage = 0, kLeast = 0;
void* allocate_pages(std::size_t) { return nullptr; }
void release_pages(void*, std::size_t) {}
void ask_for_small_pages(void*, std::size_t) {}
#endif

bool in_own_pages(std::size_t bytes) { return kOwnPages && bytes >= kLeast; }

}  // namespace

void* allocate(std::size_t bytes) { return in_own_pages(bytes) ? allocate_pages(bytes) : ::operator new(bytes, static_cast<std::align_val_t>(kAlign)); }

void release(void* p, std::size_t bytes) {
  if (in_own_pages(bytes))
    release_pages(p, bytes);
  else
    ::operator delete(p, static_cast<std::align_val_t>(kAlign));
}

}  // namespace graze::large_array_detail

void graze::begin_in_small_pages(void* array, std::size_t bytes, std::size_t written) {
  using namespace large_array_detail;
  if (in_own_pages(bytes) && written < kPage) ask_for_small_pages(array, written);
}
