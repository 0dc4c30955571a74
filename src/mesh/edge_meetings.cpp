// Finds two meeting edges of an outline with one sweep from left to right (M. I. Shamos, D. Hoey, "Geometric intersection problems", 1976). The sweep keeps the
// edges that its line cuts in order and tests only neighbours.
//
// Proof that this finds a meeting: left of the leftmost meeting point the order is that of the exact geometry. Edges through that point follow one another in
// the order just before it, or begin there. Two of them that meet wrongly become neighbours at the latest when all edges that end in the point have been
// removed and all that begin there have been inserted. With Meeting::cross, edges may also touch and overlap. Touching edges keep their order, since one of
// them ends or begins there. Overlapping edges are adjacent in the order of their numbers, so that one of them is a neighbour of any edge that crosses them.
#include "mesh/edge_meetings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "shapes/message.hpp"

namespace graze {
namespace {

using Index = std::uint32_t;

double length_of(double x, double y) {  // of numbers of any size
  const double most = std::max(std::fabs(x), std::fabs(y));
  return most == 0 ? 0 : most * std::sqrt(x / most * (x / most) + y / most * (y / most));
}

class EdgeSweep {
 public:
  EdgeSweep(const FlatOutline& outline, std::span<const OutlineEdge> edges, Meeting kind) : outline_(outline), edges_(edges), kind_(kind), cut_(Below{this}) {}

  std::optional<EdgeMeeting> run() {
    std::vector<Event> events;
    events.reserve(2 * edges_.size());
    for (Index e = 0; e < edges_.size(); ++e) {
      events.push_back({left_end(e), e, true});
      events.push_back({right_end(e), e, false});
    }
    std::sort(events.begin(), events.end(), [this](const Event& a, const Event& b) {
      if (!outline_.same(a.corner, b.corner)) return outline_.left(a.corner, b.corner);
      return a.begins != b.begins ? b.begins : a.edge < b.edge;
    });
    place_.resize(edges_.size(), cut_.end());
    for (std::size_t k = 0; k < events.size(); ++k) {
      const auto [corner, e, begins] = events[k];
      if (kind_ == Meeting::any && k > 0 && corner != events[k - 1].corner && outline_.same(corner, events[k - 1].corner))
        return meeting(events[k - 1].edge, e, false);
      const auto at = begins ? place_[e] = cut_.insert(e).first : place_[e];
      const auto above = std::next(at);
      const bool has_below = at != cut_.begin();
      std::optional<EdgeMeeting> found;
      if (!begins) {
        if (has_below && above != cut_.end()) found = test(*std::prev(at), *above);
        cut_.erase(at);
      } else {
        if (has_below) found = test(*std::prev(at), e);
        if (!found && above != cut_.end()) found = test(e, *above);
      }
      if (found) return found;
    }
    return {};
  }

 private:
  struct Event {
    Index corner, edge;
    bool begins;
  };
  struct Below {
    const EdgeSweep* sweep;
    bool operator()(Index a, Index b) const { return sweep->below(a, b); }
  };

  Index left_end(Index e) const { return outline_.left(edges_[e].from, edges_[e].to) ? edges_[e].from : edges_[e].to; }
  Index right_end(Index e) const { return outline_.left(edges_[e].from, edges_[e].to) ? edges_[e].to : edges_[e].from; }

  /// Returns the side of edge f on which e begins or, if it begins on f, the side to which it leaves f; 0 if it lies along f.
  int side(Index e, Index f) const {
    const Index a = left_end(f), b = right_end(f);
    const int s = outline_.turn(a, b, left_end(e));
    return s != 0 ? s : outline_.turn(a, b, right_end(e));
  }
  /// The order of two edges that the sweep line cuts at the same time.
  bool below(Index e, Index f) const {
    if (e == f) return false;
    const int s = outline_.left(left_end(e), left_end(f)) ? side(f, e) : -side(e, f);
    return s != 0 ? s > 0 : e < f;
  }

