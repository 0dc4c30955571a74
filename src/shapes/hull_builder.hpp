// The exact convex hull of points with volume, in O(n log n) expected: one point after the other in a shuffled order.
#pragma once
#include <array>
#include <cstdint>
#include <graze/vec.hpp>
#include <span>
#include <vector>

namespace graze {

/// The facets of the hull of distinct points, as loops of their extreme points counter-clockwise seen from outside, each from its lowest number, sorted: the
/// same for any order of work. `ids` are the numbers of the points to use; `simplex` four of them with orient3d > 0, so that the facets (0, 1, 2) ... enclose
/// volume.
std::vector<std::vector<std::uint32_t>> hull_facets(std::span<const Vec3> points, std::span<const std::uint32_t> ids,
                                                    const std::array<std::uint32_t, 4>& simplex);

}  // namespace graze
