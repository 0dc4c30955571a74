// A result struct and the arrays that it points to, in one piece of memory that graze_free() frees.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "c/call.hpp"

namespace graze::c {

/// Collects arrays; release() copies them behind the struct.
class Block {
 public:
  /// Where an array of T lies, in bytes.
  template <class T>
  struct Place {
    std::size_t offset;
  };
  /// The memory of the arrays, by the places that add() returned.
  class Memory {
   public:
    explicit Memory(char* begin) : begin_(begin) {}
    /// Null for an array without elements.
    template <class C, class T>
    C* get(const Place<T>& place, std::size_t count) const {
      static_assert(reads_as<T, C>);
      return count == 0 ? nullptr : reinterpret_cast<C*>(begin_ + place.offset);
    }
    [[nodiscard]] const char* text(std::size_t offset) const { return begin_ + offset; }

   private:
    char* begin_;
  };

  template <class T>
  Place<T> add(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
    return {append(list.data(), list.size() * sizeof(T))};
  }
  /// With the zero at its end.
  std::size_t add(const std::string& text) { return append(text.c_str(), text.size() + 1); }
  /// Room for n elements, filled after release().
  template <class T>
  Place<T> reserve(std::size_t n) {
    const std::size_t offset = bytes_.size();
    bytes_.resize(offset + aligned(n * sizeof(T)));
    return {offset};
  }

  /// The struct, which fill(struct, memory) completes.
  template <class S, class F>
  S* release(const F& fill) const {
    const std::size_t head = aligned(sizeof(S));
    char* const memory = allocate<char>(head + bytes_.size());
    if (!bytes_.empty()) std::memcpy(memory + head, bytes_.data(), bytes_.size());
    S* const s = new (memory) S{};
    fill(*s, Memory(memory + head));
    return s;
  }

 private:
  static constexpr std::size_t kAlignment = 8;
  static std::size_t aligned(std::size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }
  std::size_t append(const void* data, std::size_t n) {
    const std::size_t offset = bytes_.size();
    bytes_.resize(offset + aligned(n));
    if (n != 0) std::memcpy(bytes_.data() + offset, data, n);
    return offset;
  }

  std::vector<char> bytes_;
};

}  // namespace graze::c
