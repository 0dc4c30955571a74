// The triangles of a tree's leaves for wide filters: up to 4 side by side, in floats of the tree's own coordinates.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace graze {

inline constexpr std::size_t kBlock = 4;

/// Corners are rounded to nearest: with coordinates within [-1, 1] each is off by at most kBlockError (2^-25, and what local_query's to_local loses).
struct alignas(16) TriangleBlock {
  float corner[9][kBlock];   ///< x, y, z of corner 0, then 1, then 2; lanes without a triangle repeat the last
  std::uint32_t id[kBlock];  ///< the triangles' numbers
  std::uint32_t vertex[3][kBlock];
};
static_assert(sizeof(TriangleBlock) == 208);

/// A triangle by its block and lane.
using BlockPlace = std::uint32_t;

inline constexpr double kBlockError = 0x1p-25 + 0x1p-50;

}  // namespace graze
