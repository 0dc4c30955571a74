// The wide parts of the broad phase: boxes of doubles to boxes of floats rounded outward, and boxes against runs of boxes. Same results at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// Coordinates of the grid: (x - center) * scale, cut at +-kGridReach. All floats are rounded outward by kGridMargin, which covers every rounding below that
/// reach.
inline constexpr double kGridReach = 7.5;
inline constexpr double kGridMargin = 0x1p-21;  // half an ulp of a float below 8 is 2^-22
/// Floats that overlap by more than this prove that the doubles do: two margins of at most 2^-21 + 2^-22 each on either side, and the rounding of one
/// difference.
inline constexpr float kGridSure = 0x1p-18f;

inline constexpr std::uint32_t kRankedRun = 32;

struct GridFrame {
  double center[3], scale;
};

/// Boxes as structure of arrays, readable one vector beyond the end.
struct SortedBoxes {
  const float *lo[3], *hi[3];
  const std::uint32_t* id;
};

struct IndexRange {
  std::uint32_t begin, end;
};

/// Where pairs go (a < b): those that certainly overlap and those to be decided on doubles. Room for all candidates and one vector more is the caller's care.
struct PairSink {
  std::uint32_t *a, *b;
  std::size_t count;
  std::uint32_t *doubt_a, *doubt_b;
  std::size_t doubts;
};

struct GridKernels {
  /// 6 n doubles (min, max) to 6 n floats (lo, hi), rounded outward. Reads and writes up to a multiple of 24 numbers.
  void (*convert)(const double* boxes, std::size_t n, const GridFrame& frame, float* out);
  /// Boxes [begin, end) of q against the ranges of t; with `self` the first range starts behind the box itself.
  void (*scan)(const SortedBoxes& q, std::uint32_t begin, std::uint32_t end, const SortedBoxes& t, const IndexRange* ranges, int count, bool self,
               PairSink& sink);
  /// Runs of numbers that differ, run r ending at stops[r]: pairs (first_a + r, b) ascending, but for runs longer than kRankedRun, which are left out. Reads
  /// one vector beyond the end of b.
  void (*rank)(const std::uint32_t* stops, std::size_t runs, std::uint32_t first_a, const std::uint32_t* b, std::uint32_t* pairs);
};

const GridKernels& grid_kernels();

}  // namespace graze
