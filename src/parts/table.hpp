// Dispatch tables over shapes and pairs of shapes, generated from the one list of shapes. Pair tables hold only the upper triangle unless asked for both
// orders; callers swap arguments of the opposite order.
#pragma once
#include <array>
#include <graze/shapes.hpp>
#include <utility>

namespace graze {

inline constexpr std::size_t kKinds = Shapes::size;

template <std::size_t I>
using ShapeAt = std::variant_alternative_t<I, Shapes::Variant>;

/// table[i * kKinds + j] = Cell<A, B>::call for i <= j, or for all i and j. A missing cell is a compile error.
template <class Function, template <class, class> class Cell, bool both = false>
constexpr auto make_pair_table() {
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<Function, kKinds * kKinds>{[]() -> Function {
      constexpr std::size_t i = K / kKinds, j = K % kKinds;
      if constexpr (i <= j || both)
        return &Cell<ShapeAt<i>, ShapeAt<j>>::call;
      else
        return nullptr;
    }()...};
  }
  (std::make_index_sequence<kKinds * kKinds>());
}

template <class Function, template <class> class Cell>
constexpr auto make_table() {
  return []<std::size_t... K>(std::index_sequence<K...>) { return std::array<Function, kKinds>{&Cell<ShapeAt<K>>::call...}; }
  (std::make_index_sequence<kKinds>());
}

inline std::size_t place(Kind k) { return static_cast<std::size_t>(k); }

}  // namespace graze
