// Convex hulls: the exact extreme points and facets of any points; degenerate arrangements by their dimension.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/shapes/hull.hpp>
#include <string>
#include <utility>

#include "exact/predicates.hpp"
#include "math/vec3.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/progress_meter.hpp"
#include "platform/watch.hpp"
#include "shapes/hull_builder.hpp"
#include "shapes/hull_data.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

using Loop = std::vector<std::uint32_t>;

/// As v.resize(n), looking meanwhile whether the caller wants the call to end: where the system gives memory slowly, that of millions of points takes tenths of
/// a second.
template <class T>
void resize(std::vector<T>& v, std::size_t n) {
  v.reserve(n);
  while (v.size() < n) {
    checkpoint();
    v.resize(std::min(n, v.size() + 16 * kHullLook));
  }
}

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) { return orient2d(a, b, c, 2) == 0 && orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0; }

// Returns an id for which `good` holds (exactly), or null. Tries those with the greatest rounded `score` first, because large simplices make fewer facets. The
// hull does not depend on which id is returned.
template <class Score, class Good>
const std::uint32_t* find_far(const std::vector<std::uint32_t>& ids, const Score& score, const Good& good) {
  const std::uint32_t* best = nullptr;
  double best_score = 0;
  for (const std::uint32_t& id : ids) {
    if (static_cast<std::size_t>(&id - ids.data()) % kHullLook == 0) checkpoint();
    const double s = score(id);
    if (s > best_score && s <= 0x1p1023) best = &id, best_score = s;
  }
  if (best && good(*best)) return best;
  for (const std::uint32_t& id : ids) {
    if (static_cast<std::size_t>(&id - ids.data()) % kHullLook == 0) checkpoint();
    if (good(id)) return &id;
  }
  return nullptr;
}

// The hull of points in one plane that do not lie on a line: monotone chain (A. M. Andrew 1979) in the projection along `drop`, keeping only strict turns;
// counter-clockwise seen along that axis.
Loop flat_hull(const std::vector<Vec3>& points, std::vector<std::uint32_t> ids, int drop) {
  const int i = (drop + 1) % 3, j = (drop + 2) % 3;
  // Of points in a plane, no two have the same projection.
  parallel_sort(ids,
                [&](std::uint32_t a, std::uint32_t b) { return points[a][i] != points[b][i] ? points[a][i] < points[b][i] : points[a][j] < points[b][j]; });
  Loop loop;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = loop.size();
    for (std::size_t at = 0; at < ids.size(); ++at) {
      if (at % kHullLook == 0) checkpoint();
      const std::uint32_t id = ids[at];
      while (loop.size() >= base + 2 && orient2d(points[loop[loop.size() - 2]], points[loop.back()], points[id], drop) <= 0) loop.pop_back();
      loop.push_back(id);
    }
    loop.pop_back();
    std::reverse(ids.begin(), ids.end());
  }
  return loop;
}

