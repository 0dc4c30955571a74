// Public access to the counters of the predicates, the generic decision and the SIMD kernels.
#include <graze/explain.hpp>

#include "bvh/box_kernels.hpp"
#include "convex/decide/decide.hpp"
#include "exact/predicates.hpp"
#include "platform/cpu.hpp"

namespace graze {

TierCounts tier_counts() {
  const PredicateCounts& p = predicate_counts();
  const DecisionCounts& d = decision_counts();
  return {p.filter + d.filter, p.pairs + d.pairs, p.fixed, p.big + d.big};
}

void reset_tier_counts() {
  predicate_counts() = PredicateCounts{};
  decision_counts() = DecisionCounts{};
}

KernelUse kernel_use() {
  const KernelCounts& c = kernel_counts;
  const CpuLevel now = current_cpu_level();
  KernelUse use{name(now)};
  for (int level = 0; level < kCpuLevels; ++level) {
    const std::uint64_t n = c.overlap[level] + c.ray[level] + c.distance[level] + c.oriented_overlap[level] + c.oriented_distance[level];
    (level == static_cast<int>(now) ? use.entered : use.elsewhere) += n;
  }
  return use;
}

}  // namespace graze
