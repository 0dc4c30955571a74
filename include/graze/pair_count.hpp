// How many pairs of triangles meet, where the pairs themselves may be too many to list.
#pragma once
#include <cstdint>
#include <graze/shapes.hpp>

namespace graze {

/// A number of pairs: `count`, or more than `count`.
struct PairCount {
  std::uint64_t count = 0;
  bool more = false;
};

/// How many pairs intersecting_triangles and self_intersections (query.hpp) would list, counted up to `most` (2^53 if that is less). Groups of equal triangles
/// are counted at once. Throws Error for the same kinds. Memory O(n), however many pairs there are. Time: that of listing `most` pairs, at most that of testing
/// all pairs of triangles whose boxes overlap; triangles around one corner take O(n log n).
PairCount count_intersecting_triangles(ShapeRef a, ShapeRef b, std::uint64_t most = 10'000'000);
PairCount count_self_intersections(ShapeRef mesh, std::uint64_t most = 10'000'000);

}  // namespace graze
