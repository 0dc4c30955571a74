// Joins triangles to facets, makes their outlines comparable, and compares them by a hash of the coordinates and then by these.
#include "mesh/arrangement/shared_facets.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "exact/predicates.hpp"
#include "math/disjoint_sets.hpp"
#include "math/vec3.hpp"
#include "mesh/edges.hpp"
#include "mesh/polygon_rules.hpp"
#include "platform/parallel_sort.hpp"

namespace graze {
namespace {

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

/// A straight part of a facet's outline.
struct Side {
  std::uint32_t facet;
  bool forward;   ///< the facet lies to the left of the way from low to high
  bool branched;  ///< some edge on it is used by more than two triangles
  Vec3 low, high;
};

std::uint64_t mixed(std::uint64_t h, double x) {
  h ^= std::bit_cast<std::uint64_t>(x + 0.0);  // -0 + 0 is 0
  h *= 0x9E3779B97F4A7C15ull;
  return h ^ h >> 29;
}
std::uint64_t hash_of(const Side& s) {
  std::uint64_t h = 1;
  for (const Vec3* p : {&s.low, &s.high})
    for (int i = 0; i < 3; ++i) h = mixed(h, (*p)[i]);
  return h;
}
bool same_place(const Side& s, const Side& t) { return s.low == t.low && s.high == t.high; }
bool before(const Side& s, const Side& t) {
  if (s.low != t.low) return less(s.low, t.low);
  return less(s.high, t.high);
}

struct Facets {
  std::vector<std::uint32_t> of;  ///< the facet of each triangle: its lowest triangle, or kNone
  std::vector<Side> sides;        ///< by facet, then place
};

struct Outline {
  std::uint64_t hash = 0;
  std::uint32_t facet = 0, begin = 0, end = 0;  ///< of its sides
};

Facets facets_of(const MeshView& view, std::span<const TrianglePair> self) {
  const std::size_t n = view.mesh->triangles.size();
  std::vector<bool> out(n);
  for (std::uint32_t t = 0; t < n; ++t) out[t] = all_collinear(view.triangle(t).points);
  for (const TrianglePair& p : self) out[p.a] = out[p.b] = true;
  const std::vector<EdgeUse> uses = sorted_edge_uses(*view.mesh);
  DisjointSets sets(n);
  std::vector<EdgeUse> border;
  std::vector<bool> branched;
  for (std::size_t begin = 0, end; begin < uses.size(); begin = end) {
    for (end = begin; end < uses.size() && uses[end].ends == uses[begin].ends;) ++end;
    const bool pair = end - begin == 2 && uses[begin].forward() != uses[begin + 1].forward();
    const std::uint32_t s = uses[begin].triangle(), t = uses[end - 1].triangle();
    if (pair && !out[s] && !out[t] && in_one_plane(view.triangle(s), view.triangle(t))) {
      sets.join(s, t);
      continue;
    }
    for (std::size_t k = begin; k < end; ++k) {
      if (out[uses[k].triangle()]) continue;
      border.push_back(uses[k]);
      branched.push_back(!pair || out[s] || out[t]);
    }
  }
  Facets f;
  f.of.resize(n);
  for (std::uint32_t t = 0; t < n; ++t) f.of[t] = out[t] ? SharedFacets::kNone : sets.leader(t);

  // The edges of each outline by the vertex where they start and by the one where they end.
  struct Edge {
    std::uint32_t facet, from, to;
    bool branched;
  };
  std::vector<Edge> edges(border.size());
  for (std::size_t k = 0; k < border.size(); ++k) {
    const EdgeUse& u = border[k];
    edges[k] = {f.of[u.triangle()], u.forward() ? u.low() : u.high(), u.forward() ? u.high() : u.low(), branched[k]};
  }
  parallel_sort(edges, [](const Edge& x, const Edge& y) { return x.facet != y.facet ? x.facet < y.facet : x.from != y.from ? x.from < y.from : x.to < y.to; });
  const auto place_of = [&](std::uint32_t v) { return view.pose ? view.pose->apply(view.mesh->vertices[v]) : view.mesh->vertices[v]; };
  std::vector<std::uint32_t> ending;
  for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
    for (end = begin; end < edges.size() && edges[end].facet == edges[begin].facet;) ++end;
    ending.clear();
    for (std::size_t k = begin; k < end; ++k) ending.push_back(edges[k].to);
    std::sort(ending.begin(), ending.end());
    const auto starting = [&](std::uint32_t v) {  // the only edge that starts at v, if only one does
      const auto first = std::lower_bound(edges.begin() + static_cast<std::ptrdiff_t>(begin), edges.begin() + static_cast<std::ptrdiff_t>(end), v,
                                          [](const Edge& e, std::uint32_t x) { return e.from < x; });
      const auto k = static_cast<std::size_t>(first - edges.begin());
      return k < end && edges[k].from == v && (k + 1 == end || edges[k + 1].from != v) ? std::optional(k) : std::nullopt;
    };
    // The edge that continues edge k in its direction, where the outline passes a vertex once and straight.
    const auto next = [&](std::size_t k) -> std::optional<std::size_t> {
      const auto range = std::equal_range(ending.begin(), ending.end(), edges[k].to);
      if (range.second - range.first != 1) return std::nullopt;
      const std::optional<std::size_t> j = starting(edges[k].to);
      return j && between(place_of(edges[k].from), place_of(edges[k].to), place_of(edges[*j].to)) ? j : std::nullopt;
    };
    std::vector<bool> continued(end - begin);
    std::vector<std::optional<std::size_t>> after(end - begin);
    for (std::size_t k = begin; k < end; ++k)
      if ((after[k - begin] = next(k))) continued[*after[k - begin] - begin] = true;
    for (std::size_t k = begin; k < end; ++k) {
      if (continued[k - begin]) continue;
      bool any = edges[k].branched;
      std::size_t last = k;
      while (after[last - begin]) {
        last = *after[last - begin];
        any = any || edges[last].branched;
      }
      const Vec3 p = place_of(edges[k].from), q = place_of(edges[last].to);
      const bool forward = less(p, q);
      f.sides.push_back({edges[k].facet, forward, any, forward ? p : q, forward ? q : p});
    }
  }
  parallel_sort(f.sides, [](const Side& x, const Side& y) { return x.facet != y.facet ? x.facet < y.facet : before(x, y); });
  return f;
}

/// The outlines, by hash.
std::vector<Outline> outlines_of(const std::vector<Side>& sides) {
  std::vector<Outline> list;
  for (std::uint32_t begin = 0, end; begin < sides.size(); begin = end) {
    Outline o;
    o.facet = sides[begin].facet;
    o.begin = begin;
    for (end = begin; end < sides.size() && sides[end].facet == o.facet; ++end) o.hash = o.hash * 31 + hash_of(sides[end]);
    o.end = end;
    list.push_back(o);
  }
  parallel_sort(list, [](const Outline& x, const Outline& y) { return x.hash != y.hash ? x.hash < y.hash : x.facet < y.facet; });
  return list;
}

/// Whether the outlines are equal; then stores whether the facets face opposite ways.
bool equal_outlines(const Side* s, const Side* t, std::size_t n, bool& opposite) {
  opposite = s[0].forward != t[0].forward;
  for (std::size_t k = 0; k < n; ++k)
    if (!same_place(s[k], t[k]) || (s[k].forward != t[k].forward) != opposite) return false;
  return true;
}

}  // namespace

