// The exact convex hull of points with volume, in O(n log n) expected time by incremental insertion in a shuffled order.
#pragma once
#include <array>
#include <cstdint>
#include <graze/vec.hpp>
#include <span>
#include <vector>

#include "platform/progress_meter.hpp"

namespace graze {

/// Steps from one look whether the caller wants the call to end to the next: a choice, less than a millisecond.
inline constexpr std::size_t kHullLook = 4096;

/// Loops of points, one after the other.
struct FacetLoops {
  std::vector<std::uint32_t> points;
  std::vector<std::uint32_t> begin{0};  ///< of each loop in `points`, and the end of the last

  [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const { return std::span(points).subspan(begin[i], begin[i + 1] - begin[i]); }
  void add(std::span<const std::uint32_t> loop) {
    points.insert(points.end(), loop.begin(), loop.end());
    begin.push_back(static_cast<std::uint32_t>(points.size()));
  }
};

/// Returns the facets of the hull of distinct points as loops of their extreme points, counter-clockwise seen from outside. Each loop starts at its lowest
/// index, and the loops are sorted, so the result does not depend on the order of insertion. `ids` are the indices of the points to use; `simplex` holds four
/// of them with orient3d > 0, so that the facets (0, 1, 2) ... enclose volume.
FacetLoops hull_facets(std::span<const Vec3> points, std::span<const std::uint32_t> ids, const std::array<std::uint32_t, 4>& simplex, ProgressMeter& meter);

}  // namespace graze
