// The search for a free place before a contact: in growing steps from the contact back towards the start.
#pragma once
#include <algorithm>
#include <optional>

namespace graze {

/// Returns the first time t - b for which is_free(t - b), where b is `first`, then each time `factor` (at least 2) times as much, and at least `least`. Returns
/// nothing if no such time after 0 is free. The steps grow until b reaches t, so there are at most 2,098 of them, the number of powers of two among doubles. A
/// step of 0 that does not grow would repeat the same test, and ends the search.
///
/// A larger factor takes fewer tests and may stop farther from the contact. The callers' factors differ; where a body comes to rest depends on them.
template <class IsFree>
std::optional<double> step_back(double t, double first, double factor, double least, IsFree&& is_free) {
  for (double back = first; back < t;) {
    if (is_free(t - back)) return t - back;
    const double next = std::max(back * factor, least);
    if (!(next > back)) break;
    back = next;
  }
  return std::nullopt;
}

}  // namespace graze
