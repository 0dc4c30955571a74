// Ears are cut from a ring of corners; a grid finds the corners near an ear.
#include "mesh/ear_clipping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace graze {
namespace {

using Index = FlatOutline::Index;

/// The corners of an outline in the cells of a grid over its bounds. Corners that are cut stay in their lists.
class Cells {
 public:
  explicit Cells(const FlatOutline& outline) : outline_(outline), side_(side_of(outline.size())) {
    for (int axis = 0; axis < 2; ++axis) {
      low_[axis] = std::numeric_limits<double>::infinity();
      double high = -low_[axis];
      for (Index k = 0; k < outline.size(); ++k) low_[axis] = std::min(low_[axis], at(k, axis)), high = std::max(high, at(k, axis));
      width_[axis] = high / side_ - low_[axis] / side_;
    }
    first_.assign(static_cast<std::size_t>(side_) * side_ + 1, 0);
    for (Index k = 0; k < outline.size(); ++k) ++first_[cell_of(k) + 1];
    for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    corners_.resize(outline.size());
    for (Index k = 0; k < outline.size(); ++k) corners_[next[cell_of(k)]++] = k;
  }

  /// Calls visit(corner) for the corners in the cells that the bounds of three corners meet, until it returns false.
  template <class F>
  void near(const std::array<Index, 3>& t, F&& visit) const {
    const auto range = [&](int axis) {
      const auto [low, high] = std::minmax({at(t[0], axis), at(t[1], axis), at(t[2], axis)});
      return std::pair{cell(low, axis), cell(high, axis)};
    };
    const auto [x0, x1] = range(0);
    const auto [y0, y1] = range(1);
    for (std::uint32_t y = y0; y <= y1; ++y)
      for (std::uint32_t i = first_[std::size_t{y} * side_ + x0]; i < first_[std::size_t{y} * side_ + x1 + 1]; ++i)
        if (!visit(corners_[i])) return;
  }

 private:
  static std::uint32_t side_of(Index n) { return std::clamp<std::uint32_t>(static_cast<std::uint32_t>(std::sqrt(n / 2.0)), 1, 1024); }
  double at(Index k, int axis) const { return axis == 0 ? outline_.x(k) : outline_.y(k); }
  std::uint32_t cell(double x, int axis) const {  // monotone in x, so that a corner between two others is in their cells or between them
    const double c = (x - low_[axis]) / width_[axis];
    return c > 0 ? static_cast<std::uint32_t>(std::min<double>(c, side_ - 1)) : 0;
  }
  std::size_t cell_of(Index k) const { return std::size_t{cell(outline_.y(k), 1)} * side_ + cell(outline_.x(k), 0); }

  const FlatOutline& outline_;
  std::uint32_t side_;
  double low_[2], width_[2];
  std::vector<std::uint32_t> first_, corners_;
};

class EarClipper {
 public:
  explicit EarClipper(const FlatOutline& outline)
      : outline_(outline), cells_(outline), next_(outline.size()), prev_(outline.size()), cut_(outline.size()), touches_(outline.size()) {
    for (Index k = 0; k < outline.size(); ++k) {
      next_[k] = (k + 1) % outline.size();
      prev_[k] = (k + outline.size() - 1) % outline.size();
    }
    for (Index k = 0; k < outline.size(); ++k) mark_touching(k, next_[k]);
  }

  std::optional<std::vector<TriangleIndices>> run() {
    if (winds_twice()) return std::nullopt;
    std::vector<TriangleIndices> triangles;
    triangles.reserve(outline_.size() - 2);
    Index left = outline_.size(), v = 0;
    while (left > 3) {
      const std::optional<Index> ear = next_ear(v, left);
      if (!ear) return std::nullopt;
      const Index u = prev_[*ear], w = next_[*ear];
      triangles.push_back({u, *ear, w});
      next_[u] = w;
      prev_[w] = u;
      cut_[*ear] = true;
      if (touches_[u] || touches_[*ear] || touches_[w]) mark_touching(u, w);
      --left;
      v = w;  // so that a fan is not cut from one corner
    }
    if (outline_.turn(prev_[v], v, next_[v]) < 0) return std::nullopt;
    triangles.push_back({prev_[v], v, next_[v]});
    return triangles;
  }

 private:
  // The best kind of ear there is, from `from` on: with area and no corner on its cut; with area; where the outline repeats a corner or runs back; without
  // area.
  enum class Kind { whole, touched, fold, flat, none };

  std::optional<Index> next_ear(Index from, Index left) const {
    std::optional<Index> best;
    Kind kind = Kind::none;
    Index v = from;
    for (Index k = 0; k < left; ++k, v = next_[v]) {
      const Kind here = kind_of(v, kind);
      if (here < kind) {
        kind = here;
        best = v;
        if (kind == Kind::whole) break;
      }
    }
    return best;
  }

