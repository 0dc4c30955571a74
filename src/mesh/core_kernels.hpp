// A convex shape of few directions against 4 triangles at once: spheres, capsules, boxes.
#pragma once
#include "mesh/triangle_blocks.hpp"

namespace graze {

/// { center + sum s_k half_k + ball : |s_k| <= 1 } in a tree's coordinates. Center and halves (as a sum) are at most `error` in each coordinate off, the corners of blocks and all roundings of coordinates
/// included; the radius lies in [radius_lo, radius_hi].
struct LocalCore {
  double center[3], half[3][3];
  std::uint32_t halves;
  double radius_lo, radius_hi, error;
  bool square;  ///< halves are orthogonal but for 2^-30 of their sizes, and of length above 2^-20
};

struct CoreHits {
  std::uint32_t possible;  ///< bit i: triangle i may touch
  bool certain;            ///< one of them touches
};

struct CoreKernels {
  CoreHits (*touch)(const TriangleBlock& block, std::uint32_t count, const LocalCore& core);
};

/// The kernels of the CPU level in force. Ask once per query.
const CoreKernels& core_kernels();

}  // namespace graze
