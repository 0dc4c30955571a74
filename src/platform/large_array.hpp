// A growable array of plain data in large pages, where the system provides them. Tree traversals wait for page table lookups as much as for memory.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace graze {

namespace large_array_detail {
void* allocate(std::size_t bytes);
void release(void* p, std::size_t bytes);
}  // namespace large_array_detail

template <class T>
struct LargeAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}
  /// Hands out n elements in memory of `owner` to the array of that size; every other request is served as usual.
  LargeAllocator(T* memory, std::size_t n, std::shared_ptr<const void> owner) : memory_(memory), n_(n), owner_(std::move(owner)) {}

  T* allocate(std::size_t n) { return memory_ != nullptr && n == n_ ? memory_ : static_cast<T*>(large_array_detail::allocate(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) {
    if (p != memory_) large_array_detail::release(p, n * sizeof(T));
  }
  LargeAllocator select_on_container_copy_construction() const { return {}; }
  /// resize() leaves new elements uninitialised; the caller fills them.
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
  }
  bool operator==(const LargeAllocator& other) const { return memory_ == other.memory_ && n_ == other.n_; }

 private:
  T* memory_ = nullptr;
  std::size_t n_ = 0;
  std::shared_ptr<const void> owner_;
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

/// An array of the n elements at `data`, which belong to `owner`, such as a file mapped into memory. The array keeps the owner alive; nothing is copied, and
/// nothing may be written. Copies of the array are in memory of their own.
template <class T>
LargeArray<T> array_in(const T* data, std::size_t n, std::shared_ptr<const void> owner) {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>, "or the array would write");
  return LargeArray<T>(n, LargeAllocator<T>(const_cast<T*>(data), n, std::move(owner)));
}

/// Makes room for n elements, and some more for the next time; drops the old ones.
template <class T>
void require(LargeArray<T>& array, std::size_t n) {
  if (n <= array.size()) return;
  array.clear();
  array.resize(n + n / 8 + 64);
}

}  // namespace graze
