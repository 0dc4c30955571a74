// Ears are cut from a ring of corners. A list holds the corners whose ears may have become free; a corner that blocks an ear puts it back into the list.
#include "mesh/ear_clipping.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "mesh/edge_meetings.hpp"
#include "mesh/outline_columns.hpp"
#include "mesh/outline_windings.hpp"

namespace graze {
namespace {

using Index = FlatOutline::Index;
constexpr Index kNoCorner = 0xFFFFFFFFu;

class EarClipper {
 public:
  EarClipper(const FlatOutline& outline, OutlineRing& ring, std::vector<TriangleIndices>& triangles)
      : outline_(outline),
        ring_(ring),
        triangles_(triangles),
        columns_(outline, ring.corners()),
        cut_(outline.size(), true),
        listed_(outline.size()),
        beside_cut_(outline.size()),
        waiting_(outline.size()) {
    for (const Index v : ring.corners()) {
      cut_[v] = false;
      list(v);
    }
  }

  /// Cuts the whole ring. The windings must be those of the ring.
  bool run(OutlineWindings windings) {
    out_ = std::move(windings.out);
    in_ = std::move(windings.in);
    place_ = std::move(windings.place);
    at_.resize(windings.places);
    through_.resize(windings.places);
    for (const Index v : ring_.corners()) at_[place_[v]].push_back(v);
    for (const auto& [place, e] : windings.passes) through_[place].push_back({e, ring_.next[e]});
    while (ring_.left > 3)
      if (!cut_next()) return false;
    const Index v = ring_.start;
    triangles_.push_back({ring_.prev[v], v, ring_.next[v]});
    return outline_.turn(ring_.prev[v], v, ring_.next[v]) >= 0;
  }

  /// Cuts free ears while more than `most` corners are left, and there are any.
  void run_to(Index most) {
    while (ring_.left > most && cut_next()) {
    }
  }

 private:
  // From the best on: with area and no corner on its cut, or where a corner is repeated; with area; without; where the outline runs back.
  enum Kind { whole, touched, flat, fold, none };

  struct Look {
    Kind kind;
    Index by = kNoCorner;    // what blocks a better kind: this corner ..
    bool until_cut = false;  // .. until it is cut, or else until one of its edges changes
    bool alone = true;       // no other corner is on the triangle
  };
  struct Waiting {
    std::vector<Index> for_cut, for_change;
  };

  void list(Index v) {
    if (listed_[v]) return;
    listed_[v] = true;
    list_.push_back(v);
  }

  /// Cuts the next ear; returns false if none is free.
  bool cut_next() {
    while (const std::optional<Index> v = take(list_, 1)) {
      listed_[*v] = false;
      if (const Look now = file(*v); now.kind == whole) return cut(*v, now.alone);
    }
    for (int kind = touched; kind != none; ++kind) {
      while (const std::optional<Index> v = take(ready_[kind], 2))
        if (const Look now = file(*v); now.kind <= kind) return cut(*v, now.alone);
    }
    return false;
  }

  /// Takes the next corner that is not cut. One next to a cut goes to the end, once, so that no fans are cut from one corner, with ever longer edges.
  std::optional<Index> take(std::deque<Index>& corners, unsigned char mark) {
    while (!corners.empty()) {
      const Index v = corners.front();
      corners.pop_front();
      if (cut_[v]) continue;
      if ((beside_cut_[v] & mark) == 0) return v;
      beside_cut_[v] &= static_cast<unsigned char>(~mark);
      corners.push_back(v);
    }
    return std::nullopt;
  }

  /// Puts a corner where it belongs now.
  Look file(Index v) {
    const Look l = look(v);
    if (l.by != kNoCorner) (l.until_cut ? waiting_[l.by].for_cut : waiting_[l.by].for_change).push_back(v);
    if (l.kind != whole && l.kind != none) ready_[l.kind].push_back(v);
    return l;
  }

  void wake(std::vector<Index>& corners) {
    for (const Index v : std::exchange(corners, {})) list(v);
  }

