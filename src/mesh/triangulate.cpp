// Any simple polygon into triangles, exactly: ears are cut where the turn is strict and no other corner lies in the closed triangle, so what is left stays simple and an ear is always there
// (G. H. Meisters, "Polygons have ears", 1975). Corners that repeat their neighbour or fold back onto the edge before are cut off first, as triangles without area.
#include <algorithm>
#include <graze/error.hpp>
#include <graze/mesh.hpp>

#include "core/fp_environment.hpp"
#include "exact/predicates.hpp"
#include "mesh/polygon_rules.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

using Index = std::uint32_t;

class Triangulator {
 public:
  Triangulator(std::span<const Vec3> points, const AreaAxis& axis) : points_(points), axis_(axis), n_(static_cast<Index>(points.size())), i_((axis.drop + 1) % 3), j_((axis.drop + 2) % 3) {
    next_.resize(n_);
    prev_.resize(n_);
    for (Index k = 0; k < n_; ++k) {
      next_[k] = (k + 1) % n_;
      prev_[k] = (k + n_ - 1) % n_;
    }
    left_ = n_;
  }

  std::vector<TriangleIndices> run() {
    result_.reserve(n_ - 2);
    if (drop_folds()) refuse_crossings(all_edges(), true);  // a fold may stick out through another edge
    refuse_crossings(edges_left(), false);
    cut_ears();
    return std::move(result_);
  }

 private:
  struct Edge {
    Index from, to;
    double lo, hi;  // along i_
  };

  double x(Index k) const { return points_[k][i_]; }
  double y(Index k) const { return points_[k][j_]; }
  bool same(Index a, Index b) const { return x(a) == x(b) && y(a) == y(b); }

  // Sign of the turn a, b, c, positive for the polygon's own sense. Filter: both products carry three rounding errors, |error| <= (3 + 16 u) u (|p| + |q|) (J. R. Shewchuk 1997, ORIENT2D).
  int turn(Index a, Index b, Index c) const {
    const double p = (x(b) - x(a)) * (y(c) - y(a)), q = (y(b) - y(a)) * (x(c) - x(a)), det = p - q, sum = std::abs(p) + std::abs(q);
    if (sum > 0x1p-900 && sum < 0x1p1000) {
      const double bound = sum * 0x1.9p-52;
      if (det > bound) return axis_.sign;
      if (-det > bound) return -axis_.sign;
    }
    return axis_.sign * orient2d(points_[a], points_[b], points_[c], axis_.drop);
  }

  // Does the path a, b, c fold back at b? The three lie on one line.
  bool folds(Index a, Index b, Index c) const {
    if (x(a) != x(b)) return (x(a) < x(b)) == (x(c) < x(b)) && x(c) != x(b);
    return (y(a) < y(b)) == (y(c) < y(b)) && y(c) != y(b);
  }

  void cut(Index v) {
    const Index u = prev_[v], w = next_[v];
    result_.push_back({u, v, w});
    next_[u] = w;
    prev_[w] = u;
    next_[v] = v;  // marks it as gone
    --left_;
  }
  bool gone(Index v) const { return next_[v] == v; }

  bool drop_folds() {
    bool any = false;
    Index v = 0;
    for (Index quiet = 0; quiet < left_ && left_ > 3;) {
      const Index u = prev_[v], w = next_[v];
      if (same(u, v) || same(v, w) || (turn(u, v, w) == 0 && folds(u, v, w))) {
        any = any || !(same(u, v) || same(v, w));
        cut(v);
        v = u;
        quiet = 0;
        start_ = u;
        // what the cut may have changed lies before u, too
        v = prev_[u];
      } else {
        v = w;
        ++quiet;
      }
    }
    return any;
  }

  Edge edge(Index a, Index b) const { return {a, b, std::min(x(a), x(b)), std::max(x(a), x(b))}; }
  std::vector<Edge> all_edges() const {
    std::vector<Edge> edges;
    for (Index k = 0; k < n_; ++k)
      if (!same(k, (k + 1) % n_)) edges.push_back(edge(k, (k + 1) % n_));
    return edges;
  }
  std::vector<Edge> edges_left() const {
    std::vector<Edge> edges;
    Index v = start_;
    do {
      edges.push_back(edge(v, next_[v]));
      v = next_[v];
    } while (v != start_);
    return edges;
  }