  EdgeMeeting meeting(Index a, Index b, bool cross) const {
    const OutlineEdge &e = edges_[a], &f = edges_[b];
    return e.from < f.from ? EdgeMeeting{e, f, cross} : EdgeMeeting{f, e, cross};
  }
  std::optional<EdgeMeeting> test(Index a, Index b) const {
    const OutlineEdge &e = edges_[a], &f = edges_[b];
    if (f.to == e.from || e.to == f.from) return {};
    const auto apart = [](double a0, double a1, double b0, double b1) { return std::max(a0, a1) < std::min(b0, b1) || std::max(b0, b1) < std::min(a0, a1); };
    const FlatOutline& o = outline_;
    if (apart(o.x(e.from), o.x(e.to), o.x(f.from), o.x(f.to)) || apart(o.y(e.from), o.y(e.to), o.y(f.from), o.y(f.to))) return {};
    const int s = o.turn(e.from, e.to, f.from) * o.turn(e.from, e.to, f.to);
    if (s > 0) return {};
    const int t = o.turn(f.from, f.to, e.from) * o.turn(f.from, f.to, e.to);
    if (t > 0) return {};
    const bool cross = s < 0 && t < 0;
    if (kind_ == Meeting::cross && !cross) return {};
    return meeting(a, b, cross);
  }

  const FlatOutline& outline_;
  std::span<const OutlineEdge> edges_;
  Meeting kind_;
  std::set<Index, Below> cut_;
  std::vector<std::set<Index, Below>::iterator> place_;
};

}  // namespace

std::optional<EdgeMeeting> find_meeting(const FlatOutline& outline, std::span<const OutlineEdge> edges, Meeting kind) {
  return EdgeSweep(outline, edges, kind).run();
}

std::string meeting_text(const FlatOutline& outline, const EdgeMeeting& meeting) {
  const auto name = [&](const OutlineEdge& e) {
    return std::to_string(e.from) + "-" + std::to_string(e.to) + " (" + text(outline.point(e.from)) + " to " + text(outline.point(e.to)) + ")";
  };
  return "edges " + name(meeting.first) + " and " + name(meeting.second) + (meeting.cross ? " cross" : " touch");
}

double crossing_depth(std::span<const Vec3> points) {
  AreaAxis axis = area_axis(points);
  if (axis.sign == 0) axis = open_axis(points);
  const FlatOutline outline(points, axis);
  std::vector<OutlineEdge> edges;
  for (Index k = 0; k < outline.size(); ++k)
    if (const Index l = (k + 1) % outline.size(); !outline.same(k, l)) edges.push_back({k, l});
  const std::optional<EdgeMeeting> crossing = find_meeting(outline, edges, Meeting::cross);
  if (!crossing) return 0;
  const auto distance = [&](Index p, const OutlineEdge& e) {
    const double x = outline.x(p) - outline.x(e.from), y = outline.y(p) - outline.y(e.from);
    const double dx = outline.x(e.to) - outline.x(e.from), dy = outline.y(e.to) - outline.y(e.from), length = length_of(dx, dy);
    const double along = std::clamp(dx / length * x + dy / length * y, 0.0, length);
    return length_of(x - dx / length * along, y - dy / length * along);
  };
  const OutlineEdge &a = crossing->first, &b = crossing->second;
  return std::min({distance(a.from, b), distance(a.to, b), distance(b.from, a), distance(b.to, a)});
}

std::string simplicity_defect(std::span<const Vec3> points, const AreaAxis& axis) {
  const FlatOutline outline(points, axis);
  std::vector<Index> corners;  // corners that differ from their predecessor
  for (Index k = 0; k < outline.size(); ++k)
    if (corners.empty() || !outline.same(corners.back(), k)) corners.push_back(k);
  while (corners.size() > 1 && outline.same(corners.front(), corners.back())) corners.pop_back();
  std::vector<OutlineEdge> edges;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Index u = corners[k], v = corners[(k + 1) % corners.size()], w = corners[(k + 2) % corners.size()];
    if (outline.turn(u, v, w) == 0 && outline.folds(u, v, w))
      return "corner " + std::to_string(v) + " at " + text(points[v]) + " folds back onto the edge before it";
    edges.push_back({u, v});
  }
  const std::optional<EdgeMeeting> meeting = find_meeting(outline, edges, Meeting::any);
  return meeting ? meeting_text(outline, *meeting) : "";
}

}  // namespace graze