  bool cut(Index v, bool alone) {
    const Index u = ring_.prev[v], w = ring_.next[v];
    const int turn = outline_.turn(u, v, w);
    triangles_.push_back({u, v, w});
    // Where the outline runs back, what is to the left of the new edge at its end inside the old one.
    const bool has_windings = !place_.empty();
    const bool runs_back = has_windings && turn == 0 && !outline_.same(u, v) && !outline_.same(v, w) && !outline_.same(u, w) && outline_.folds(u, v, w);
    const bool ends_inside = runs_back && !outline_.folds(u, w, v);
    if (ends_inside) in_[w] = static_cast<signed char>(out_[w] + between(w, ring_.next[w], u));
    if (runs_back && !ends_inside) out_[u] = static_cast<signed char>(in_[u] - between(u, w, ring_.prev[u]));
    if (has_windings && outline_.same(u, v)) out_[u] = out_[v];
    if (has_windings && outline_.same(v, w)) in_[w] = in_[v];

    ring_.cut(v);
    cut_[v] = true;
    columns_.remove(v);
    if (has_windings && !outline_.same(u, w)) {
      if (!alone) note_passes(u, w);
      if (turn > 0) {  // the outline no longer runs round the triangle
        if (!alone) clear_windings({u, v, w});
        out_[u] = static_cast<signed char>(along(u, w));
        in_[w] = static_cast<signed char>(-along(w, u));
      }
    }
    beside_cut_[w] = 3;
    list(u);
    list(w);
    wake(waiting_[v].for_cut);
    for (const Index k : {u, v, w}) wake(waiting_[k].for_change);
    return true;
  }

  Look look(Index v) const {
    const Index u = ring_.prev[v], w = ring_.next[v];
    const int turn = outline_.turn(u, v, w);
    if (turn < 0) return {none};
    if (turn == 0) return {outline_.same(u, v) || outline_.same(v, w) ? whole : outline_.folds(u, v, w) ? fold : flat, kNoCorner, false, false};
    if (intrudes({u, v, w}, ring_.prev[u], u)) return {none, u};
    if (intrudes({u, v, w}, w, ring_.next[w])) return {none, w};
    if (!place_.empty()) {
      for (const OutlineEdge& e : through_[place_[v]])  // an edge that enters the triangle at v, where it does not end
        if (is_left(e) && (is_between(v, w, u, e.from) || is_between(v, w, u, e.to))) return {none, e.from};
    }
    Look result{whole};
    columns_.near({u, v, w}, [&](Index p) {
      if (p == u || p == v || p == w) return true;
      for (const auto& [corner, a, b] : {std::array{v, w, u}, std::array{u, v, w}, std::array{w, u, v}}) {
        if (!outline_.same(p, corner)) continue;
        result.alone = false;
        const bool enters = is_between(corner, a, b, ring_.prev[p]) || is_between(corner, a, b, ring_.next[p]);
        if (enters) result = {none, p, false, false};
        return !enters;
      }
      const int a = outline_.turn(u, v, p), b = outline_.turn(v, w, p), c = outline_.turn(w, u, p);
      if (a < 0 || b < 0 || c < 0) return true;
      const bool inside = a > 0 && b > 0 && c > 0;
      result.alone = false;
      if (inside || intrudes({u, v, w}, ring_.prev[p], p) || intrudes({u, v, w}, p, ring_.next[p])) {
        result = {none, p, inside, false};
        return false;
      }
      if (c == 0) result = {touched, p, true, false};
      return true;
    });
    // No edge is inside, so the triangle is all within or all without.
    if (result.kind != none && !place_.empty() && out_[v] != 1) return {none};
    return result;
  }

  /// Whether the edge p-q has points inside the triangle. If not, a line along one of its sides or along the edge lies between them.
  bool intrudes(const std::array<Index, 3>& t, Index p, Index q) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const Index a = t[i], b = t[(i + 1) % 3];
      if (outline_.turn(a, b, p) <= 0 && outline_.turn(a, b, q) <= 0) return false;
    }
    if (outline_.same(p, q)) return true;  // a point inside
    int sides[3];
    for (std::size_t i = 0; i < 3; ++i) sides[i] = outline_.turn(p, q, t[i]);
    return !(sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) && !(sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0);
  }

  /// Records that the new edge u-w passes through the corners on it.
  void note_passes(Index u, Index w) {
    columns_.near({u, w, w}, [&](Index p) {
      if (outline_.turn(u, w, p) != 0 || outline_.same(p, u) || outline_.same(p, w) || outline_.left(u, p) != outline_.left(p, w)) return true;
      auto& edges = through_[place_[p]];
      if (edges.empty() || edges.back().from != u || edges.back().to != w) edges.push_back({u, w});
      return true;
    });
  }

