// Counts of intersecting pairs of triangles, for meshes with too many pairs to list.
#pragma once
#include <cstdint>
#include <graze/shapes.hpp>

namespace graze {

/// A number of pairs: exactly `count`, or more than `count` if `more` is set.
struct PairCount {
  std::uint64_t count = 0;
  bool more = false;
};

/// Returns how many pairs intersecting_triangles() and self_intersections() of <graze/query.hpp> would list, counted up to `most`
/// (or 2^53 if that is less). Throws Error for the same kinds of shapes.
///
/// Groups of equal triangles are counted at once. Memory is O(n), however many pairs there are. Time is that of listing `most`
/// pairs, and at most that of testing all pairs of triangles whose boxes overlap; triangles around one corner take O(n log n).
PairCount count_intersecting_triangles(ShapeRef a, ShapeRef b, std::uint64_t most = 10'000'000);
PairCount count_self_intersections(ShapeRef mesh, std::uint64_t most = 10'000'000);

}  // namespace graze
