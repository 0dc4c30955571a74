// The tier counters of the predicates and of the generic decision, made public.
#include <graze/explain.hpp>

#include "convex/decide.hpp"
#include "exact/predicates.hpp"

namespace graze {

TierCounts tier_counts() {
  const PredicateCounts& p = predicate_counts();
  const DecisionCounts& d = decision_counts();
  return {p.filter + d.filter, p.fixed + d.fixed, p.big + d.big};
}

void reset_tier_counts() {
  predicate_counts() = PredicateCounts{};
  decision_counts() = DecisionCounts{};
}

}  // namespace graze
