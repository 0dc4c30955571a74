// The exact sign of a sum of doubles.
#pragma once
#include <span>

#include "exact/two_double.hpp"

namespace graze {

/// Sign of the sum of up to 16 terms, exactly, barring overflow: each is added to an expansion of components that do not overlap (J. R. Shewchuk 1997), whose
/// sign is that of its largest component.
inline int sign_of_sum(std::span<const double> terms) {
  double component[16];
  std::size_t n = 0;
  for (double x : terms) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const TwoDouble sum = two_sum(x, component[i]);
      if (sum.lo != 0) component[kept++] = sum.lo;
      x = sum.hi;
    }
    if (x != 0) component[kept++] = x;
    n = kept;
  }
  return n == 0 ? 0 : component[n - 1] > 0 ? 1 : -1;
}

}  // namespace graze
