// Groups unmatched edges by common vertices and lines, and cancels those of each group from one end of its line to the other.
#include "mesh/junctions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "bvh/traverse.hpp"
#include "exact/exact_vectors.hpp"
#include "exact/predicates.hpp"
#include "math/disjoint_sets.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/watch.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

using Index = std::uint32_t;

/// The order of points along a line.
bool before(const Vec3& p, const Vec3& q) {
  for (int k = 0; k < 3; ++k)
    if (p[k] != q[k]) return p[k] < q[k];
  return false;
}

/// An end of an unmatched edge: the edge leaves `at` towards `other`, or comes from there.
struct End {
  Index at, other, edge;
  bool leaves;
};

/// A strict order of the lines from a point to others: -1, 0 or 1. Lines that have no x, or neither x nor y, come last.
int compare_lines(const Vec3& at, const Vec3& p, const Vec3& q) {
  const auto axis_of = [&](const Vec3& r) { return r[0] != at[0] ? 0 : r[1] != at[1] ? 1 : 2; };
  const int axis = axis_of(p), other = axis_of(q);
  if (axis != other) return axis < other ? -1 : 1;
  const bool turned = (p[axis] < at[axis]) != (q[axis] < at[axis]);
  for (int drop = 2; drop >= 0; --drop) {  // the slopes against that axis in the planes that have it
    if (drop == axis) continue;
    if (const int s = orient2d(at, p, q, drop); s != 0) return turned ? -s : s;
  }
  return 0;
}

/// The ends of edges, those of one vertex and line side by side.
std::vector<End> sorted_ends(const MeshImpl& mesh, const std::vector<UnmatchedEdge>& edges) {
  std::vector<End> ends;
  ends.reserve(2 * edges.size());
  for (Index e = 0; e < edges.size(); ++e) {
    ends.push_back({edges[e].from, edges[e].to, e, true});
    ends.push_back({edges[e].to, edges[e].from, e, false});
  }
  parallel_sort(ends, [&](const End& a, const End& b) {
    if (a.at != b.at) return a.at < b.at;
    if (const int order = compare_lines(mesh.vertices[a.at], mesh.vertices[a.other], mesh.vertices[b.other])) return order < 0;
    return a.edge < b.edge;
  });
  return ends;
}

/// A part of an edge, or of a side of a seam, on a line: `low` and `high` are the numbers of its ends in order along the line.
struct Piece {
  Index low, high, owner, count;
  bool forward;
  bool operator<(const Piece& p) const { return std::tie(low, forward, high, owner) < std::tie(p.low, p.forward, p.high, p.owner); }
  bool operator>(const Piece& p) const { return p < *this; }
};

/// The edges of one group: all on one line.
class Line {
 public:
  Line(const MeshImpl& mesh, const std::vector<UnmatchedEdge>& edges, const Index* begin, const Index* end) : begin_(begin) {
    for (const Index* e = begin; e != end; ++e) points_.insert(points_.end(), {edges[*e].from, edges[*e].to});
    const auto along = [&](Index a, Index b) { return before(mesh.vertices[a], mesh.vertices[b]); };
    std::sort(points_.begin(), points_.end(), along);
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    const auto number_of = [&](Index v) { return static_cast<Index>(std::lower_bound(points_.begin(), points_.end(), v, along) - points_.begin()); };
    for (const Index* e = begin; e != end; ++e) {
      const Index from = number_of(edges[*e].from), to = number_of(edges[*e].to);
      pieces_.push_back({std::min(from, to), std::max(from, to), edges[*e].triangle, edges[*e].surplus, from < to});
    }
  }

