// Groups pairs of triangles by union-find over shared corners and edges. Sizes are summed in the order of the pairs, so results are the same on every machine.
#include "contact/regions.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include "cli/part_name.hpp"

namespace graze::contact {

namespace {

using Side = std::uint32_t TrianglePair::*;
constexpr std::uint32_t kNone = ~0u;

/// The vertices of some triangles of a mesh; vertices of equal coordinates share one number.
class Corners {
 public:
  Corners(const Mesh& mesh, const std::vector<TrianglePair>& pairs, Side side) : mesh_(mesh), number_(mesh.vertices().size(), kNone) {
    std::vector<std::uint32_t> used;
    for (const TrianglePair& p : pairs)
      for (const std::uint32_t v : mesh.triangles()[p.*side])
        if (number_[v] == kNone) {
          number_[v] = 0;
          used.push_back(v);
        }
    const auto key = [&](std::uint32_t v) {
      const Vec3& p = mesh.vertices()[v];
      return std::tuple(p.x, p.y, p.z);
    };
    std::sort(used.begin(), used.end(), [&](std::uint32_t v, std::uint32_t w) { return key(v) != key(w) ? key(v) < key(w) : v < w; });
    for (std::size_t i = 0; i < used.size(); ++i) number_[used[i]] = i > 0 && key(used[i]) == key(used[i - 1]) ? number_[used[i - 1]] : used[i];
  }
  std::uint32_t operator()(std::uint32_t triangle, int k) const { return number_[mesh_.triangles()[triangle][static_cast<std::size_t>(k % 3)]]; }
  /// The edge opposite to corner k.
  std::uint64_t edge(std::uint32_t triangle, int k) const {
    const std::uint32_t v = (*this)(triangle, k + 1), w = (*this)(triangle, k + 2);
    return std::uint64_t{std::min(v, w)} << 32 | std::max(v, w);
  }
  const Vec3& place(std::uint32_t number) const { return mesh_.vertices()[number]; }

 private:
  const Mesh& mesh_;
  std::vector<std::uint32_t> number_;
};

Triangle triangle_of(const Mesh& mesh, std::uint32_t triangle) {
  const TriangleIndices& t = mesh.triangles()[triangle];
  return {{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}};
}

class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);  // the first pair represents its group
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Joins pairs of one triangle `fixed` of a mesh with triangles of the other that share an edge or a corner on it.
class Joiner {
 public:
  Joiner(Groups& groups, const Corners& corners) : groups_(groups), corners_(corners) {}
  void join(const Triangle& fixed, std::span<const std::uint32_t> pairs, const std::vector<TrianglePair>& list, Side other) {
    if (pairs.size() < 2) return;
    features_.clear();
    for (const std::uint32_t pair : pairs)
      for (int k = 0; k < 3; ++k) {
        features_.emplace_back(corners_.edge(list[pair].*other, k), pair);
        const std::uint32_t corner = corners_(list[pair].*other, k);
        features_.emplace_back(std::uint64_t{corner} << 32 | corner, pair);
      }
    std::sort(features_.begin(), features_.end());
    for (std::size_t i = 0, end = 0; i < features_.size(); i = end) {
      bool apart = false;
      for (end = i + 1; end < features_.size() && features_[end].first == features_[i].first; ++end)
        apart = apart || groups_.find(features_[end].second) != groups_.find(features_[i].second);
      if (!apart) continue;
      const Vec3 &p = corners_.place(static_cast<std::uint32_t>(features_[i].first >> 32)), &q = corners_.place(static_cast<std::uint32_t>(features_[i].first));
      if (!(p == q ? intersects(Point{p}, fixed) : intersects(Segment{p, q}, fixed))) continue;
      for (std::size_t j = i + 1; j < end; ++j) groups_.join(features_[i].second, features_[j].second);
    }
  }

