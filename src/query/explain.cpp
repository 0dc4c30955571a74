// The tier counters of the generic decision, made public.
#include "convex/decide.hpp"
#include <graze/explain.hpp>

namespace graze {

TierCounts tier_counts() {
  const DecisionCounts& c = decision_counts();
  return {c.filter, c.fixed, c.big};
}

void reset_tier_counts() { decision_counts() = DecisionCounts{}; }

}  // namespace graze
