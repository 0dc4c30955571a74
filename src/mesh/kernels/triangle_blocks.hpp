// The triangles of a tree's leaves for SIMD filters: up to 4 side by side, in floats of the tree's own coordinates.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace graze {

inline constexpr std::size_t kBlock = 4;  ///< triangles of a block, which holds one leaf

/// Corners are rounded to nearest. With coordinates within [-1, 1] each is off by at most kBlockError (2^-25, plus the error of to_local).
struct alignas(16) TriangleBlock {
  float corner[9][kBlock];   ///< x, y, z of corner 0, then 1, then 2; lanes without a triangle repeat the last one
  std::uint32_t id[kBlock];  ///< triangle numbers
  std::uint32_t vertex[3][kBlock];
};
static_assert(sizeof(TriangleBlock) == 208);

/// A triangle by its block and lane: block * kBlock + lane.
using BlockPlace = std::uint32_t;

inline constexpr double kBlockError = 0x1p-25 + 0x1p-50;

}  // namespace graze