  /// Marks the edges on some of which the line is passed more often one way than the other.
  void mark_open(std::vector<std::uint8_t>& open) const {
    std::vector<std::int64_t> change(points_.size());
    for (const Piece& p : pieces_) {
      const std::int64_t n = p.forward ? std::int64_t{p.count} : -std::int64_t{p.count};
      change[p.low] += n;
      change[p.high] -= n;
    }
    std::vector<Index> uneven(points_.size() + 1);  // the number of uneven intervals before each point
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      sum += change[k];
      uneven[k + 1] = uneven[k] + (sum != 0);
    }
    for (std::size_t k = 0; k < pieces_.size(); ++k) open[begin_[k]] = uneven[pieces_[k].high] != uneven[pieces_[k].low];
  }

  /// Adds the seams. At the lowest end of pieces as many begin forwards as backwards, since nothing lies before it. A forward one p -> v and a backward one y
  /// -> p cancel with the seam p -> y -> v -> p but for y -> v, a piece of the longer of both that takes its place. Each seam leaves one piece fewer.
  void close(Junctions& out) const {
    std::priority_queue<Piece, std::vector<Piece>, std::greater<>> queue(std::greater<>(), pieces_);
    std::vector<Piece> ways[2];  // backward and forward pieces with the lowest end
    while (!queue.empty()) {
      const Index low = queue.top().low;
      for (auto& list : ways) list.clear();
      for (; !queue.empty() && queue.top().low == low; queue.pop()) ways[queue.top().forward].push_back(queue.top());
      for (std::size_t b = 0, f = 0; b < ways[0].size() && f < ways[1].size();) {
        Piece &back = ways[0][b], &forth = ways[1][f];
        const Index n = std::min(back.count, forth.count), v = forth.high, y = back.high;
        if (v != y) {
          const Index owner = v < y ? back.owner : forth.owner;
          out.seams.insert(out.seams.end(), n, {points_[low], points_[y], points_[v]});
          out.owners.insert(out.owners.end(), n, owner);
          queue.push({std::min(v, y), std::max(v, y), owner, n, y < v});
        }
        b += (back.count -= n) == 0;
        f += (forth.count -= n) == 0;
      }
    }
  }

 private:
  const Index* begin_;
  std::vector<Index> points_;  ///< vertices along the line
  std::vector<Piece> pieces_;  ///< by edge
};

}  // namespace

std::vector<UnmatchedEdge> unmatched_edges(const std::vector<EdgeUse>& uses) {
  std::vector<UnmatchedEdge> edges;
  for_each_edge(uses, [&](const EdgeUse& use, std::size_t forward, std::size_t backward) {
    if (forward > backward) edges.push_back({use.low(), use.high(), use.triangle(), static_cast<Index>(forward - backward)});
    if (forward < backward) edges.push_back({use.high(), use.low(), use.triangle(), static_cast<Index>(backward - forward)});
    return true;
  });
  return edges;
}

Junctions find_junctions(const MeshImpl& mesh, const std::vector<UnmatchedEdge>& edges) {
  Junctions out;
  out.open.resize(edges.size());
  const std::vector<End> ends = sorted_ends(mesh, edges);
  DisjointSets groups(edges.size());
  std::vector<std::uint8_t> uneven(edges.size());  // of an edge with an end where its line begins more often than it ends, or less often
  for (std::size_t begin = 0, end; begin < ends.size(); begin = end) {
    std::int64_t sum = 0;
    const Vec3& at = mesh.vertices[ends[begin].at];
    for (end = begin; end < ends.size() && ends[end].at == ends[begin].at &&
                      (end == begin || compare_lines(at, mesh.vertices[ends[begin].other], mesh.vertices[ends[end].other]) == 0);
         ++end) {
      const std::int64_t n = edges[ends[end].edge].surplus;
      sum += ends[end].leaves ? n : -n;
      groups.join(ends[begin].edge, ends[end].edge);
    }
    if (sum != 0) uneven[ends[begin].edge] = 1;
  }
  std::vector<Index> order(edges.size()), leader(edges.size());
  std::iota(order.begin(), order.end(), Index{0});
  for (Index e = 0; e < edges.size(); ++e) leader[e] = groups.leader(e);
  parallel_sort(order, [&](Index a, Index b) { return leader[a] != leader[b] ? leader[a] < leader[b] : a < b; });
  bool all_even = true;
  for (int pass = 0; pass < 2; ++pass) {  // first the open edges; seams are made only where there are none
    for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
      bool even = true;
      for (end = begin; end < order.size() && leader[order[end]] == leader[order[begin]]; ++end) even = even && !uneven[order[end]];
      if (pass == 0 && !even) Line(mesh, edges, order.data() + begin, order.data() + end).mark_open(out.open);
      if (pass == 1 && all_even) Line(mesh, edges, order.data() + begin, order.data() + end).close(out);
      all_even = all_even && even;
      checkpoint();
    }
  }
  out.open_edges = static_cast<std::size_t>(std::count(out.open.begin(), out.open.end(), std::uint8_t{1}));
  return out;
}

