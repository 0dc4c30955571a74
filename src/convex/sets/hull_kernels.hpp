// Kernels over the points of a hull by coordinate: several points at once in SIMD lanes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// n points, n > 0; y and z lie `stride` and 2 * stride after x. From n to `stride`, a multiple of 8, the first one again.
struct CoordinateArrays {
  const double* x;
  std::size_t stride, n;
};

struct HullKernels {
  /// The first point with the least (d0 x + d1 y) + d2 z, as rounded.
  std::uint32_t (*least)(const CoordinateArrays& points, const double* d);
  /// Bit k: point first + k, k < 64, has (d0 x + d1 y) + d2 z <= limit, as rounded.
  std::uint64_t (*up_to)(const CoordinateArrays& points, const double* d, double limit, std::size_t first);
};

const HullKernels& hull_kernels();

}  // namespace graze
