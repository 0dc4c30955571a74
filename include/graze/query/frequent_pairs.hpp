// The pairs of shapes whose queries the compiler calls directly, and whose batches use SIMD lanes.
#pragma once
#include <graze/shapes.hpp>
#include <ranges>
#include <utility>

namespace graze {

/// The most frequent pairs, which intersects() and closest() answer without the dispatch table, and in batches.
using FrequentPairs = TypeList<std::pair<Sphere, Sphere>, std::pair<Sphere, Capsule>, std::pair<Capsule, Capsule>, std::pair<Sphere, Triangle>,
                               std::pair<Triangle, Triangle>, std::pair<Sphere, Box>, std::pair<Box, Box>, std::pair<Segment, Box>,
                               std::pair<Sphere, OrientedBox>, std::pair<OrientedBox, OrientedBox>, std::pair<OrientedBox, Capsule>>;
template <class A, class B>
concept FrequentPair = FrequentPairs::contains<std::pair<A, B>>;

/// Contiguous ranges (std::vector, std::array, std::span) whose elements are a frequent pair.
template <class RangeA, class RangeB>
concept FrequentRanges = std::ranges::contiguous_range<RangeA> && std::ranges::contiguous_range<RangeB> &&
    FrequentPair<std::ranges::range_value_t<RangeA>, std::ranges::range_value_t<RangeB>>;

}  // namespace graze
