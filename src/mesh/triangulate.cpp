// Triangulates polygons, exactly. One sweep in O(n log n) cuts off every triangle that a new corner of a simple polygon sees (S. Hertel, K. Mehlhorn, "Fast
// triangulation of simple polygons", 1983). Corners that repeat their neighbour or fold back onto the previous edge are cut off first, as triangles without
// area. What touches itself, but does not cross, is left to ear_clipping.hpp.
#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/mesh/triangulate.hpp>
#include <optional>
#include <set>
#include <string>

#include "mesh/ear_clipping.hpp"
#include "mesh/edge_meetings.hpp"
#include "mesh/outline_loops.hpp"
#include "mesh/outline_ring.hpp"
#include "mesh/polygon_rules.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

using Index = std::uint32_t;
constexpr Index kNone = 0xFFFFFFFFu;

// The sweep line cuts the polygon into strips, each between a lower and an upper edge. Left of the line everything is triangulated except what each strip keeps
// to the left of its chain: the corners from the left end of the lower edge to that of the upper one, where no three neighbours turn towards the line. A new
// corner sees a run of the chain's edges. The run begins at the end whose edge the corner is on or, if it is on neither, at the corner reached last. Each edge
// of the run becomes a triangle, and the new corner replaces the corners between. No triangle is without area: if the new corner were collinear with an edge of
// the run, it would be collinear with an earlier edge of the outline and touch it.
class StripSweep {
 public:
  StripSweep(const FlatOutline& outline, const OutlineRing& ring, std::vector<TriangleIndices>& result)
      : outline_(outline), ring_(ring), result_(result), strips_(Below{this}), strip_of_(outline.size()) {}

  void run() {
    std::vector<Index> order = ring_.corners();
    chain_.reserve(order.size() + order.size() / 2);
    std::sort(order.begin(), order.end(), [this](Index a, Index b) { return outline_.left(a, b); });
    for (const Index v : order) pass(v);
    if (!strips_.empty()) throw Error(ErrorCode::internal, "triangulate: internal error: a strip stays open in a simple polygon");
  }

 private:
  struct ChainCorner {
    Index corner, below, above;
  };
  struct Strip {
    mutable Index edge;       // lower edge, by its left end; the polygon's orientation makes that the edge's first corner
    mutable Index low, high;  // ends of the chain
    mutable Index last;       // the corner reached last
  };
  struct Below {
    using is_transparent = void;
    const StripSweep* sweep;
    bool operator()(const Strip& a, const Strip& b) const { return sweep->below(a.edge, b.edge); }
    bool operator()(const Strip& a, Index corner) const { return sweep->side(a.edge, corner) > 0; }
    bool operator()(Index corner, const Strip& a) const { return sweep->side(a.edge, corner) < 0; }
  };
  using Place = std::set<Strip, Below>::iterator;

  int side(Index edge, Index corner) const { return outline_.turn(edge, ring_.next[edge], corner); }
  bool below(Index a, Index b) const { return a != b && (outline_.left(a, b) ? side(a, b) > 0 : side(b, a) < 0); }

  Index add(Index corner, Index below, Index above) {
    chain_.push_back({corner, below, above});
    const Index at = static_cast<Index>(chain_.size() - 1);
    if (below != kNone) chain_[below].above = at;
    if (above != kNone) chain_[above].below = at;
    return at;
  }
  /// Cuts off the triangles visible from v, starting at a chain corner and going up or down the chain. Returns the last corner that remains.
  Index cut_up(Index from, Index v) {
    for (Index to = chain_[from].above; to != kNone && outline_.turn(chain_[from].corner, v, chain_[to].corner) > 0; from = to, to = chain_[to].above)
      result_.push_back({chain_[from].corner, v, chain_[to].corner});
    return from;
  }
  Index cut_down(Index from, Index v) {
    for (Index to = chain_[from].below; to != kNone && outline_.turn(chain_[to].corner, v, chain_[from].corner) > 0; from = to, to = chain_[to].below)
      result_.push_back({chain_[to].corner, v, chain_[from].corner});
    return from;
  }

  /// Returns the strip that has the corner between its edges or on its upper edge.
  Place strip_at(Index corner) const {
    const auto above = strips_.lower_bound(corner);
    if (above == strips_.begin()) throw Error(ErrorCode::internal, "triangulate: internal error: a corner outside of a simple polygon");
    return std::prev(above);
  }

  void pass(Index v) {
    const Index u = ring_.prev[v], w = ring_.next[v];
    const bool from_left = outline_.left(u, v), to_right = outline_.left(v, w);
    if (from_left && to_right) {
      follow_low(strip_of_[u], v);
    } else if (!from_left && !to_right) {
      follow_high(strip_at(v), v);
    } else if (to_right) {
      if (outline_.turn(u, v, w) > 0)
        begin(v);
      else
        split(strip_at(v), v);
    } else {
      if (outline_.turn(u, v, w) > 0)
        end(strip_of_[u], v);
      else
        merge(std::prev(strip_of_[u]), strip_of_[u], v);
    }
  }

