// Tests blocks of triangles against each other, 4 at a time: which pairs may touch, and how far apart they are.
#pragma once
#include <cstdint>

#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// Transforms the corners of tree B's blocks into tree A's coordinates: p -> axis[0] p_x + axis[1] p_y + axis[2] p_z + offset. The computed position of a
/// corner of B relative to a corner of A is off by at most `error` in each coordinate.
struct BlockPlacement {
  double axis[3][3], offset[3];
  double error;
  double relative;  ///< true distances equal those in A's coordinates within this factor
  bool usable;
};

/// Corners of a block in tree A's coordinates.
struct alignas(64) PlacedBlock {
  double corner[9][kBlock];
};

struct PairKernels {
  void (*place)(const TriangleBlock& block, const BlockPlacement& placement, PlacedBlock& out);
  /// Bit 4 i + j: triangle i of a and triangle j of b may come within `margin` (A's units, >= 0). Sets only bits below na and nb.
  std::uint32_t (*touch)(const TriangleBlock& a, std::uint32_t na, const PlacedBlock& b, std::uint32_t nb, double error, double margin);
  /// Bit 4 i + j: the distance of the pair, which lies in [lo[4 i + j], hi[4 i + j]] (A's units), may be at most `least`.
  std::uint32_t (*distance)(const TriangleBlock& a, std::uint32_t na, const PlacedBlock& b, std::uint32_t nb, const BlockPlacement& placement, double least,
                            double* lo, double* hi);
};

/// Returns the kernels of the CPU level in force. Fetch once per query.
const PairKernels& pair_kernels();

}  // namespace graze
