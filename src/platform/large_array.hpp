// A growable array of plain data in large pages, where the system provides them. Tree traversals wait for page table lookups as much as for memory.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace graze {

namespace large_array_detail {
void* allocate(std::size_t bytes);
void release(void* p, std::size_t bytes);
}  // namespace large_array_detail

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(large_array_detail::allocate(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { large_array_detail::release(p, n * sizeof(T)); }
  /// resize() leaves new elements uninitialised; the caller fills them.
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
  }
  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

/// Makes room for n elements, and some more for the next time; drops the old ones.
template <class T>
void require(LargeArray<T>& array, std::size_t n) {
  if (n <= array.size()) return;
  array.clear();
  array.resize(n + n / 8 + 64);
}

}  // namespace graze