namespace {

/// The distance of a corner from the line of an edge, if its foot is inside and no end of the edge is about as near.
std::optional<double> gap_beside(const Vec3& corner, const Vec3& from, const Vec3& to) {
  constexpr double kEndsAreFarther = 64;  // a choice, as many times as the line
  const V3<Dyadic> d = exact(to) - exact(from), w = exact(corner) - exact(from), rest = exact(corner) - exact(to);
  if (sign_of(dot(w, d)) <= 0 || sign_of(dot(rest, d)) >= 0) return std::nullopt;
  const V3<Dyadic> n = cross(w, d);
  const Dyadic area = dot(n, n), length = dot(d, d);
  if (sign_of(area) == 0) return std::nullopt;
  const int e = area.e - length.e, odd = e & 1;
  const double gap = sqrt_to_double(area.m << odd, length.m, (e - odd) / 2, true);
  const double ends = std::sqrt(std::min(to_double(dot(w, w)), to_double(dot(rest, rest))));
  return gap * kEndsAreFarther <= ends ? std::optional(gap) : std::nullopt;
}

}  // namespace

std::vector<NearJunction> find_near_junctions(const MeshImpl& mesh, const std::vector<UnmatchedEdge>& open) {
  constexpr double kNear = 1e-6;                           // a choice, of the extent: what is farther is no rounding
  const std::size_t most_tests = 4096 + 64 * open.size();  // a choice
  std::vector<NearJunction> out;
  if (open.empty()) return out;
  MeshData needles;
  std::vector<Index> corners;
  for (const UnmatchedEdge& e : open) {
    const auto n = static_cast<Index>(needles.vertices.size());
    needles.vertices.insert(needles.vertices.end(), {mesh.vertices[e.from], mesh.vertices[e.to]});
    needles.triangles.push_back({n, n + 1, n + 1});
    corners.insert(corners.end(), {e.from, e.to});
  }
  const Mesh edges(std::move(needles), Build::fast);
  parallel_sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const Box3& bounds = mesh.bounds();
  const double near = kNear * std::max({bounds.hi[0] - bounds.lo[0], bounds.hi[1] - bounds.lo[1], bounds.hi[2] - bounds.lo[2]});
  const WideBvh& tree = edges.impl().tree;
  const PlacedTree placed(tree, {});
  std::size_t tests = 0;
  for (const Index c : corners) {
    const Vec3& p = mesh.vertices[c];
    const Box3 around{p - Vec3(near), p + Vec3(near)};
    const bool enough = for_each_overlap(tree, local_box(placed, around), [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t k = first; k < first + count; ++k) {
        const UnmatchedEdge& e = open[tree.items()[k]];
        if (e.from == c || e.to == c) continue;
        if (const std::optional<double> gap = gap_beside(p, mesh.vertices[e.from], mesh.vertices[e.to]); gap && *gap <= near)
          out.push_back({c, {std::min(e.from, e.to), std::max(e.from, e.to), e.triangle}, *gap, p});
      }
      return (tests += count) > most_tests;
    });
    if (enough) break;
    checkpoint();
  }
  std::sort(out.begin(), out.end(), [](const NearJunction& a, const NearJunction& b) {
    return std::tie(a.edge.v0, a.edge.v1, a.vertex, a.edge.triangle) < std::tie(b.edge.v0, b.edge.v1, b.vertex, b.edge.triangle);
  });
  return out;
}

std::string text_of(const NearJunction& j) {
  char gap[32];
  const std::to_chars_result end = std::to_chars(gap, gap + sizeof gap, j.gap, std::chars_format::general, 1);
  return "open by " + std::string(gap, end.ptr) + ": corner " + std::to_string(j.vertex) + " at " + text(j.place) + " beside edge " +
         std::to_string(j.edge.v0) + "-" + std::to_string(j.edge.v1);
}

}  // namespace graze