  // Throws for two edges that meet, other than neighbours in their common corner; `properly`: only for those that cross.
  void refuse_crossings(std::vector<Edge> edges, bool properly) const {
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.lo != b.lo ? a.lo < b.lo : a.from < b.from; });
    std::vector<Edge> open;
    for (const Edge& e : edges) {
      std::size_t kept = 0;
      for (std::size_t k = 0; k < open.size(); ++k) {
        if (open[k].hi < e.lo) continue;
        open[kept++] = open[k];
        const Edge& f = open[kept - 1];
        if (f.to == e.from || e.to == f.from) continue;
        if (std::max(y(e.from), y(e.to)) < std::min(y(f.from), y(f.to)) || std::max(y(f.from), y(f.to)) < std::min(y(e.from), y(e.to))) continue;
        const int a = turn(e.from, e.to, f.from) * turn(e.from, e.to, f.to);
        if (a > 0) continue;
        const int b = turn(f.from, f.to, e.from) * turn(f.from, f.to, e.to);
        if (b > 0) continue;
        const bool cross = a < 0 && b < 0;
        if (properly && !cross) continue;
        const Edge &first = e.from < f.from ? e : f, &second = e.from < f.from ? f : e;
        throw Error("triangulate: edges " + name(first) + " and " + name(second) + (cross ? " cross" : " touch") + ": the polygon is not simple");
      }
      open.resize(kept);
      open.push_back(e);
    }
  }
  std::string name(const Edge& e) const { return std::to_string(e.from) + "-" + std::to_string(e.to) + " (" + text(points_[e.from]) + " to " + text(points_[e.to]) + ")"; }

  // Corners that do not turn strictly the polygon's way: if any corner lies in an ear, one of these does.
  struct Blocker {
    double x, y;
    Index v;
  };

  void cut_ears() {
    constexpr Index none = 0xFFFFFFFFu;
    std::vector<Blocker> blockers;
    std::vector<Index> place(n_, none);       // of a corner in `blockers`
    std::vector<std::vector<Index>> waits(n_);  // for a blocker: the corners whose ears it spoils
    std::vector<Index> queue;
    std::vector<std::uint8_t> queued(n_);
    auto enqueue = [&](Index v) {
      if (gone(v) || queued[v]) return;
      queued[v] = 1;
      queue.push_back(v);
    };
    Index v = start_;
    do {
      if (turn(prev_[v], v, next_[v]) <= 0) {
        place[v] = static_cast<Index>(blockers.size());
        blockers.push_back({x(v), y(v), v});
      } else {
        enqueue(v);
      }
      v = next_[v];
    } while (v != start_);

    for (std::size_t head = 0; left_ > 3; ++head) {
      if (head == queue.size()) throw Error("triangulate: internal error: no ear left in a simple polygon");
      v = queue[head];
      queued[v] = 0;
      if (gone(v) || place[v] != none) continue;
      const Index u = prev_[v], w = next_[v];
      const double x0 = std::min({x(u), x(v), x(w)}), x1 = std::max({x(u), x(v), x(w)}), y0 = std::min({y(u), y(v), y(w)}), y1 = std::max({y(u), y(v), y(w)});
      bool blocked = false;
      for (const Blocker& b : blockers) {
        if (b.x < x0 || b.x > x1 || b.y < y0 || b.y > y1 || b.v == u || b.v == w) continue;
        if (turn(u, v, b.v) < 0 || turn(v, w, b.v) < 0 || turn(w, u, b.v) < 0) continue;
        waits[b.v].push_back(v);
        blocked = true;
        break;
      }
      if (blocked) continue;
      cut(v);
      start_ = u;
      for (Index c : {u, w}) {
        if (place[c] == none) {  // convex corners stay so: cutting an ear only narrows them
          enqueue(c);
        } else if (turn(prev_[c], c, next_[c]) > 0) {
          blockers[place[c]] = blockers.back();
          place[blockers.back().v] = place[c];
          blockers.pop_back();
          place[c] = none;
          enqueue(c);
          for (Index waiting : waits[c]) enqueue(waiting);
          waits[c].clear();
        }
      }
    }
    result_.push_back({prev_[start_], start_, next_[start_]});
  }

  std::span<const Vec3> points_;
  AreaAxis axis_;
  Index n_, left_, start_ = 0;
  int i_, j_;
  std::vector<Index> next_, prev_;
  std::vector<TriangleIndices> result_;
};

}  // namespace

std::vector<TriangleIndices> triangulate(std::span<const Vec3> points) {
  const DefaultFloatEnvironment guard;
  if (points.size() < 3) throw Error("triangulate: " + std::to_string(points.size()) + " corners, must have at least 3");
  if (points.size() > 0x7FFFFFFF) throw Error("triangulate: " + std::to_string(points.size()) + " corners are more than 2^31 - 1");
  for (std::size_t i = 0; i < points.size(); ++i) require_finite("triangulate: corner " + std::to_string(i), points[i]);
  const AreaAxis axis = area_axis(points);
  if (axis.sign == 0) {
    if (!all_collinear(points)) throw Error("triangulate: the polygon's area vector is zero but its corners are not on one line: it crosses itself or is bent");
    std::vector<TriangleIndices> fan;  // all on one line: every triangle is without area
    for (Index k = 1; k + 1 < points.size(); ++k) fan.push_back({0, k, k + 1});
    return fan;
  }
  return Triangulator(points, axis).run();
}

}  // namespace graze