 private:
  Groups& groups_;
  const Corners& corners_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> features_;
};

void take(Box& box, const Vec3& p) {
  for (int k = 0; k < 3; ++k) {
    box.min[k] = std::min(box.min[k], p[k]);
    box.max[k] = std::max(box.max[k], p[k]);
  }
}

/// The names of the parts of some triangles, ascending; a triangle in no named part adds none.
std::vector<std::string> names_of(const Mesh& mesh, std::vector<std::uint32_t> triangles) {
  std::sort(triangles.begin(), triangles.end());
  std::vector<std::string> names;
  const std::string* last = nullptr;
  for (const std::uint32_t t : triangles) {
    const std::string* name = cli::part_name(mesh, t);
    if (!name || name->empty() || name == last) continue;
    last = name;
    if (std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  }
  return names;
}

/// Two meshes and the pairs of their triangles that share points.
struct Meeting {
  const Mesh &a, &b;
  const std::vector<TrianglePair>& pairs;
  Corners corners_a{a, pairs, &TrianglePair::a}, corners_b{b, pairs, &TrianglePair::b};
  CommonPoints common(std::uint32_t i) const { return common_points(triangle_of(a, pairs[i].a), triangle_of(b, pairs[i].b)); }
};

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// The pairs of each region.
Groups groups_of(const Meeting& m) {
  const std::vector<TrianglePair>& pairs = m.pairs;
  const std::size_t n = pairs.size();
  Groups groups(n);
  std::vector<std::uint32_t> order = numbers(n);
  const auto each_run = [&](Side fixed, Side other, const Mesh& mesh, const Corners& corners) {
    Joiner joiner(groups, corners);
    for (std::size_t i = 0, end = 0; i < n; i = end) {
      for (end = i + 1; end < n && pairs[order[end]].*fixed == pairs[order[i]].*fixed;) ++end;
      joiner.join(triangle_of(mesh, pairs[order[i]].*fixed), std::span(order).subspan(i, end - i), pairs, other);
    }
  };
  each_run(&TrianglePair::a, &TrianglePair::b, m.a, m.corners_b);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return pairs[i].b < pairs[j].b; });
  each_run(&TrianglePair::b, &TrianglePair::a, m.b, m.corners_a);
  return groups;
}

/// Key of a contact segment that lies in edges and therefore belongs to several pairs: the edge and the other triangle, or both edges.
using Shared = std::tuple<int, std::uint64_t, std::uint64_t>;

/// Contact that belongs to several pairs of triangles.
struct SharedContact {
  std::vector<std::pair<Shared, std::uint32_t>> segments;  // with the pair that has it
  std::vector<std::uint32_t> flat;                         // pairs with an area
};

/// Sets the regions in the order of their first pairs, without the lengths of shared segments.
SharedContact measure(const Meeting& m, Regions& result) {
  SharedContact shared;
  Groups groups = groups_of(m);
  result.region_of.resize(m.pairs.size());
  for (std::uint32_t i = 0; i < m.pairs.size(); ++i) {
    const std::uint32_t root = groups.find(i);
    result.region_of[i] = root == i ? static_cast<std::uint32_t>(result.list.size()) : result.region_of[root];
    const TrianglePair& p = m.pairs[i];
    const CommonPoints c = m.common(i);
    if (root == i) {
      result.list.emplace_back();
      result.list.back().first = p;
      result.list.back().box = {c.points[0], c.points[0]};
    }
    Region& r = result.list[result.region_of[i]];
    ++r.pairs;
    for (int k = 0; k < c.count; ++k) take(r.box, c.points[static_cast<std::size_t>(k)]);
    if (c.count > 2) {
      r.area += c.area();
      shared.flat.push_back(i);
    } else if (c.count == 2 && c.edge_a < 0 && c.edge_b < 0) {
      r.length += c.length();
    } else if (c.count == 2) {
      shared.segments.push_back({c.edge_b < 0   ? Shared{0, m.corners_a.edge(p.a, c.edge_a), p.b}
                                 : c.edge_a < 0 ? Shared{1, p.a, m.corners_b.edge(p.b, c.edge_b)}
                                                : Shared{2, m.corners_a.edge(p.a, c.edge_a), m.corners_b.edge(p.b, c.edge_b)},
                                 i});
    }
  }
  return shared;
}

/// Adds the length of each shared segment once, unless it bounds an area or lies in one.
void add_lengths(const Meeting& m, SharedContact& shared, Regions& result) {
  auto& segments = shared.segments;
  if (segments.empty()) return;
  std::sort(segments.begin(), segments.end());
  segments.erase(std::unique(segments.begin(), segments.end(), [](const auto& x, const auto& y) { return x.first == y.first; }), segments.end());
  std::vector<bool> in_area(segments.size());
  const auto mark = [&](const Shared& key) {
    const auto at = std::lower_bound(segments.begin(), segments.end(), std::pair{key, 0u});
    if (at != segments.end() && at->first == key) in_area[static_cast<std::size_t>(at - segments.begin())] = true;
  };
  for (const std::uint32_t i : shared.flat) {
    const auto [a, b] = m.pairs[i];
    for (int k = 0; k < 3; ++k) {
      mark({0, m.corners_a.edge(a, k), b});
      mark({1, a, m.corners_b.edge(b, k)});
      for (int l = 0; l < 3; ++l) mark({2, m.corners_a.edge(a, k), m.corners_b.edge(b, l)});
    }
  }
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t pair = segments[i].second;
    if (!in_area[i]) result.list[result.region_of[pair]].length += m.common(pair).length();
  }
}

