// Loops are sorted place by place in a list of the ring's corners; the ring is linked anew at the end.
#include "mesh/outline_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace graze {
namespace {

using Index = FlatOutline::Index;

/// The order of directions from a place, clockwise from the positive y axis.
class Clockwise {
 public:
  Clockwise(const FlatOutline& outline, Index at) : outline_(outline), at_(at) {}
  bool operator()(Index p, Index q) const {
    const bool right_p = outline_.left(at_, p), right_q = outline_.left(at_, q);
    if (right_p != right_q) return right_p;
    return outline_.turn(at_, p, q) < 0;
  }

 private:
  const FlatOutline& outline_;
  Index at_;
};

}  // namespace

bool uncross_loops(const FlatOutline& outline, OutlineRing& ring) {
  std::vector<Index> list = ring.corners(), order = list;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return outline.same(a, b) ? a < b : outline.left(a, b); });
  bool changed = false;
  constexpr std::size_t kMostWork = std::size_t{1} << 28;  // a choice: corners moved in all
  for (std::size_t first = 0, last, work = 0; first < order.size() && work < kMostWork; first = last) {
    for (last = first; last < order.size() && outline.same(order[first], order[last]); ++last) {
    }
    if (last - first < 3) continue;
    work += list.size();
    const Index at = order[first];
    std::rotate(list.begin(), std::find(list.begin(), list.end(), at), list.end());
    struct Loop {
      std::size_t begin, end;  // in the list; the first corner is at the place
    };
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!outline.same(list[i], at)) continue;
      if (!loops.empty()) loops.back().end = i;
      loops.push_back({i, list.size()});
    }
    if (std::any_of(loops.begin(), loops.end(), [](const Loop& l) { return l.end == l.begin + 1; })) continue;  // a corner repeated at once
    const Clockwise before(outline, at);
    const auto way = [&](const Loop& l) { return list[l.begin + 1]; };
    // The first loop stays the first, and the others follow it clockwise.
    const auto after_first = [&](const Loop& l) { return before(way(loops[0]), way(l)); };
    std::vector<Loop> sorted = loops;
    std::stable_sort(sorted.begin() + 1, sorted.end(), [&](const Loop& a, const Loop& b) {
      const bool late_a = !after_first(a), late_b = !after_first(b);
      return late_a != late_b ? late_b : before(way(a), way(b));
    });
    std::vector<Index> next;
    next.reserve(list.size());
    for (const Loop& l : sorted)
      next.insert(next.end(), list.begin() + static_cast<std::ptrdiff_t>(l.begin), list.begin() + static_cast<std::ptrdiff_t>(l.end));
    changed = changed || next != list;
    list = std::move(next);
  }
  if (!changed) return false;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Index a = list[k], b = list[k + 1 == list.size() ? 0 : k + 1];
    ring.next[a] = b;
    ring.prev[b] = a;
  }
  ring.start = list[0];
  return true;
}

}  // namespace graze
