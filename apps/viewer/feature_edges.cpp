// Finds feature edges: half-edges in buckets by their lower vertex, joined to chains. The length of a chain determines up to which distance it is drawn.
#include "viewer/feature_edges.hpp"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace graze::view {

namespace {

constexpr double kWeakCosine = 0.9063, kStrongCosine = 0.7660;  // cosines of 25 and 40 degrees
constexpr std::uint32_t kNone = ~0u;

/// For each vertex, the first vertex with equal coordinates.
std::vector<std::uint32_t> welded(std::span<const Vec3> vertices) {
  const std::size_t slots = std::bit_ceil(2 * vertices.size() + 1);
  std::vector<std::uint32_t> table(slots, kNone), first(vertices.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    std::uint64_t h = 0;
    for (int k = 0; k < 3; ++k) h = (h ^ std::bit_cast<std::uint64_t>(vertices[v][k] + 0.0)) * 0x9E3779B97F4A7C15ull, h ^= h >> 32;
    std::size_t at = h & (slots - 1);
    while (table[at] != kNone && vertices[table[at]] != vertices[v]) at = (at + 1) & (slots - 1);
    if (table[at] == kNone) table[at] = v;
    first[v] = table[at];
  }
  return first;
}

struct HalfEdge {
  std::uint32_t high, opposite;  // its higher vertex, and its triangle's third corner
};

enum class Crease { none, weak, strong };

/// `faces` are the half-edges of one edge, from p to q. A border counts as strong.
Crease crease_at(const Mesh& mesh, const Vec3& p, const Vec3& q, std::span<const HalfEdge> faces) {
  const Vec3 along = unit(q - p);
  std::optional<Vec3> first;
  bool other_side = false, absent = false, weak = false;
  for (const HalfEdge& f : faces) {
    const Vec3 to = mesh.vertices()[f.opposite] - p, out = to - along * dot(to, along);
    if (!(length(out) > 1e-9 * length(to))) {
      absent = true;
      continue;
    }
    const Vec3 d = unit(out);  // in the triangle, away from the edge
    if (!first) {
      first = d;
      continue;
    }
    const double cosine = dot(*first, d);
    if (std::abs(cosine) < kStrongCosine) return Crease::strong;
    weak = weak || std::abs(cosine) < kWeakCosine;
    other_side = other_side || cosine < 0;
  }
  if (weak) return Crease::weak;
  return first && !other_side && !absent ? Crease::strong : Crease::none;
}

/// Drops the texture of a rough surface: connected weak creases shorter than the model, and connected creases of any kind shorter than a quarter of it without
/// a closed line. Rims of holes and bosses are closed, however small.
void drop_grain(std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, const std::vector<char>& strong, std::span<const Vec3> vertices) {
  struct Piece {
    double length = 0;
    std::size_t edges = 0, vertices = 0;  // a piece without a closed line has one vertex more than edges
    bool strong = false, counted = false;
  };
  std::vector<std::uint32_t> parent(vertices.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [v, w] : edges) parent[root(v)] = root(w);
  std::vector<Piece> pieces(vertices.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Piece& piece = pieces[root(edges[i].first)];
    piece.length += length(vertices[edges[i].second] - vertices[edges[i].first]);
    piece.strong = piece.strong || strong[i];
    ++piece.edges;
    for (const std::uint32_t v : {edges[i].first, edges[i].second})
      if (!std::exchange(pieces[v].counted, true)) ++piece.vertices;
  }
  Vec3 low = vertices[0], high = low;
  for (const Vec3& v : vertices)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], v[k]), high[k] = std::max(high[k], v[k]);
  const double size = length(high - low);
  std::erase_if(edges, [&](const auto& edge) {
    const Piece& piece = pieces[root(edge.first)];
    return piece.length < size && !(piece.strong && (piece.edges >= piece.vertices || piece.length >= size / 4));
  });
}

}  // namespace

std::vector<FeatureLine> feature_lines(const Mesh& mesh, const Vec3& origin) {
  const std::vector<std::uint32_t> first = welded(mesh.vertices());
  std::vector<std::uint32_t> start(first.size() + 1, 0);
  const auto each = [&](auto&& f) {
    for (const TriangleIndices& t : mesh.triangles())
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = first[t[(k + 1) % 3]], w = first[t[(k + 2) % 3]];
        if (v != w) f(std::min(v, w), std::max(v, w), t[k]);
      }
  };
  each([&](std::uint32_t low, std::uint32_t, std::uint32_t) { ++start[low + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<HalfEdge> edges(start.back());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  each([&](std::uint32_t low, std::uint32_t high, std::uint32_t opposite) { edges[next[low]++] = {high, opposite}; });

  std::vector<std::pair<std::uint32_t, std::uint32_t>> features;
  std::vector<char> strong;
  for (std::uint32_t v = 0; v < first.size(); ++v) {
    const auto begin = edges.begin() + start[v], end = edges.begin() + start[v + 1];
    std::sort(begin, end, [](const HalfEdge& x, const HalfEdge& y) { return x.high < y.high; });
    for (auto from = begin, to = begin; from != end; from = to) {
      while (to != end && to->high == from->high) ++to;
      const Crease crease = crease_at(mesh, mesh.vertices()[v], mesh.vertices()[from->high], {from, to});
      if (crease == Crease::none) continue;
      features.emplace_back(v, from->high);
      strong.push_back(crease == Crease::strong);
    }
  }
  if (!features.empty()) drop_grain(features, strong, mesh.vertices());

  // chains: edges that meet at a vertex without a third one
  std::vector<std::uint32_t> chain(features.size()), last(first.size(), kNone), degree(first.size(), 0);
  std::iota(chain.begin(), chain.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (chain[i] != i) i = chain[i] = chain[chain[i]];
    return i;
  };
  for (const auto& [v, w] : features) ++degree[v], ++degree[w];
  for (std::uint32_t i = 0; i < features.size(); ++i)
    for (const std::uint32_t v : {features[i].first, features[i].second}) {
      if (degree[v] != 2) continue;
      if (last[v] != kNone) chain[find(i)] = find(last[v]);
      last[v] = i;
    }
  std::vector<double> size(features.size(), 0);
  const auto at = [&](std::uint32_t v) { return mesh.vertices()[v] - origin; };
  for (std::uint32_t i = 0; i < features.size(); ++i) size[find(i)] += length(at(features[i].second) - at(features[i].first));
  std::vector<FeatureLine> lines;
  lines.reserve(features.size());
  for (std::uint32_t i = 0; i < features.size(); ++i) {
    const Vec3 a = at(features[i].first), b = at(features[i].second);
    lines.push_back({static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z), static_cast<float>(b.x), static_cast<float>(b.y),
                     static_cast<float>(b.z), static_cast<float>(size[find(i)])});
  }
  return lines;
}

}  // namespace graze::view
