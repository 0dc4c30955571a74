// The SIMD parts of the broad phase: conversion of double boxes to float boxes rounded outward, and tests of boxes against runs of boxes. Results are the same
// at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// Grid coordinates are (x - center) * scale, clamped to +-kGridReach. All floats are rounded outward by kGridMargin, which covers every rounding below that
/// limit.
inline constexpr double kGridReach = 7.5;
inline constexpr double kGridMargin = 0x1p-21;  // half an ulp of a float below 8 is 2^-22
/// Floats that overlap by more than this prove that the doubles overlap: two margins of at most 2^-21 + 2^-22 each on either side, and the rounding of one
/// difference.
inline constexpr float kGridSure = 0x1p-18f;

inline constexpr std::uint32_t kRankedRun = 32;

struct GridFrame {
  double center[3], scale;
};

/// Boxes as structure of arrays, readable one vector past the end.
struct SortedBoxes {
  const float *lo[3], *hi[3];
  const std::uint32_t* id;
};

struct IndexRange {
  std::uint32_t begin, end;
};

/// Receives pairs a < b: those that certainly overlap and those to be decided in doubles. The caller reserves space for all candidates plus one vector.
struct PairSink {
  std::uint32_t *a, *b;
  std::size_t count;
  std::uint32_t *undecided_a, *undecided_b;
  std::size_t undecided;
};

struct GridKernels {
  /// Converts 6 n doubles (min, max) to 6 n floats (lo, hi), rounded outward. Reads and writes up to a multiple of 24 numbers.
  void (*convert)(const double* boxes, std::size_t n, const GridFrame& frame, float* out);
  /// Tests boxes [begin, end) of q against the ranges of t. With `self` the first range starts after the box itself.
  void (*scan)(const SortedBoxes& q, std::uint32_t begin, std::uint32_t end, const SortedBoxes& t, const IndexRange* ranges, int count, bool self,
               PairSink& sink);
  /// Sorts runs of distinct numbers, where run r ends at stops[r], and writes pairs (first_a + r, b) ascending. Skips runs longer than kRankedRun. Reads one
  /// vector past the end of b.
  void (*rank)(const std::uint32_t* stops, std::size_t runs, std::uint32_t first_a, const std::uint32_t* b, std::uint32_t* pairs);
};

const GridKernels& grid_kernels();

}  // namespace graze