  void begin(Index v) {
    const Index at = add(v, kNone, kNone);
    strip_of_[v] = strips_.insert({v, at, at, at}).first;
  }
  void follow_low(Place s, Index v) {
    s->low = s->last = add(v, kNone, cut_up(s->low, v));
    s->edge = v;
    strip_of_[v] = s;
  }
  void follow_high(Place s, Index v) { s->high = s->last = add(v, cut_down(s->high, v), kNone); }
  void end(Place s, Index v) {
    if (chain_[cut_up(s->low, v)].above != kNone) throw Error(ErrorCode::internal, "triangulate: internal error: the end of a strip does not see all of it");
    strips_.erase(s);
  }
  void merge(Place lower, Place upper, Index v) {
    const Index below = cut_down(lower->high, v), above = cut_up(upper->low, v);
    lower->last = add(v, below, above);
    lower->high = upper->high;
    strips_.erase(upper);
  }
  void split(Place s, Index v) {
    const Index below = cut_down(s->last, v);
    Index above = cut_up(s->last, v), high = s->high;
    if (above == below) {  // nothing was cut on either side: both strips keep this corner
      const Index beyond = chain_[above].above;
      above = add(chain_[below].corner, kNone, beyond);
      if (beyond == kNone) high = above;
    }
    s->high = s->last = add(v, below, kNone);
    const Index at = add(v, kNone, above);
    strip_of_[v] = strips_.insert({v, at, high, at}).first;
  }

  const FlatOutline& outline_;
  const OutlineRing& ring_;
  std::vector<TriangleIndices>& result_;
  std::vector<ChainCorner> chain_;
  std::set<Strip, Below> strips_;
  std::vector<Place> strip_of_;  // by the left end of the lower edge
};

class Triangulator {
 public:
  Triangulator(std::span<const Vec3> points, const AreaAxis& axis) : outline_(points, axis), ring_(outline_.size()) {}

  std::vector<TriangleIndices> run() {
    result_.reserve(outline_.size() - 2);
    drop_folds();
    refuse_crossing();
    if (const std::optional<EdgeMeeting> touching = find_meeting(outline_, ring_edges(), Meeting::any)) {
      OutlineRing again = ring_;
      const std::size_t cut = result_.size();
      if (clip_ears(outline_, ring_, result_)) return std::move(result_);
      // Perhaps it only passes through a corner several times in an order in which its loops cross there.
      result_.resize(cut);
      if (!uncross_loops(outline_, again) || !clip_ears(outline_, again, result_)) refuse(*touching);
      return std::move(result_);
    }
    StripSweep(outline_, ring_, result_).run();
    return std::move(result_);
  }

  /// Throws if edges of the outline, folds included, cross.
  void refuse_crossing() const {
    std::vector<OutlineEdge> edges;
    edges.reserve(outline_.size());
    for (Index k = 0; k < outline_.size(); ++k)
      if (const Index l = (k + 1) % outline_.size(); !outline_.same(k, l)) edges.push_back({k, l});
    if (const std::optional<EdgeMeeting> crossing = find_meeting(outline_, edges, Meeting::cross)) refuse(*crossing);
  }

  std::vector<OutlineEdge> ring_edges() const {
    std::vector<OutlineEdge> edges;
    edges.reserve(ring_.left);
    for (const Index v : ring_.corners()) edges.push_back({v, ring_.next[v]});
    return edges;
  }

  /// Cuts off repeated corners and folds as triangles without area.
  void drop_folds() {
    Index v = 0;
    for (Index quiet = 0; quiet < ring_.left && ring_.left > 3;) {
      const Index u = ring_.prev[v], w = ring_.next[v];
      const bool repeats = outline_.same(u, v) || outline_.same(v, w);
      if (repeats || (outline_.turn(u, v, w) == 0 && outline_.folds(u, v, w))) {
        result_.push_back({u, v, w});
        ring_.cut(v);
        quiet = 0;
        v = ring_.prev[u];  // the cut may have changed the corners from here on
      } else {
        v = w;
        ++quiet;
      }
    }
  }

 private:
  [[noreturn]] void refuse(const EdgeMeeting& meeting) const {
    throw Error(ErrorCode::invalid_shape, "triangulate: " + meeting_text(outline_, meeting) + ": the polygon crosses itself");
  }

  FlatOutline outline_;
  OutlineRing ring_;
  std::vector<TriangleIndices> result_;
};

}  // namespace

std::vector<TriangleIndices> triangulate(std::span<const Vec3> points) {
  const DefaultFloatEnvironment guard;
  if (points.size() < 3) throw Error(ErrorCode::invalid_shape, "triangulate: " + std::to_string(points.size()) + " corners, must have at least 3");
  if (points.size() > 0x7FFFFFFF) throw Error(ErrorCode::overflow, "triangulate: " + std::to_string(points.size()) + " corners are more than 2^31 - 1");
  for (std::size_t i = 0; i < points.size(); ++i) require_finite("triangulate: corner " + std::to_string(i), points[i]);
  const AreaAxis axis = area_axis(points);
  if (axis.sign == 0) {
    if (!all_collinear(points)) throw Error(ErrorCode::invalid_shape, "triangulate: " + fan_defect(points));
    std::vector<TriangleIndices> fan;  // all corners on one line: every triangle is without area
    for (Index k = 1; k + 1 < points.size(); ++k) fan.push_back({0, k, k + 1});
    return fan;
  }
  return Triangulator(points, axis).run();
}

}  // namespace graze
