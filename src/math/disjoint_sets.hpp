// Disjoint sets of the numbers below n, each named by its lowest number.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace graze {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : leader_(n) { std::iota(leader_.begin(), leader_.end(), 0u); }
  std::uint32_t leader(std::uint32_t i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = leader(i);
    j = leader(j);
    leader_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::uint32_t> leader_;
};

}  // namespace graze
