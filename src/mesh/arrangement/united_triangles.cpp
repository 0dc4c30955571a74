// Numbers corners and triangles by their coordinates, joins what only one surface has to facets, makes their outlines comparable, and compares them by a hash
// of their corners and then by these.
#include "mesh/arrangement/united_triangles.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "exact/predicates.hpp"
#include "math/disjoint_sets.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/numbered_keys.hpp"
#include "mesh/polygon_rules.hpp"
#include "platform/parallel_sort.hpp"

namespace graze {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Whether two triangles lie in one plane and face the same way.
bool in_one_plane(const Triangle& s, const Triangle& t) {
  for (const Vec3& p : t.points)
    if (p != s.points[0] && p != s.points[1] && p != s.points[2] && orient3d(s.points[0], s.points[1], s.points[2], p) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (const int turn = orient2d(s.points[0], s.points[1], s.points[2], axis); turn != 0) return orient2d(t.points[0], t.points[1], t.points[2], axis) == turn;
  return false;
}

/// Whether b lies on the segment from a to c, neither at a nor at c.
bool between(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(a, b, c, axis) != 0) return false;
  return dot_sign(b, a, b, c) < 0;
}

/// A straight part of a facet's outline, from corner to corner.
struct Side {
  std::uint32_t facet;
  std::uint32_t low, high;  ///< low < high
  bool forward;             ///< the facet lies to the left of the way from low to high
};
bool same_place(const Side& s, const Side& t) { return s.low == t.low && s.high == t.high; }

struct Facets {
  std::vector<std::uint32_t> of;  ///< the facet of each triangle: its lowest triangle; kNone without area
  std::vector<Side> sides;        ///< by facet, then place
};

struct Outline {
  std::uint64_t hash = 0;
  std::uint32_t facet = 0, begin = 0, end = 0;  ///< of its sides
};

class FacetMaker {
 public:
  FacetMaker(std::span<const Vec3> points, std::span<const TriangleIndices> triangles) : points_(points), triangles_(triangles) {}

  Facets operator()() {
    join();
    Facets f;
    f.of.resize(triangles_.size());
    for (std::uint32_t t = 0; t < f.of.size(); ++t) f.of[t] = flat_[t] ? kNone : sets_.leader(t);
    for (Edge& e : border_) e.facet = f.of[e.facet];
    parallel_sort(border_, [](const Edge& x, const Edge& y) {
      return x.facet != y.facet ? x.facet < y.facet : x.from != y.from ? x.from < y.from : x.to < y.to;
    });
    for (std::size_t begin = 0, end; begin < border_.size(); begin = end) {
      for (end = begin; end < border_.size() && border_[end].facet == border_[begin].facet;) ++end;
      add_outline({border_.data() + begin, end - begin}, f.sides);
    }
    parallel_sort(f.sides, [](const Side& x, const Side& y) {
      return x.facet != y.facet ? x.facet < y.facet : x.low != y.low ? x.low < y.low : x.high < y.high;
    });
    return f;
  }

 private:
  struct Edge {
    std::uint32_t facet, from, to;  ///< facet: at first, its triangle
  };
  Triangle triangle(std::uint32_t t) const { return {{points_[triangles_[t][0]], points_[triangles_[t][1]], points_[triangles_[t][2]]}}; }

  /// Joins triangles across edges, and lists the edges that remain.
  void join() {
    struct Use {
      std::uint32_t count = 0, first = 0, second = 0;  ///< the first uses: 4 times the triangle, plus the corner where the edge starts in it
    };
    NumberedKeys<1> edges(3 * triangles_.size());
    std::vector<Use> uses;
    std::vector<std::uint32_t> number(3 * triangles_.size());
    flat_.resize(triangles_.size());
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      flat_[t] = all_collinear(triangle(t).points);
      for (std::uint32_t k = 0; k < 3 && !flat_[t]; ++k) {
        const auto [low, high] = std::minmax(triangles_[t][k], triangles_[t][(k + 1) % 3]);
        const std::uint32_t e = number[3 * t + k] = edges.add({std::uint64_t{low} << 32 | high});
        if (e == uses.size()) uses.emplace_back();
        if (uses[e].count < 2) (uses[e].count == 0 ? uses[e].first : uses[e].second) = 4 * t + k;
        ++uses[e].count;
      }
    }
    std::vector<bool> joined(uses.size());
    for (std::size_t e = 0; e < uses.size(); ++e) {
      const std::uint32_t s = uses[e].first / 4, t = uses[e].second / 4;
      if (uses[e].count != 2 || triangles_[s][uses[e].first % 4] == triangles_[t][uses[e].second % 4]) continue;
      joined[e] = in_one_plane(triangle(s), triangle(t));
      if (joined[e]) sets_.join(s, t);
    }
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (std::uint32_t k = 0; k < 3 && !flat_[t]; ++k)
        if (!joined[number[3 * t + k]]) border_.push_back({t, triangles_[t][k], triangles_[t][(k + 1) % 3]});
  }