SharedFacets shared_facets(const MeshView& a, const MeshView& b, std::span<const TrianglePair> self_a, std::span<const TrianglePair> self_b) {
  const Facets facets[2] = {facets_of(a, self_a), facets_of(b, self_b)};
  const std::vector<Outline> of_a = outlines_of(facets[0].sides), of_b = outlines_of(facets[1].sides);
  // The partner of each facet, and whether it faces the opposite way. Facets of one surface are not equal unless triangles fold onto each other.
  std::vector<std::uint32_t> partner(facets[0].of.size(), SharedFacets::kNone), shared_b(facets[1].of.size(), SharedFacets::kNone);
  std::vector<bool> opposite(partner.size());
  for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    if (of_a[i].hash != of_b[j].hash) {
      of_a[i].hash < of_b[j].hash ? ++i : ++j;
      continue;
    }
    const std::size_t n = of_a[i].end - of_a[i].begin;
    bool turned;
    if (n == of_b[j].end - of_b[j].begin && equal_outlines(&facets[0].sides[of_a[i].begin], &facets[1].sides[of_b[j].begin], n, turned)) {
      partner[of_a[i].facet] = of_b[j].facet;
      shared_b[of_b[j].facet] = of_a[i].facet;
      opposite[of_a[i].facet] = turned;
    }
    ++i;
    ++j;
  }
  // Shared facets of A that meet along a side, and whose partners do, are in one region.
  std::vector<Side> sides[2];
  for (int k = 0; k < 2; ++k) {
    for (const Side& s : facets[k].sides)
      if ((k == 0 ? partner : shared_b)[s.facet] != SharedFacets::kNone && !s.branched) sides[k].push_back(s);
    parallel_sort(sides[k], [](const Side& x, const Side& y) { return same_place(x, y) ? x.facet < y.facet : before(x, y); });
  }
  const auto adjacent = [](const std::vector<Side>& list, std::size_t i) {
    return i + 1 < list.size() && same_place(list[i], list[i + 1]) && list[i].forward != list[i + 1].forward;
  };
  DisjointSets sets(partner.size());
  for (std::size_t i = 0, j = 0; i < sides[0].size() && j < sides[1].size();) {
    if (!same_place(sides[0][i], sides[1][j])) {
      before(sides[0][i], sides[1][j]) ? ++i : ++j;
      continue;
    }
    if (adjacent(sides[0], i) && adjacent(sides[1], j)) {
      const std::uint32_t f = sides[0][i].facet, g = sides[0][i + 1].facet;
      if (opposite[f] == opposite[g]) sets.join(f, g);
    }
    const Side at = sides[0][i];
    while (i < sides[0].size() && same_place(sides[0][i], at)) ++i;
    while (j < sides[1].size() && same_place(sides[1][j], at)) ++j;
  }
  SharedFacets r;
  std::vector<std::uint32_t> number(partner.size(), SharedFacets::kNone);
  r.region[0].resize(facets[0].of.size());
  r.region[1].resize(facets[1].of.size());
  for (std::uint32_t t = 0; t < r.region[0].size(); ++t) {
    const std::uint32_t f = facets[0].of[t];
    if (f == SharedFacets::kNone || partner[f] == SharedFacets::kNone) {
      r.region[0][t] = SharedFacets::kNone;
      continue;
    }
    std::uint32_t& region = number[sets.leader(f)];
    if (region == SharedFacets::kNone) region = r.regions++;
    r.region[0][t] = region;
  }
  for (std::uint32_t t = 0; t < r.region[1].size(); ++t) {
    const std::uint32_t g = facets[1].of[t];
    const bool shared = g != SharedFacets::kNone && shared_b[g] != SharedFacets::kNone;
    r.region[1][t] = shared ? number[sets.leader(shared_b[g])] : SharedFacets::kNone;
  }
  return r;
}

}  // namespace graze
