// How the library came to its answers: which tier of arithmetic decided how often, which CPU level the wide code ran at. For `graze check --explain`, tests and
// benchmarks; never part of an answer.
#pragma once
#include <cstdint>

namespace graze {

/// Signs of predicates and generic decisions by the tier that gave the answer; tests that only cull are not among them.
struct TierCounts {
  std::uint64_t filter = 0;  ///< doubles with a proven error bound
  std::uint64_t fixed = 0;   ///< exact numbers of fixed width
  std::uint64_t big = 0;     ///< exact numbers of any width
};

/// Counts of the calling thread since it began or last reset them; set_threads(1) keeps all work on it.
TierCounts tier_counts();
void reset_tier_counts();

/// How often the wide tests of a tree's nodes were entered by the calling thread since it began, and at which CPU level.
struct KernelUse {
  const char* level = "";       ///< the level in force ("scalar", "sse4", "avx2", "avx512", "neon")
  std::uint64_t entered = 0;    ///< at that level
  std::uint64_t elsewhere = 0;  ///< at any other
};
KernelUse kernel_use();

}  // namespace graze