  /// Adds the straight sides of one facet, whose edges are sorted by where they start.
  void add_outline(std::span<const Edge> edges, std::vector<Side>& sides) const {
    std::vector<std::uint32_t> ending;
    for (const Edge& e : edges) ending.push_back(e.to);
    std::sort(ending.begin(), ending.end());
    // The edge that continues edge k in its direction, where the outline passes a corner once and straight.
    const auto next = [&](std::size_t k) -> std::optional<std::size_t> {
      const auto range = std::equal_range(ending.begin(), ending.end(), edges[k].to);
      if (range.second - range.first != 1) return std::nullopt;
      const auto first = std::lower_bound(edges.begin(), edges.end(), edges[k].to, [](const Edge& e, std::uint32_t x) { return e.from < x; });
      const auto j = static_cast<std::size_t>(first - edges.begin());
      if (j == edges.size() || edges[j].from != edges[k].to || (j + 1 < edges.size() && edges[j + 1].from == edges[k].to)) return std::nullopt;
      return between(points_[edges[k].from], points_[edges[k].to], points_[edges[j].to]) ? std::optional(j) : std::nullopt;
    };
    std::vector<bool> continued(edges.size());
    std::vector<std::optional<std::size_t>> after(edges.size());
    for (std::size_t k = 0; k < edges.size(); ++k)
      if ((after[k] = next(k))) continued[*after[k]] = true;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (continued[k]) continue;
      std::size_t last = k;
      while (after[last]) last = *after[last];
      const std::uint32_t p = edges[k].from, q = edges[last].to;
      sides.push_back({edges[k].facet, std::min(p, q), std::max(p, q), p < q});
    }
  }

  std::span<const Vec3> points_;
  std::span<const TriangleIndices> triangles_;
  std::vector<bool> flat_;
  DisjointSets sets_{triangles_.size()};
  std::vector<Edge> border_;  ///< of facets
};

/// The outlines, by hash.
std::vector<Outline> outlines_of(const std::vector<Side>& sides) {
  std::vector<Outline> list;
  for (std::uint32_t begin = 0, end; begin < sides.size(); begin = end) {
    Outline o;
    o.facet = sides[begin].facet;
    o.begin = begin;
    for (end = begin; end < sides.size() && sides[end].facet == o.facet; ++end)
      o.hash = (o.hash ^ (std::uint64_t{sides[end].low} << 32 | sides[end].high)) * 0x9E3779B97F4A7C15ull, o.hash ^= o.hash >> 29;
    o.end = end;
    list.push_back(o);
  }
  parallel_sort(list, [](const Outline& x, const Outline& y) { return x.hash != y.hash ? x.hash < y.hash : x.facet < y.facet; });
  return list;
}

bool equal_outlines(const Side* s, const Side* t, std::size_t n) {
  const bool opposite = s[0].forward != t[0].forward;
  for (std::size_t k = 0; k < n; ++k)
    if (!same_place(s[k], t[k]) || (s[k].forward != t[k].forward) != opposite) return false;
  return true;
}

/// For each facet of B, by its lowest triangle, the facet of A with the same outline, or kNone.
std::vector<std::uint32_t> partners(const Facets& a, const Facets& b) {
  const std::vector<Outline> of_a = outlines_of(a.sides), of_b = outlines_of(b.sides);
  std::vector<std::uint32_t> partner(b.of.size(), kNone);
  for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    if (of_a[i].hash != of_b[j].hash) {
      of_a[i].hash < of_b[j].hash ? ++i : ++j;
      continue;
    }
    const std::size_t n = of_a[i].end - of_a[i].begin;
    if (n == of_b[j].end - of_b[j].begin && equal_outlines(&a.sides[of_a[i].begin], &b.sides[of_b[j].begin], n)) partner[of_b[j].facet] = of_a[i].facet;
    ++i;
    ++j;
  }
  return partner;
}

NumberedKeys<2>::Key corners_of(TriangleIndices t) {
  std::sort(t.begin(), t.end());
  return {std::uint64_t{t[0]} << 32 | t[1], t[2]};
}

}  // namespace

UnitedTriangles united_triangles(const MeshView& a, const MeshView& b) {
  NumberedPoints points(a.mesh->vertices.size() + b.mesh->vertices.size());
  const std::vector<TriangleIndices> all_a = numbered_triangles(a, points), all_b = numbered_triangles(b, points);
  UnitedTriangles u;
  for (const NumberedPoints::Key& k : points.keys()) u.vertices.push_back(point_of(k));
  NumberedKeys<2> known(all_a.size() + all_b.size());
  const auto add = [&](const TriangleIndices& t, std::uint8_t of) {
    const std::uint32_t n = known.add(corners_of(t));
    if (n == u.triangles.size()) {
      u.triangles.push_back(t);
      u.of.push_back(0);
    }
    u.of[n] |= of;
  };
  for (const TriangleIndices& t : all_a) add(t, UnitedTriangles::kA);
  const std::size_t of_a = u.triangles.size();
  for (const TriangleIndices& t : all_b) add(t, UnitedTriangles::kB);
  // Facets of what only one of both has.
  std::vector<std::uint32_t> only_a;
  std::vector<TriangleIndices> rest_a, rest_b(u.triangles.begin() + static_cast<std::ptrdiff_t>(of_a), u.triangles.end());
  for (std::uint32_t t = 0; t < of_a; ++t) {
    if (u.of[t] != UnitedTriangles::kA) continue;
    only_a.push_back(t);
    rest_a.push_back(u.triangles[t]);
  }
  if (rest_a.empty() || rest_b.empty()) return u;
  const Facets facets_a = FacetMaker(u.vertices, rest_a)(), facets_b = FacetMaker(u.vertices, rest_b)();
  const std::vector<std::uint32_t> partner = partners(facets_a, facets_b);
  std::vector<bool> shared(rest_a.size());
  std::size_t kept = of_a;
  for (std::size_t t = 0; t < rest_b.size(); ++t) {
    const std::uint32_t p = facets_b.of[t] == kNone ? kNone : partner[facets_b.of[t]];
    if (p == kNone)
      u.triangles[kept++] = rest_b[t];
    else
      shared[p] = true;
  }
  u.triangles.resize(kept);
  u.of.resize(kept);
  for (std::size_t t = 0; t < only_a.size(); ++t)
    if (facets_a.of[t] != kNone && shared[facets_a.of[t]]) u.of[only_a[t]] |= UnitedTriangles::kB;
  return u;
}

}  // namespace graze