  /// The kind of the ear at v, or `known` where it is not better than that.
  Kind kind_of(Index v, Kind known) const {
    const Index u = prev_[v], w = next_[v];
    const int turn = outline_.turn(u, v, w);
    if (turn < 0) return Kind::none;
    if (turn == 0) {
      if (known <= Kind::fold) return known;
      return outline_.same(u, v) || outline_.same(v, w) || outline_.folds(u, v, w) ? Kind::fold : Kind::flat;
    }
    if (intrudes({u, v, w}, prev_[u], u) || intrudes({u, v, w}, w, next_[w])) return Kind::none;
    Kind kind = Kind::whole;
    cells_.near({u, v, w}, [&](Index p) {
      if (cut_[p] || p == u || p == v || p == w) return true;
      const int a = outline_.turn(u, v, p), b = outline_.turn(v, w, p), c = outline_.turn(w, u, p);
      if (a < 0 || b < 0 || c < 0) return true;
      if ((a > 0 && b > 0 && c > 0) || intrudes({u, v, w}, prev_[p], p) || intrudes({u, v, w}, p, next_[p])) {
        kind = Kind::none;
        return false;
      }
      if (c == 0 && !outline_.same(p, u) && !outline_.same(p, w)) kind = Kind::touched;
      return true;
    });
    // No edge is inside, so the triangle is all within or all without. Where nothing touches the ear, within is where it turns to.
    if (kind != Kind::none && (touches_[u] || touches_[v] || touches_[w]) && winding_beside(v, u, true) < 1) return Kind::none;
    return kind;
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

  /// Whether the outline runs twice round some points, or round some the other way. The boundary of these passes a corner at which something touches.
  bool winds_twice() const {
    for (Index k = 0; k < outline_.size(); ++k) {
      if (!touches_[k]) continue;
      for (const int winding : {winding_beside(k, prev_[k], true), winding_beside(k, next_[k], false)})
        if (winding < 0 || winding > 1) return true;
    }
    return false;
  }

  /// How often the ring runs round the points at v beside the edge between v and u: to the right of v-u (`to_right`), else to its left. Counts what crosses a
  /// ray from there that is turned a little to that side. Of the points on the line through v and u, a ray that is turned to the right has those on the side of
  /// u to its left, and v and those behind it to its right.
  int winding_beside(Index v, Index u, bool to_right) const {
    if (outline_.same(u, v)) return 1;  // beside no edge
    const auto is_left = [&](Index p) {
      const int side = outline_.turn(v, u, p);
      return side != 0 ? side > 0 : outline_.folds(u, v, p) == to_right;
    };
    int winding = 0;
    Index p = v;
    bool left = is_left(p);
    do {
      const Index q = next_[p];
      const bool next_left = is_left(q);
      if (left != next_left) {
        const int ahead = outline_.turn(p, q, v);
        if (!left && ahead > 0) ++winding;
        if (left && ahead < 0) --winding;
      }
      p = q;
      left = next_left;
    } while (p != v);
    return winding;
  }

  /// Marks the ends of the edge p-q, and corners on it, if there are others than its ends.
  void mark_touching(Index p, Index q) {
    cells_.near({p, q, q}, [&](Index k) {
      if (cut_[k] || k == p || k == q || outline_.turn(p, q, k) != 0 || !is_between(p, q, k)) return true;
      touches_[k] = touches_[p] = touches_[q] = true;
      return true;
    });
  }

  /// Of three points on a line: whether k is on the closed segment p-q.
  bool is_between(Index p, Index q, Index k) const {
    return outline_.same(k, p) || outline_.same(k, q) || (outline_.left(p, k) == outline_.left(k, q) && !outline_.same(p, q));
  }

  const FlatOutline& outline_;
  Cells cells_;
  std::vector<Index> next_, prev_;
  std::vector<bool> cut_, touches_;  // touches_: another corner or edge is there
};

double area_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  const double x = u.y * v.z - u.z * v.y, y = u.z * v.x - u.x * v.z, z = u.x * v.y - u.y * v.x;
  return std::sqrt(x * x + y * y + z * z);
}

/// Appends the triangles of a ring of at most `most` corners.
void cut_least(std::span<const Vec3> points, std::span<const Index> ring, std::vector<TriangleIndices>& triangles) {
  const std::size_t n = ring.size();
  std::vector<double> least(n * n, 0.0);
  std::vector<std::uint32_t> apex(n * n, 0);
  for (std::size_t length = 2; length < n; ++length) {
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      double best = std::numeric_limits<double>::infinity();
      std::size_t at = i + 1;
      for (std::size_t k = i + 1; k < j; ++k) {
        const double sum = least[i * n + k] + least[k * n + j] + area_of(points[ring[i]], points[ring[k]], points[ring[j]]);
        if (sum < best) best = sum, at = k;
      }
      least[i * n + j] = best;
      apex[i * n + j] = static_cast<std::uint32_t>(at);
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j - i < 2) continue;
    const std::size_t k = apex[i * n + j];
    triangles.push_back({ring[i], ring[k], ring[j]});
    open.push_back({k, j});
    open.push_back({i, k});
  }
}

}  // namespace

std::optional<std::vector<TriangleIndices>> clip_ears(const FlatOutline& outline) { return EarClipper(outline).run(); }

std::vector<TriangleIndices> least_area_triangles(std::span<const Vec3> points, std::size_t most) {
  std::vector<TriangleIndices> triangles;
  std::vector<Index> ring(points.size());
  for (std::size_t k = 0; k < ring.size(); ++k) ring[k] = static_cast<Index>(k);
  while (ring.size() > most) {  // pieces of neighbours, whose ends remain
    std::vector<Index> rest;
    for (std::size_t first = 0; first < ring.size(); first += most - 1) {
      const std::size_t last = std::min(first + most, ring.size());
      cut_least(points, std::span(ring).subspan(first, last - first), triangles);
      rest.push_back(ring[first]);
      if (last == ring.size()) {
        rest.push_back(ring[last - 1]);
        break;
      }
    }
    ring = std::move(rest);
  }
  cut_least(points, ring, triangles);
  return triangles;
}

}  // namespace graze