void join_neighbours(HullData& h) {
  struct Edge {
    std::uint32_t to, triangle, k;
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<std::uint32_t> begin(h.points.size() + 1);  // of the edges from each point
  std::vector<Edge> edges(3 * h.triangles.size());
  for (const auto& t : h.triangles)
    for (const std::uint32_t v : t) ++begin[v];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  for (std::uint32_t t = 0; t < h.triangles.size(); ++t)
    for (std::uint32_t k = 0; k < 3; ++k) edges[--begin[h.triangles[t][k]]] = {h.triangles[t][(k + 1) % 3], t, k};
  const auto from = [&](std::size_t v) { return std::span(edges.data() + begin[v], edges.data() + begin[v + 1]); };
  for (const std::uint32_t v : h.corners) std::sort(from(v).begin(), from(v).end());
  h.neighbours.resize(h.triangles.size());
  for (std::size_t i = 0; i < h.corners.size(); ++i) {
    if (i % kHullLook == 0) checkpoint();
    for (const Edge& e : from(h.corners[i])) {
      const auto back = from(e.to);
      h.neighbours[e.triangle][e.k] = std::lower_bound(back.begin(), back.end(), Edge{h.corners[i], 0, 0})->triangle;
    }
  }
}

// Converts facets from loops to triangles: each becomes the fan from its first corner.
void add_facets(HullData& h, const FacetLoops& loops) {
  for (std::uint32_t f = 0; f < loops.size(); ++f)
    for (std::size_t k = 1; k + 1 < loops[f].size(); ++k) {
      h.triangles.push_back({loops[f][0], loops[f][k], loops[f][k + 1]});
      h.facet.push_back(f);
    }
}

// Lists the corners, and those that edges join: neighbours along the loops, in which each edge stands once in each direction.
void join_corners(HullData& h, const FacetLoops& loops) {
  constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  std::vector<std::uint32_t> number(h.points.size(), kNone);  // among the corners
  for (const std::uint32_t id : loops.points) number[id] = 0;
  for (std::uint32_t id = 0; id < number.size(); ++id)
    if (number[id] != kNone) {
      number[id] = static_cast<std::uint32_t>(h.corners.size());
      h.corners.push_back(id);
    }
  h.edge_begin.assign(h.corners.size() + 1, 0);
  if (h.dimension > 0) {
    for (const std::uint32_t id : loops.points) ++h.edge_begin[number[id]];
    for (std::size_t i = 1; i < h.edge_begin.size(); ++i) h.edge_begin[i] += h.edge_begin[i - 1];
    h.edge_ends.resize(loops.points.size());
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (i % kHullLook == 0) checkpoint();
      const auto loop = loops[i];
      for (std::size_t k = 0; k < loop.size(); ++k) h.edge_ends[--h.edge_begin[number[loop[k]]]] = number[loop[k + 1 < loop.size() ? k + 1 : 0]];
    }
    for (std::size_t i = 0; i < h.corners.size(); ++i) std::sort(h.edge_ends.begin() + h.edge_begin[i], h.edge_ends.begin() + h.edge_begin[i + 1]);
  }
}

PointArrays arrays_of(const std::vector<Vec3>& points, std::vector<std::uint32_t> ids) {
  PointArrays a;
  a.index = std::move(ids);
  a.stride = (a.index.size() + PointArrays::kBlock - 1) / PointArrays::kBlock * PointArrays::kBlock;
  resize(a.coordinates, 3 * a.stride);
  for (std::size_t i = 0; i < a.stride; ++i) {
    if (i % kHullLook == 0) checkpoint();
    for (std::size_t k = 0; k < 3; ++k) a.coordinates[k * a.stride + i] = points[a.index[i < a.index.size() ? i : 0]][static_cast<int>(k)];
  }
  return a;
}

// Lists the distinct points `ids` by coordinate.
void list_coordinates(HullData& h, const std::vector<std::uint32_t>& ids) {
  std::vector<std::uint8_t> extreme(h.points.size());
  for (const std::uint32_t id : h.corners) extreme[id] = 1;
  std::vector<std::uint32_t> others;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % kHullLook == 0) checkpoint();
    if (!extreme[ids[i]]) others.push_back(ids[i]);
  }
  h.corner_arrays = arrays_of(h.points, h.corners);
  h.other_arrays = arrays_of(h.points, std::move(others));
  h.size = std::max(max_norm(h.bounds.lo), max_norm(h.bounds.hi));
  for (int k = 0; k < 3; ++k) h.middle[k] = h.bounds.lo[k] / 2 + h.bounds.hi[k] / 2;
}

// The distinct points, the first of equal ones, in lexicographic order.
std::vector<std::uint32_t> distinct(const std::vector<Vec3>& p) {
  struct Key {
    double x;
    std::uint32_t id;
  };
  std::vector<Key> keys(p.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = {p[i].x, i};
  parallel_sort(keys, [&](const Key& a, const Key& b) {
    if (a.x != b.x) return a.x < b.x;
    const Vec3 &q = p[a.id], &r = p[b.id];
    return q.y != r.y ? q.y < r.y : q.z != r.z ? q.z < r.z : a.id < b.id;
  });
  std::vector<std::uint32_t> ids;
  ids.reserve(p.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % kHullLook == 0) checkpoint();
    if (ids.empty() || p[ids.back()] != p[keys[i].id]) ids.push_back(keys[i].id);
  }
  return ids;
}

