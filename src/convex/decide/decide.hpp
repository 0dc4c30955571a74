// The generic decision behind all pairs of linear or round convex shapes.
#pragma once
#include <cstdint>

#include "convex/sets/convex_set.hpp"

namespace graze {

/// Whether the distance of A and B is at most `extra` (closed; exact for any finite doubles). With extra = 0: whether they intersect.
bool within(const ConvexSet& a, const ConvexSet& b, double extra = 0);

/// Sign of (distance between the convex sets' unrounded hulls) - (radius_a + radius_b + extra): -1 overlap, 0 exactly touching, +1 apart. For hulls that
/// intersect the result is -1, or 0 when radii and extra are all zero.
int compare_distance(const ConvexSet& a, const ConvexSet& b, double extra = 0);

/// Number of decisions per tier, counted per thread for tests, `check --explain` and the benchmark.
struct DecisionCounts {
  std::uint64_t filter = 0;  ///< doubles with a proven bound
  std::uint64_t pairs = 0;   ///< pairs of doubles with a proven bound
  std::uint64_t big = 0;     ///< unlimited integers
};
extern constinit thread_local DecisionCounts decision_counts_of_thread;
inline DecisionCounts& decision_counts() { return decision_counts_of_thread; }

}  // namespace graze
