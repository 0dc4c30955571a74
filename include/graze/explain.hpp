// Statistics on how answers were computed: which tier of arithmetic decided, and at which CPU level the SIMD code ran.
// For `graze check --explain`, tests and benchmarks. Answers never depend on them.
#pragma once
#include <cstdint>

namespace graze {

/// Signs of predicates, generic decisions and their distances, by the tier that decided them. Tests that only
/// cull are not counted, nor what a closed form of a pair of shapes (most pairs of triangles) answers in doubles.
struct TierCounts {
  std::uint64_t filter = 0;  ///< doubles with a proven error bound
  std::uint64_t pairs = 0;   ///< pairs of doubles with a proven error bound
  std::uint64_t fixed = 0;   ///< exact integers of fixed width
  std::uint64_t big = 0;     ///< exact integers of any width
};

/// Returns the counts of the calling thread since it started or last reset them. set_threads(1) keeps all work on that thread.
[[nodiscard]] TierCounts tier_counts();
void reset_tier_counts();

/// How often the calling thread has entered the SIMD tests of tree nodes since it started, and at which CPU level.
struct KernelUse {
  const char* level = "";       ///< the level in use ("scalar", "sse4", "avx2", "avx512", "neon")
  std::uint64_t entered = 0;    ///< entries at that level
  std::uint64_t elsewhere = 0;  ///< entries at any other level
};
[[nodiscard]] KernelUse kernel_use();

}  // namespace graze
