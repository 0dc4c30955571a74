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

/// Key of a contact segment that lies in edges and therefore belongs to several pairs: the edge and the other triangle, or both edges.
using Shared = std::tuple<int, std::uint64_t, std::uint64_t>;

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

}  // namespace

Regions regions_of(const Mesh& a, const Mesh& b, const std::vector<TrianglePair>& pairs) {
  Regions result;
  const std::size_t n = pairs.size();
  if (n == 0) return result;
  const Corners corners_a(a, pairs, &TrianglePair::a), corners_b(b, pairs, &TrianglePair::b);
  Groups groups(n);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  const auto each_run = [&](Side fixed, Side other, const Mesh& mesh, const Corners& corners) {
    Joiner joiner(groups, corners);
    for (std::size_t i = 0, end = 0; i < n; i = end) {
      for (end = i + 1; end < n && pairs[order[end]].*fixed == pairs[order[i]].*fixed;) ++end;
      joiner.join(triangle_of(mesh, pairs[order[i]].*fixed), std::span(order).subspan(i, end - i), pairs, other);
    }
  };
  each_run(&TrianglePair::a, &TrianglePair::b, a, corners_b);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return pairs[i].b < pairs[j].b; });
  each_run(&TrianglePair::b, &TrianglePair::a, b, corners_a);

  std::vector<std::uint32_t>& region_of = result.region_of;  // first pass: in the order of first pairs
  region_of.resize(n);
  std::vector<Region> list;
  std::vector<std::pair<Shared, std::uint32_t>> shared;  // with the pair that has it
  std::vector<std::uint32_t> flat;                       // pairs with an area
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t root = groups.find(i);
    region_of[i] = root == i ? static_cast<std::uint32_t>(list.size()) : region_of[root];
    const TrianglePair& p = pairs[i];
    const CommonPoints c = common_points(triangle_of(a, p.a), triangle_of(b, p.b));
    if (root == i) {
      list.emplace_back();
      list.back().first = p;
      list.back().box = {c.points[0], c.points[0]};
    }
    Region& r = list[region_of[i]];
    ++r.pairs;
    for (int k = 0; k < c.count; ++k) take(r.box, c.points[static_cast<std::size_t>(k)]);
    if (c.count > 2) {
      r.area += c.area();
      flat.push_back(i);
    } else if (c.count == 2 && c.edge_a < 0 && c.edge_b < 0) {
      r.length += c.length();
    } else if (c.count == 2) {
      shared.push_back({c.edge_b < 0   ? Shared{0, corners_a.edge(p.a, c.edge_a), p.b}
                        : c.edge_a < 0 ? Shared{1, p.a, corners_b.edge(p.b, c.edge_b)}
                                       : Shared{2, corners_a.edge(p.a, c.edge_a), corners_b.edge(p.b, c.edge_b)},
                        i});
    }
  }
  // each shared segment once, unless it bounds an area or lies in one
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end(), [](const auto& x, const auto& y) { return x.first == y.first; }), shared.end());
  std::vector<bool> in_area(shared.size());
  const auto mark = [&](const Shared& key) {
    const auto at = std::lower_bound(shared.begin(), shared.end(), std::pair{key, 0u});
    if (at != shared.end() && at->first == key) in_area[static_cast<std::size_t>(at - shared.begin())] = true;
  };
  if (!shared.empty())
    for (const std::uint32_t i : flat)
      for (int k = 0; k < 3; ++k) {
        mark({0, corners_a.edge(pairs[i].a, k), pairs[i].b});
        mark({1, pairs[i].a, corners_b.edge(pairs[i].b, k)});
        for (int m = 0; m < 3; ++m) mark({2, corners_a.edge(pairs[i].a, k), corners_b.edge(pairs[i].b, m)});
      }
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const TrianglePair& p = pairs[shared[i].second];
    if (!in_area[i]) list[region_of[shared[i].second]].length += common_points(triangle_of(a, p.a), triangle_of(b, p.b)).length();
  }

  std::vector<std::uint32_t> rank(list.size()), place(list.size());
  std::iota(rank.begin(), rank.end(), 0u);
  std::sort(rank.begin(), rank.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Region &x = list[i], &y = list[j];
    return std::tuple(-x.area, -x.length, x.first) < std::tuple(-y.area, -y.length, y.first);
  });
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    place[rank[i]] = i;
    result.list.push_back(std::move(list[rank[i]]));
  }
  for (std::uint32_t& r : region_of) r = place[r];

  // per region: names, and the point nearest to the middle
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return std::pair(region_of[i], i) < std::pair(region_of[j], j); });
  for (std::size_t i = 0, end = 0; i < n; i = end) {
    Region& r = result.list[region_of[order[i]]];
    end = i + r.pairs;
    std::vector<std::uint32_t> list_a, list_b;
    const Vec3 middle = r.box.min * 0.5 + r.box.max * 0.5;
    double nearest = -1;
    for (std::size_t j = i; j < end; ++j) {
      const TrianglePair& p = pairs[order[j]];
      if (!a.parts().empty()) list_a.push_back(p.a);
      if (!b.parts().empty()) list_b.push_back(p.b);
      if (j - i >= 1000) continue;  // a point near the middle of a huge region: of its first thousand pairs
      const CommonPoints c = common_points(triangle_of(a, p.a), triangle_of(b, p.b));
      Vec3 at(0, 0, 0);
      for (int k = 0; k < c.count; ++k) at += c.points[static_cast<std::size_t>(k)] / static_cast<double>(c.count);
      const Vec3 d = at - middle;
      const double far = d.x * d.x + d.y * d.y + d.z * d.z;
      if (nearest >= 0 && !(far < nearest)) continue;
      nearest = far;
      r.point = at;
    }
    r.parts_a = names_of(a, std::move(list_a));
    r.parts_b = names_of(b, std::move(list_b));
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
