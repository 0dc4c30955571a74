// Distance and closest points of shapes: pairs, and batches of pairs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/pair_hint.hpp>
#include <graze/query/frequent_pairs.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace graze {

/// A distance and a pair of closest points.
struct Closest {
  /// Length, >= 0; 0 exactly when the sets intersect. Saturates at the largest double; infinite only when a set is empty.
  double distance = 0;
  Vec3 on_a{0, 0, 0};  ///< witness on A; equal to on_b when the sets intersect
  Vec3 on_b{0, 0, 0};
  /// For meshes: the triangle that contains the witness, the lowest one at the minimum. For two meshes see closest().
  std::optional<std::uint32_t> triangle_a, triangle_b;
};

/// Returns the distance of two shapes and a pair of closest points.
///
/// The distance has a relative error of at most 1e-15, or is within one denormal; see docs/accuracy.md for the witnesses and for
/// curved shapes. Exchanging the operands exchanges the result.
///
/// Between two meshes that do not touch, of all pairs of triangles at the least distance the result names the one with the lowest triangle of the
/// leading mesh, then the lowest of the other. Two meshes that touch take little longer than intersects(): the result names one pair that touches, always the
/// same for the same two Mesh values and poses (another tree, by Build::fast or refit(), may name another). A Solid leads before a Mesh or HeightField, a Mesh
/// before a HeightField. Of two of one kind the one with fewer triangles leads, else the one whose placed corners, triangle by triangle, have the lower
/// coordinates. The triangle of the other mesh need not be the lowest that attains the minimum.
[[nodiscard]] Closest closest(ShapeRef a, ShapeRef b);
/// The same result, to the bit, with a hint from the last call about the same pair (see PairHint): faster for two shapes of which one is a hull, frustum,
/// wedge, triangle or box, as long as they are apart and their nearest points stay on the same corner, edge or face of each. Balls, segments and capsules among
/// each other have closed forms, which need none.
[[nodiscard]] Closest closest(ShapeRef a, ShapeRef b, PairHint& hint);

// ---- frequent pairs ----------------------------------------------------------------------------------------------------------------------

namespace detail {
/// Functions of the frequent pairs, in the order of the list. `a` and `b` point to one shape each, or to arrays of `count_a` and `count_b` shapes.
struct FrequentClosestFunctions {
  Closest (*one)(const void* a, const void* b);
  void (*batch)(const void* a, std::size_t count_a, const void* b, std::size_t count_b, std::span<Closest> out);
};
extern const std::array<FrequentClosestFunctions, FrequentPairs::size> frequent_closest_functions;

template <class A, class B>
[[nodiscard]] const FrequentClosestFunctions& closest_functions_of() {
  return frequent_closest_functions[FrequentPairs::index<std::pair<A, B>>()];
}
}  // namespace detail

/// The result of closest() above.
template <class A, class B>
requires FrequentPair<A, B>
[[nodiscard]] Closest closest(const A& a, const B& b) { return detail::closest_functions_of<A, B>().one(&a, &b); }

// ---- batches -----------------------------------------------------------------------------------------------------------------------------
//
// Element i of the result is that of a[i] and b[i], bit for bit as a single query would return it. Batches run on all cores; the number of
// threads does not change the result. Throws Error when the sizes differ. Batches of points against one shape are in <graze/query/batches.hpp>.

/// Pairs of any shapes.
[[nodiscard]] std::vector<Closest> closest(std::span<const ShapeRef> a, std::span<const ShapeRef> b);
/// The same into memory of the caller. `hints` has one hint for each pair, or is empty. Throws Error when the numbers of pairs, answers and hints differ.
void closest(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<Closest> out, std::span<PairHint> hints = {});

/// Frequent pairs, into memory of the caller, which is faster when that memory is used again. With one thread it allocates nothing.
template <class RangeA, class RangeB>
requires FrequentRanges<RangeA, RangeB>
void closest(const RangeA& a, const RangeB& b, std::span<Closest> out) {
  using A = std::ranges::range_value_t<RangeA>;
  using B = std::ranges::range_value_t<RangeB>;
  detail::closest_functions_of<A, B>().batch(std::ranges::data(a), std::ranges::size(a), std::ranges::data(b), std::ranges::size(b), out);
}

/// Frequent pairs.
template <class RangeA, class RangeB>
requires FrequentRanges<RangeA, RangeB>
[[nodiscard]] std::vector<Closest> closest(const RangeA& a, const RangeB& b) {
  std::vector<Closest> out(std::ranges::size(a));
  closest(a, b, std::span<Closest>(out));
  return out;
}

}  // namespace graze
