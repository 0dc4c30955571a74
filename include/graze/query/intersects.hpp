// Intersection of shapes: pairs, and batches of pairs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/query/frequent_pairs.hpp>
#include <graze/shapes.hpp>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace graze {

// ---- one pair ----------------------------------------------------------------------------------------------------------------------------

/// Returns whether the closed sets share a point. Touching counts. Symmetric.
/// Exact; with a curved shape within the bound of docs/accuracy.md.
[[nodiscard]] bool intersects(ShapeRef a, ShapeRef b);

/// Returns whether the distance between the shapes is at most `distance` (length, >= 0), with the guarantee of intersects().
/// The true distance is compared, not a rounded one. Throws Error for a negative, infinite or NaN distance.
[[nodiscard]] bool within(ShapeRef a, ShapeRef b, double distance);

/// Returns whether the shape contains the point: the same as intersects() with a Point.
[[nodiscard]] bool contains(ShapeRef solid, const Vec3& point);

// ---- frequent pairs ----------------------------------------------------------------------------------------------------------------------

namespace detail {
/// Functions of the frequent pairs, in the order of the list. `a` and `b` point to one shape each, or to arrays of `count_a` and `count_b` shapes.
struct FrequentPairFunctions {
  bool (*one)(const void* a, const void* b);
  void (*batch)(const void* a, std::size_t count_a, const void* b, std::size_t count_b, std::span<std::uint8_t> out);
};
extern const std::array<FrequentPairFunctions, FrequentPairs::size> frequent_pair_functions;

template <class A, class B>
[[nodiscard]] const FrequentPairFunctions& functions_of() {
  return frequent_pair_functions[FrequentPairs::index<std::pair<A, B>>()];
}
}  // namespace detail

/// The answer of intersects() above.
template <class A, class B>
requires FrequentPair<A, B>
[[nodiscard]] bool intersects(const A& a, const B& b) { return detail::functions_of<A, B>().one(&a, &b); }

// ---- batches -----------------------------------------------------------------------------------------------------------------------------
//
// Element i of the result is 1 if a[i] and b[i] intersect, else 0: the answer of a single query. Batches run on all cores; the number of
// threads does not change the result. Throws Error when the sizes differ.

/// Pairs of any shapes.
[[nodiscard]] std::vector<std::uint8_t> intersects(std::span<const ShapeRef> a, std::span<const ShapeRef> b);

/// Frequent pairs, into memory of the caller, which is faster when that memory is used again. With one thread it allocates nothing.
template <class RangeA, class RangeB>
requires FrequentRanges<RangeA, RangeB>
void intersects(const RangeA& a, const RangeB& b, std::span<std::uint8_t> out) {
  using A = std::ranges::range_value_t<RangeA>;
  using B = std::ranges::range_value_t<RangeB>;
  detail::functions_of<A, B>().batch(std::ranges::data(a), std::ranges::size(a), std::ranges::data(b), std::ranges::size(b), out);
}

/// Frequent pairs.
template <class RangeA, class RangeB>
requires FrequentRanges<RangeA, RangeB>
[[nodiscard]] std::vector<std::uint8_t> intersects(const RangeA& a, const RangeB& b) {
  std::vector<std::uint8_t> out(std::ranges::size(a));
  intersects(a, b, std::span<std::uint8_t>(out));
  return out;
}

}  // namespace graze
