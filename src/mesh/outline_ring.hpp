// The corners of an outline that are still to be cut off, as a ring.
#pragma once
#include <cstdint>
#include <vector>

namespace graze {

struct OutlineRing {
  using Index = std::uint32_t;

  std::vector<Index> next, prev;
  Index left, start = 0;  // number of corners; one of them

  explicit OutlineRing(Index n) : next(n), prev(n), left(n) {
    for (Index k = 0; k < n; ++k) {
      next[k] = (k + 1) % n;
      prev[k] = (k + n - 1) % n;
    }
  }
  void cut(Index v) {
    const Index u = prev[v], w = next[v];
    next[u] = w;
    prev[w] = u;
    start = u;
    --left;
  }
  std::vector<Index> corners() const {
    std::vector<Index> list;
    list.reserve(left);
    for (Index k = 0, v = start; k < left; ++k, v = next[v]) list.push_back(v);
    return list;
  }
};

}  // namespace graze