void build(HullData& h, ProgressMeter& meter) {
  const std::vector<Vec3>& p = h.points;
  const std::vector<std::uint32_t> ids = distinct(p);
  FacetLoops loops;
  const std::uint32_t lo = ids.front(), hi = ids.back();
  const Vec3 u(p[hi].x - p[lo].x, p[hi].y - p[lo].y, p[hi].z - p[lo].z);
  auto cross_with_u = [&](std::uint32_t id) {
    const Vec3 v(p[id].x - p[lo].x, p[id].y - p[lo].y, p[id].z - p[lo].z);
    return cross(u, v);
  };
  auto area = [&](std::uint32_t id) { return taxicab(cross_with_u(id)); };
  const std::uint32_t* side = ids.size() < 3 ? nullptr : find_far(ids, area, [&](std::uint32_t id) { return !collinear(p[lo], p[hi], p[id]); });
  if (!side) {  // the lexicographic extremes are the ends of the segment
    h.dimension = ids.size() == 1 ? 0 : 1;
    loops.add(h.dimension == 0 ? Loop{lo} : Loop{lo, hi});
  } else {
    const Vec3 n = cross_with_u(*side);
    auto height = [&](std::uint32_t id) { return std::fabs((p[id].x - p[lo].x) * n.x + (p[id].y - p[lo].y) * n.y + (p[id].z - p[lo].z) * n.z); };
    const std::uint32_t* top = find_far(ids, height, [&](std::uint32_t id) { return orient3d(p[lo], p[hi], p[*side], p[id]) != 0; });
    if (!top) {
      h.dimension = 2;
      int drop = 2;
      while (orient2d(p[lo], p[hi], p[*side], drop) == 0) --drop;
      Loop loop = flat_hull(p, ids, drop);
      std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
      loops.add(loop);
      std::reverse(loop.begin() + 1, loop.end());
      loops.add(loop);
    } else {
      h.dimension = 3;
      std::array<std::uint32_t, 4> simplex{lo, hi, *side, *top};
      if (orient3d(p[lo], p[hi], p[*side], p[*top]) < 0) std::swap(simplex[0], simplex[1]);
      loops = hull_facets(p, ids, simplex, meter);
    }
  }
  join_corners(h, loops);
  for (const std::uint32_t i : h.corners) {
    h.corner_points.push_back(p[i]);
    h.extent = std::max(h.extent, max_norm(minus(p[i], p[h.corners[0]])));
  }
  list_coordinates(h, ids);
  if (h.dimension < 2) return;
  add_facets(h, loops);
  if (h.dimension == 3) join_neighbours(h);
  // flat: the two sides are fans of the same loop, in both directions, joined at their outer edges
  if (h.dimension == 2) {
    const std::uint32_t m = static_cast<std::uint32_t>(loops[0].size()) - 2;
    for (std::uint32_t k = 0; k < m; ++k) h.neighbours.push_back({k > 0 ? k - 1 : 2 * m - 1, 2 * m - 1 - k, k + 1 < m ? k + 1 : m});
    for (std::uint32_t k = 0; k < m; ++k) h.neighbours.push_back({k > 0 ? m + k - 1 : m - 1, m - 1 - k, k + 1 < m ? m + k + 1 : 0});
  }
}

}  // namespace

Hull::Hull(std::span<const Vec3> points, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  if (points.empty()) throw Error(ErrorCode::invalid_shape, "convex: no points, must have at least one");
  if (points.size() > 0xFFFFFFFEull)
    throw Error(ErrorCode::overflow, "convex: " + std::to_string(points.size()) + " points are more than 32-bit numbers reach");
  ProgressMeter meter(progress);
  std::string defects;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % kHullLook == 0) checkpoint();
    if (is_finite(points[i])) continue;
    const std::string bad = non_finite_coordinate(points[i]);
    defects += (defects.empty() ? "" : "; ") + ("convex: point " + std::to_string(i)) + ": " + bad + ", must be finite";
  }
  if (!defects.empty()) throw Error(ErrorCode::invalid_shape, defects);
  auto data = std::make_shared<HullData>();
  resize(data->points, points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % kHullLook == 0) checkpoint();
    data->points[i] = points[i];
    data->bounds.add(points[i]);
  }
  build(*data, meter);
  data_ = std::move(data);
}

Hull::Hull(std::initializer_list<Vec3> points) : Hull(std::span<const Vec3>(points.begin(), points.size())) {}

std::span<const Vec3> Hull::points() const { return data_->points; }
std::span<const std::uint32_t> Hull::corners() const { return data_->corners; }
std::span<const std::array<std::uint32_t, 3>> Hull::triangles() const { return data_->triangles; }
int Hull::dimension() const { return data_->dimension; }

}  // namespace graze
