// Filters for batches of shape pairs: as many pairs at once as the CPU has SIMD lanes. Arrays of shapes go in; one byte per pair comes out. Pairs that doubles
// leave undecided are listed for the exact functions, so the bytes are the same at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// Smaller batches are tested one pair at a time.
inline constexpr std::size_t kLeastBatch = 8;

/// out[i]: whether a[i] meets b[i], for `n` >= kLeastBatch pairs. Stores the numbers of undecided pairs in `undecided` (space for n + 8; some may occur
/// twice) and returns their count. Shapes are read as their doubles lie in memory.
using PairBatch = std::size_t (*)(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* undecided);

struct BatchKernels {
  PairBatch sphere_sphere, sphere_capsule, capsule_capsule, sphere_triangle, triangle_triangle, sphere_box, box_box, segment_box, sphere_oriented_box,
      oriented_boxes, oriented_box_capsule;
};

const BatchKernels& batch_kernels();

}  // namespace graze