void sort_by_size(Regions& result) {
  std::vector<Region> list = std::move(result.list);
  std::vector<std::uint32_t> rank = numbers(list.size()), place(list.size());
  std::sort(rank.begin(), rank.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Region &x = list[i], &y = list[j];
    return std::tuple(-x.area, -x.length, x.first) < std::tuple(-y.area, -y.length, y.first);
  });
  result.list.clear();
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    place[rank[i]] = i;
    result.list.push_back(std::move(list[rank[i]]));
  }
  for (std::uint32_t& r : result.region_of) r = place[r];
}

/// Sets the names of a region that has these pairs, and the point nearest to its middle.
void describe(const Meeting& m, std::span<const std::uint32_t> pairs, Region& r) {
  std::vector<std::uint32_t> list_a, list_b;
  const Vec3 middle = r.box.min * 0.5 + r.box.max * 0.5;
  double nearest = -1;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const TrianglePair& p = m.pairs[pairs[j]];
    if (!m.a.parts().empty()) list_a.push_back(p.a);
    if (!m.b.parts().empty()) list_b.push_back(p.b);
    if (j >= 1000) continue;  // a point near the middle of a huge region: of its first thousand pairs
    const CommonPoints c = m.common(pairs[j]);
    Vec3 at(0, 0, 0);
    for (int k = 0; k < c.count; ++k) at += c.points[static_cast<std::size_t>(k)] / static_cast<double>(c.count);
    const Vec3 d = at - middle;
    const double far = d.x * d.x + d.y * d.y + d.z * d.z;
    if (nearest >= 0 && !(far < nearest)) continue;
    nearest = far;
    r.point = at;
  }
  r.parts_a = names_of(m.a, std::move(list_a));
  r.parts_b = names_of(m.b, std::move(list_b));
}

}  // namespace

Regions regions_of(const Mesh& a, const Mesh& b, const std::vector<TrianglePair>& pairs) {
  Regions result;
  if (pairs.empty()) return result;
  const Meeting m{a, b, pairs};
  SharedContact shared = measure(m, result);
  add_lengths(m, shared, result);
  sort_by_size(result);
  std::vector<std::uint32_t> order = numbers(pairs.size());
  const std::vector<std::uint32_t>& region_of = result.region_of;
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return std::pair(region_of[i], i) < std::pair(region_of[j], j); });
  std::size_t begin = 0;
  for (Region& r : result.list) {
    describe(m, std::span(order).subspan(begin, r.pairs), r);
    begin += r.pairs;
  }
  return result;
}

std::string size_text(const Region& r) {
  const auto number = [](double x) { return x >= 1e4 && x < 1e7 ? fmt::format("{:.0f}", x) : fmt::format("{:.4g}", x); };  // 37200, not 3.72e+04
  const std::string curve = r.length > 0 ? "curve of length " + number(r.length) : "";
  if (r.area > 0) return "area " + number(r.area) + (curve.empty() ? "" : " and a " + curve);
  return curve.empty() ? "point" : curve;
}

std::string extent_text(const Box& box) {
  double least = 0;  // smaller extents are only the rounding of the coordinates
  for (int k = 0; k < 3; ++k) least = std::max({least, 1e-9 * (box.max[k] - box.min[k]), 1e-15 * std::abs(box.min[k]), 1e-15 * std::abs(box.max[k])});
  std::string text;
  int extents = 0;
  for (int k = 0; k < 3; ++k) {
    if (!(box.max[k] - box.min[k] > least)) continue;
    text += fmt::format("{}{:.3g}", extents++ ? " x " : "", box.max[k] - box.min[k]);
  }
  return extents == 1 ? text + " long" : extents == 2 ? "flat, " + text : text;
}

double reach_of(const Mesh& a, const Mesh& b) {
  double reach = 0;
  for (const Mesh* mesh : {&a, &b}) {
    if (mesh->size() == 0) continue;
    const Box box = bounding_box(*mesh);
    for (int k = 0; k < 3; ++k) reach = std::max({reach, std::abs(box.min[k]), std::abs(box.max[k])});
  }
  return reach;
}

Vec3 rounded(const Vec3& v, double reach) {
  Vec3 out = v;
  for (int k = 0; k < 3; ++k)
    if (!(std::abs(v[k]) > 1e-15 * reach)) out[k] = 0;
  return out;
}

std::string parts_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 2; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > 2) text += fmt::format(" and {} more", names.size() - 2);
  return text;
}

}  // namespace graze::contact
