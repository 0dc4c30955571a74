// The sweep keeps the edges that its line cuts, in order, with the winding number above each. Places are passed from left to right. The edges through a place
// follow one another in the order; only their numbers change there, since as many edges enter each place as leave it. Edges that overlap follow one another,
// too, and only the number above the last of them is that of points in the plane.
#include "mesh/outline_windings.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>

namespace graze {
namespace {

using Index = FlatOutline::Index;

class WindingSweep {
 public:
  WindingSweep(const FlatOutline& outline, const OutlineRing& ring) : outline_(outline), ring_(ring), cut_(Below{this}) {
    const std::size_t n = outline.size();
    found_.out.resize(n);
    found_.in.resize(n);
    found_.place.resize(n);
    above_.resize(n);
    at_.resize(n, cut_.end());
    most_passes_ = (std::size_t{1} << 22) + 16 * n;
  }

  std::optional<OutlineWindings> run() {
    std::vector<Index> order = ring_.corners();
    std::sort(order.begin(), order.end(), [this](Index a, Index b) { return outline_.same(a, b) ? a < b : outline_.left(a, b); });
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
      while (last < order.size() && outline_.same(order[first], order[last])) found_.place[order[last++]] = found_.places;
      if (!pass({order.data() + first, last - first})) return std::nullopt;
      ++found_.places;
    }
    return std::move(found_);
  }

 private:
  struct Point {
    Index corner;
  };
  struct Below {
    using is_transparent = void;
    const WindingSweep* sweep;
    bool operator()(Index a, Index b) const { return sweep->below(a, b); }
    bool operator()(Index edge, Point p) const { return sweep->turn(edge, p.corner) > 0; }
    bool operator()(Point p, Index edge) const { return sweep->turn(edge, p.corner) < 0; }
  };
  using Place = std::set<Index, Below>::iterator;

  // Edges go by their first corner.
  Index to(Index e) const { return ring_.next[e]; }
  bool rightward(Index e) const { return outline_.left(e, to(e)); }
  Index left_end(Index e) const { return rightward(e) ? e : to(e); }
  Index right_end(Index e) const { return rightward(e) ? to(e) : e; }
  int turn(Index e, Index corner) const { return outline_.turn(left_end(e), right_end(e), corner); }
  /// The order of two edges that the sweep line cuts at the same time; edges that overlap are in the order of their numbers.
  bool below(Index e, Index f) const {
    if (e == f) return false;
    const auto side = [this](Index a, Index b) {  // on which side of b does a begin or, if on b, to which does it leave b
      const int s = turn(b, left_end(a));
      return s != 0 ? s : turn(b, right_end(a));
    };
    const int s = outline_.left(left_end(e), left_end(f)) ? side(f, e) : -side(e, f);
    return s != 0 ? s > 0 : e < f;
  }

  /// Calls visit(first, end, winding below, winding above) for each run of overlapping edges among those from `from` to `to`, all through one place. Edges
  /// through a place overlap beside it if an end of one on that side is on the other.
  template <class End, class F>
  void for_bundles(Place from, Place to, End end_of, F&& visit) const {
    for (Place first = from; first != to;) {
      Place last = first, end = std::next(first);
      while (end != to && turn(*last, end_of(*end)) == 0) last = end++;
      visit(first, end, first == cut_.begin() ? 0 : above_[*std::prev(first)], above_[*last]);
      first = end;
    }
  }

  bool pass(std::span<const Index> corners) {
    const Point here{corners[0]};
    Place low = cut_.lower_bound(here);
    const Place high = cut_.upper_bound(here);
    for_bundles(
        low, high, [this](Index e) { return left_end(e); },
        [&](Place first, Place end, int below, int above) {
          for (Place e = first; e != end; ++e) {
            if (!outline_.same(right_end(*e), here.corner))
              found_.passes.emplace_back(found_.places, *e);
            else if (rightward(*e))
              found_.in[to(*e)] = static_cast<signed char>(above);
            else
              found_.out[*e] = static_cast<signed char>(below);
          }
        });
    if (found_.passes.size() > most_passes_) return false;

    const bool lowest = low == cut_.begin();
    const Place under = lowest ? low : std::prev(low);
    for (const Index v : corners) {
      for (const Index e : {ring_.prev[v], v})
        if (!outline_.same(e, to(e)) && right_end(e) == v) cut_.erase(at_[e]);
    }
    for (const Index v : corners) {
      for (const Index e : {ring_.prev[v], v})
        if (!outline_.same(e, to(e)) && left_end(e) == v) at_[e] = cut_.insert(e).first;
    }
    low = lowest ? cut_.begin() : std::next(under);
    int winding = lowest ? 0 : above_[*under];
    for (Place e = low; e != high; ++e) above_[*e] = winding += rightward(*e) ? 1 : -1;
    bool once = true;
    for_bundles(
        low, high, [this](Index e) { return right_end(e); },
        [&](Place first, Place end, int below, int above) {
          once = once && (above == 0 || above == 1);
          for (Place e = first; e != end; ++e) {
            if (!outline_.same(left_end(*e), here.corner)) continue;
            if (rightward(*e))
              found_.out[*e] = static_cast<signed char>(above);
            else
              found_.in[to(*e)] = static_cast<signed char>(below);
          }
        });
    return once;
  }

  const FlatOutline& outline_;
  const OutlineRing& ring_;
  std::set<Index, Below> cut_;
  std::vector<int> above_;  // by edge: how often the outline runs round the points above it
  std::vector<Place> at_;
  OutlineWindings found_;
  std::size_t most_passes_;
};

}  // namespace

std::optional<OutlineWindings> find_windings(const FlatOutline& outline, const OutlineRing& ring) { return WindingSweep(outline, ring).run(); }

}  // namespace graze
