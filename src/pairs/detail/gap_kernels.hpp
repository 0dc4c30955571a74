// Distances of pairs with a closed form: one pair, or as many at once as the CPU has SIMD lanes. Results are the same bit for bit in either way and at every
// CPU level; some pairs are left undecided.
#pragma once
#include <cstddef>
#include <cstdint>

#include "pairs/detail/batch_kernels.hpp"

namespace graze {

inline constexpr std::size_t kGapBlock = 128;

/// The results of a block: distance, x, y, z of the point on A, then of that on B.
struct GapBlock {
  double value[7][kGapBlock];
};

/// Distances of a[i] and b[i], for kLeastBatch <= n <= kGapBlock pairs. Stores the numbers of undecided pairs in `undecided` (space for n + 8; some may occur
/// twice) and returns their count. Shapes are read as their doubles lie in memory.
using GapBatch = std::size_t (*)(const double* a, const double* b, std::size_t n, GapBlock& out, std::uint32_t* undecided);
/// The same for one pair; false where it is undecided. Stores the seven values. The general way takes 2.5 to 2.9 times as long (capsules 230 ns, so 81).
using GapOfOne = bool (*)(const double* a, const double* b, double* out);

struct GapFunctions {
  GapOfOne one;
  GapBatch batch;
};

/// Exchanging two shapes of one kind exchanges the result bit for bit.
struct GapKernels {
  GapFunctions sphere_sphere, sphere_capsule, capsule_capsule, sphere_triangle, triangle_triangle, sphere_box, box_box, sphere_oriented_box;
};

const GapKernels& gap_kernels();

}  // namespace graze