  /// What is to the left of edges along the sides of a triangle, on the side of the triangle, has been cut off.
  void clear_windings(const std::array<Index, 3>& t) {
    columns_.near(t, [&](Index p) {
      if (!outline_.same(p, ring_.next[p]) && is_beside(t, p, ring_.next[p], true)) out_[p] = 0;
      if (!outline_.same(p, ring_.prev[p]) && is_beside(t, p, ring_.prev[p], false)) in_[p] = 0;
      return true;
    });
  }

  /// Whether the points near p, just left of the way from p to q, or just right of it, are in the triangle.
  bool is_beside(const std::array<Index, 3>& t, Index p, Index q, bool to_left) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const Index a = t[i], b = t[(i + 1) % 3];
      const int side = outline_.turn(a, b, p);
      const int way = side == 0 ? outline_.turn(a, b, q) : side;
      if (way < 0 || (way == 0 && (outline_.left(a, b) == outline_.left(p, q)) != to_left)) return false;
    }
    return true;
  }

  bool is_left(const OutlineEdge& e) const { return !cut_[e.from] && ring_.next[e.from] == e.to; }

  /// Whether p is on a way from a corner that turns left from that to a, and right from that to b.
  bool is_between(Index corner, Index a, Index b, Index p) const { return outline_.turn(corner, a, p) > 0 && outline_.turn(corner, b, p) < 0; }

  /// Calls visit(p, winds) for the edges from a corner's place to p, with winds 1, and for those from p to its place, with -1.
  template <class F>
  void for_edges(Index corner, F&& visit) const {
    for (const Index k : at_[place_[corner]]) {
      if (cut_[k]) continue;
      if (!outline_.same(k, ring_.next[k])) visit(ring_.next[k], 1);
      if (!outline_.same(k, ring_.prev[k])) visit(ring_.prev[k], -1);
    }
    for (const OutlineEdge& e : through_[place_[corner]]) {
      if (!is_left(e)) continue;
      visit(e.to, 1);
      visit(e.from, -1);
    }
  }

  bool same_way(Index corner, Index a, Index p) const { return outline_.turn(corner, a, p) == 0 && outline_.folds(a, corner, p); }

  /// How much more often the outline runs round the points to the left of the edges from a corner's place towards p than round those to their right.
  int along(Index corner, Index p) const {
    int sum = 0;
    for_edges(corner, [&](Index q, int winds) { sum += same_way(corner, p, q) ? winds : 0; });
    return sum;
  }

  /// How much more often the outline runs round the points just right of the way from a corner's place to b than round those just left of the way to a, with
  /// the edges between counted counter-clockwise from a to b; all the way round if these are the same way.
  int between(Index corner, Index a, Index b) const {
    const int ab = outline_.turn(corner, a, b);
    const bool one_way = ab == 0 && outline_.folds(a, corner, b);
    int sum = 0;
    for_edges(corner, [&](Index p, int winds) {
      const int from_a = outline_.turn(corner, a, p), from_b = outline_.turn(corner, b, p);
      const bool inside = ab > 0 ? from_a > 0 && from_b < 0 : ab < 0 ? from_a > 0 || from_b < 0 : one_way ? !same_way(corner, a, p) : from_a > 0;
      if (inside) sum += winds;
    });
    return sum;
  }

  const FlatOutline& outline_;
  OutlineRing& ring_;
  std::vector<TriangleIndices>& triangles_;
  OutlineColumns columns_;
  std::vector<bool> cut_, listed_;
  std::vector<unsigned char> beside_cut_;  // 1: since the list was at it, 2: since a list of free ears was
  std::deque<Index> list_, ready_[none];   // to be looked at; free ears that are not whole
  std::vector<Waiting> waiting_;
  // Windings as in OutlineWindings, the corners at each place, and the edges that pass through it. Empty if the outline crosses itself.
  std::vector<signed char> out_, in_;
  std::vector<Index> place_;
  std::vector<std::vector<Index>> at_;
  std::vector<std::vector<OutlineEdge>> through_;
};

}  // namespace

bool clip_ears(const FlatOutline& outline, OutlineRing& ring, std::vector<TriangleIndices>& triangles) {
  std::optional<OutlineWindings> windings = find_windings(outline, ring);
  return windings && EarClipper(outline, ring, triangles).run(std::move(*windings));
}

void clip_free_ears(const FlatOutline& outline, OutlineRing& ring, std::vector<TriangleIndices>& triangles, Index most) {
  EarClipper(outline, ring, triangles).run_to(most);
}

}  // namespace graze
