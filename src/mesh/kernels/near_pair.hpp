// A candidate for the nearest pair of triangles of two trees. Plain data only, since kernels are compiled once per CPU level.
#pragma once
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A pair of triangles, at least `lo` apart in a's units.
struct NearPair {
  double lo;
  BlockPlace a, b;
};

}  // namespace graze
