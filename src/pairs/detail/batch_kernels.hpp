// Filters of pairs of shapes, as many pairs at once as the CPU has lanes: arrays of shapes in, one byte a pair out. What doubles leave open is listed for the
// exact functions, so the bytes are the same at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// Fewer pairs than this are asked one at a time.
inline constexpr std::size_t kLeastBatch = 8;

/// out[i]: does a[i] meet b[i]? `n` >= kLeastBatch pairs; the numbers of those left open are put into `open` (room for n + 8, some may stand there twice),
/// their number is returned. Shapes are their doubles as they lie in memory.
using PairBatch = std::size_t (*)(const double* a, const double* b, std::size_t n, std::uint8_t* out, std::uint32_t* open);

struct BatchKernels {
  PairBatch sphere_sphere, sphere_capsule, capsule_capsule, sphere_triangle, triangle_triangle, sphere_box, box_box, segment_box, sphere_oriented_box,
      oriented_boxes, oriented_box_capsule;
};

const BatchKernels& batch_kernels();

}  // namespace graze
