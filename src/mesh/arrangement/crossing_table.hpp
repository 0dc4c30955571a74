// A sparse table of the pairs of triangles that cross, of two surfaces or of one with itself, filled pair by pair.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace graze {

class CrossingTable {
 public:
  void add(std::uint32_t a, std::uint32_t b) {
    entries_.push_back({a, b});
    entries_.push_back({b, a});
  }

  /// Calls f(r, s, t) for every triangle r that crosses both s and t, in ascending order, until f returns true.
  template <class F>
  bool any_triple(const F& f) {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& x, const Entry& y) { return x.of != y.of ? x.of < y.of : x.other < y.other; });
    for (std::size_t i = 0; i < entries_.size(); ++i)
      for (std::size_t j = i + 1; j < entries_.size() && entries_[j].of == entries_[i].of; ++j)
        if (f(entries_[i].of, entries_[i].other, entries_[j].other)) return true;
    return false;
  }

 private:
  struct Entry {
    std::uint32_t of, other;
  };
  std::vector<Entry> entries_;
};

}  // namespace graze
