// Memory for large arrays, aligned to large pages; asking for such pages is a wish that may be refused.
#include "core/large_array.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace graze::large_array_detail {
namespace {

constexpr std::size_t kPage = std::size_t{1} << 21, kAlign = 64;

std::align_val_t alignment(std::size_t bytes) { return static_cast<std::align_val_t>(bytes >= kPage / 2 ? kPage : kAlign); }

}  // namespace

void* allocate(std::size_t bytes) {
  void* p = ::operator new(bytes, alignment(bytes));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (bytes >= kPage / 2) madvise(p, bytes, MADV_HUGEPAGE);
#endif
  return p;
}

void release(void* p, std::size_t bytes) { ::operator delete(p, alignment(bytes)); }

}  // namespace graze::large_array_detail
