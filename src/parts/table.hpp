// The tables shape x shape: made by the compiler from the one list of shapes, upper triangle only; a call with the kinds the other way round flips.
#pragma once
#include <graze/shapes.hpp>
#include <utility>

namespace graze {

inline constexpr std::size_t kKinds = Shapes::size;

template <std::size_t I>
using ShapeAt = std::variant_alternative_t<I, Shapes::Variant>;

/// table[i * kKinds + j] = Cell<A, B>::call for i <= j; a missing implementation stops the build.
template <class Function, template <class, class> class Cell>
constexpr auto make_pair_table() {
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<Function, kKinds * kKinds>{[]() -> Function {
      constexpr std::size_t i = K / kKinds, j = K % kKinds;
      if constexpr (i <= j)
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
