// The tier counters of the generic decision, made public.
#include <graze/explain.hpp>
#include "convex/decide.hpp"

namespace graze {

TierCounts tier_counts() {
  const DecisionCounts& c = decision_counts();
  return {c.filter, c.fixed, c.big};
}

void reset_tier_counts() { decision_counts() = DecisionCounts{}; }

}  // namespace graze
