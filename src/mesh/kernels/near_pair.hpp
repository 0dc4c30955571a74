// A candidate for the nearest pair of triangles of two trees. Plain data only, since kernels are compiled once per CPU level.
#pragma once
#include <cstdint>

#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A pair of triangles, at least `lo` apart in a's units.
struct NearPair {
  double lo;
  BlockPlace a, b;
};

/// Where a search of two trees starts: at these children of a node of each. By default, at both roots.
struct StartNodes {
  std::uint32_t a = 0, a_slots = 0xFF, b = 0, b_slots = 0xFF;
};

}  // namespace graze
