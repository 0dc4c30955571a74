// Incremental convex hull with exact signs. Points are added in a shuffled order: O(n log n) expected for any arrangement (K. L. Clarkson, P. W. Shor,
// "Applications of random sampling in computational geometry II", 1989). Each outside point is stored with one face that it sees. A point sees a facet only if
// it lies strictly above the facet's plane. Therefore every new facet has an area, and the visible facets form a disc, as if the point had been moved slightly
// inward. Coplanar facets and collinear edges that arise are merged at the end.
#include "shapes/hull_builder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "exact/predicates.hpp"
#include "math/box3.hpp"
#include "math/vec3.hpp"
#include "platform/watch.hpp"

namespace graze {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct Face {
  std::array<std::uint32_t, 3> v;                          // counter-clockwise from outside
  std::array<std::uint32_t, 3> next{kNone, kNone, kNone};  // the face across the edge v[k] -> v[k + 1]
  std::uint32_t outside = kNone;                           // first of the list of points above the face; kNone if there are none
  bool alive = true, seen = false;
  double n0, n1, n2, m0, m1, m2;  // rounded minors of the plane and their magnitudes, for the filter
  double bound;                   // of the filter's error for any of the points; infinite where there is none
};

class Builder {
 public:
  Builder(std::span<const Vec3> points, std::span<const std::uint32_t> ids)
      : points_(points), ids_(ids), next_point_(points.size(), kNone), face_of_(points.size(), kNone), edge_from_(points.size(), kNone) {
    Box3 box;
    for (const Vec3& p : points) box.add(p);
    extent_ = minus(box.hi, box.lo);
  }

  void run(const std::array<std::uint32_t, 4>& s, ProgressMeter& meter) {
    // orient3d(s0, s1, s2, s3) > 0: s3 is above (0, 1, 2), so the face that looks away from it is (0, 2, 1)
    const std::uint32_t a = add({s[0], s[2], s[1]}), b = add({s[0], s[1], s[3]}), c = add({s[1], s[2], s[3]}), d = add({s[2], s[0], s[3]});
    faces_[a].next = {d, c, b};
    faces_[b].next = {a, c, d};
    faces_[c].next = {a, d, b};
    faces_[d].next = {a, b, c};
    std::vector<std::uint32_t> order;
    order.reserve(ids_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (i % kHullLook == 0) checkpoint();
      const std::uint32_t id = ids_[i];
      if (id == s[0] || id == s[1] || id == s[2] || id == s[3]) continue;
      order.push_back(id);
      for (const std::uint32_t f : {a, b, c, d})
        if (above(faces_[f], id)) {
          put(id, f);
          break;
        }
    }
    shuffle(order);
    extremes_first(order);
    meter.begin(order.size());
    for (const std::uint32_t id : order) {
      if (face_of_[id] != kNone) add_point(id);
      meter.add(1);
    }
  }

  FacetLoops facets() const;

 private:
  std::vector<std::uint32_t> merge() const;
  std::uint32_t add(const std::array<std::uint32_t, 3>& v) {
    Face f;
    f.v = v;
    const Vec3 &a = points_[v[0]], &b = points_[v[1]], &c = points_[v[2]];
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double p0 = uy * vz, q0 = uz * vy, p1 = ux * vz, q1 = uz * vx, p2 = ux * vy, q2 = uy * vx;
    f.n0 = p0 - q0, f.n1 = p1 - q1, f.n2 = p2 - q2;
    f.m0 = std::fabs(p0) + std::fabs(q0), f.m1 = std::fabs(p1) + std::fabs(q1), f.m2 = std::fabs(p2) + std::fabs(q2);
    f.bound = bound_of(f, extent_);
    faces_.push_back(f);
    return static_cast<std::uint32_t>(faces_.size() - 1);
  }

  // The greatest error of the height above the face's plane of a point whose coordinates differ by at most `w` from the first corner's.
  static double bound_of(const Face& f, const Vec3& w) {
    const double permanent = (f.m0 * w.x + f.m1 * w.y) + f.m2 * w.z;
    return permanent > 0x1p-900 * (1 + w.x + w.y + w.z) && permanent < 0x1p1000 ? permanent * 0x1.0p-50 : HUGE_VAL;
  }

  // Returns true if the point is strictly above the face. The filter is that of orient3d with precomputed terms of the plane.
  bool above(const Face& f, std::uint32_t id) const {
    const Vec3 &a = points_[f.v[0]], &p = points_[id];
    const double wx = p.x - a.x, wy = p.y - a.y, wz = p.z - a.z;
    const double value = (f.n0 * wx - f.n1 * wy) + f.n2 * wz;
    if (value > f.bound) return true;
    if (value < -f.bound) return false;
    const double bound = bound_of(f, {std::fabs(wx), std::fabs(wy), std::fabs(wz)});
    if (value > bound) return true;
    if (value < -bound) return false;
    return orient3d(a, points_[f.v[1]], points_[f.v[2]], p) > 0;
  }

  void put(std::uint32_t id, std::uint32_t f) {
    next_point_[id] = faces_[f].outside;
    faces_[f].outside = id;
    face_of_[id] = f;
  }

  // Returns a face of the new cone that the point sees, or kNone. Face i joins the eye with the corners i and i + 1 of the horizon. A point that sees neither
  // the first nor the last face lies in their wedge. The planes through the eye, corner 0 and corner j divide that wedge into sectors, sorted by angle. In a
  // sector with non-zero angle the cone is bounded by one face, so O(log n) signs suffice. For a point on the edge from corner 0 through the eye all planes
  // coincide; then all faces are tested.
  std::uint32_t find_face(std::uint32_t id, std::uint32_t eye) const {
    const auto corner = [&](std::size_t i) -> const Vec3& { return points_[faces_[fresh_[i]].v[0]]; };
    const auto side = [&](std::size_t j) { return orient3d(corner(0), corner(j), points_[eye], points_[id]); };  // ascends with j in the wedge
    const auto last = [&](int limit) {  // the last plane j < n - 1 whose side is at most the limit, or 0
      std::size_t lo = 0, hi = fresh_.size() - 1;
      while (hi - lo > 1) {
        const std::size_t middle = (lo + hi) / 2;
        (side(middle) <= limit ? lo : hi) = middle;
      }
      return lo;
    };
    if (fresh_.size() > 8) {
      for (const std::uint32_t f : {fresh_.front(), fresh_.back()})
        if (above(faces_[f], id)) return f;
      std::size_t sector = last(-1);
      if (sector == 0) sector = last(0);  // in the plane of the first face
      if (sector + 2 < fresh_.size() || side(sector) < 0 || side(sector + 1) != 0) return above(faces_[fresh_[sector]], id) ? fresh_[sector] : kNone;
    }
    for (const std::uint32_t f : fresh_)
      if (above(faces_[f], id)) return f;
    return kNone;
  }

  void add_point(std::uint32_t eye) {
    const std::uint32_t start = face_of_[eye];
    visible_.assign(1, start);
    faces_[start].seen = true;
    horizon_.clear();
    std::vector<std::uint32_t>& hidden = hidden_;
    hidden.clear();
    for (std::size_t i = 0; i < visible_.size(); ++i)
      for (std::uint32_t g : faces_[visible_[i]].next) {
        if (faces_[g].seen) continue;
        faces_[g].seen = true;
        if (above(faces_[g], eye))
          visible_.push_back(g);
        else
          hidden.push_back(g);
      }
    for (std::uint32_t g : hidden) faces_[g].seen = false;  // from here on, seen means visible
    for (std::uint32_t f : visible_)
      for (int k = 0; k < 3; ++k)
        if (!faces_[faces_[f].next[k]].seen) {
          edge_from_[faces_[f].v[k]] = static_cast<std::uint32_t>(horizon_.size());
          horizon_.push_back({f, static_cast<std::uint32_t>(k)});
        }
    // one new face per edge of the horizon, in order around the eye
    fresh_.clear();
    std::uint32_t at = 0;
    do {
      const auto [f, k] = horizon_[at];
      const std::uint32_t a = faces_[f].v[k], b = faces_[f].v[(k + 1) % 3], outer = faces_[f].next[k];
      const std::uint32_t g = add({a, b, eye});
      faces_[g].next[0] = outer;
      for (int j = 0; j < 3; ++j)
        if (faces_[outer].next[j] == f && faces_[outer].v[j] == b) faces_[outer].next[j] = g;
      fresh_.push_back(g);
      at = edge_from_[b];
    } while (at != 0 && fresh_.size() <= horizon_.size());
    if (fresh_.size() != horizon_.size()) throw std::logic_error("graze: internal error: the horizon of a hull is not one loop");
    const std::size_t n = fresh_.size();
    for (std::size_t i = 0; i < n; ++i) {
      faces_[fresh_[i]].next[1] = fresh_[(i + 1) % n];
      faces_[fresh_[i]].next[2] = fresh_[(i + n - 1) % n];
    }
    for (std::uint32_t f : visible_) {
      for (std::uint32_t id = faces_[f].outside; id != kNone;) {
        const std::uint32_t following = next_point_[id];
        face_of_[id] = kNone;
        if (++moved_ % kHullLook == 0) checkpoint();
        if (id != eye)
          if (const std::uint32_t g = find_face(id, eye); g != kNone) put(id, g);
        id = following;
      }
      faces_[f].alive = false;
      faces_[f].outside = kNone;
    }
  }

  // Shuffles by a fixed sequence of D. E. Knuth's linear congruential generator. The hull does not depend on the order.
  static void shuffle(std::vector<std::uint32_t>& list) {
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    for (std::size_t i = list.size(); i > 1; --i) {
      if (i % kHullLook == 0) checkpoint();
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(list[i - 1], list[static_cast<std::size_t>((state >> 33) % i)]);
    }
  }

  // Moves the farthest points in 26 directions to the front: where most points are inside, these points eliminate them early. They are few, so the order of the
  // others stays random.
  void extremes_first(std::vector<std::uint32_t>& list) const {
    std::array<double, 26> most;
    std::array<std::size_t, 26> best{};
    most.fill(-HUGE_VAL);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i % kHullLook == 0) checkpoint();
      const Vec3& p = points_[list[i]];
      const double xy = p.x + p.y, yx = p.x - p.y;
      const double heights[13] = {p.x, p.y, p.z, xy, yx, p.x + p.z, p.x - p.z, p.y + p.z, p.y - p.z, xy + p.z, xy - p.z, yx + p.z, yx - p.z};
      for (std::size_t k = 0; k < 13; ++k) {
        if (heights[k] > most[2 * k]) most[2 * k] = heights[k], best[2 * k] = i;
        if (-heights[k] > most[2 * k + 1]) most[2 * k + 1] = -heights[k], best[2 * k + 1] = i;
      }
    }
    std::sort(best.begin(), best.end());
    const auto end = std::unique(best.begin(), best.end());
    for (auto from = best.begin(); from != end && *from < list.size(); ++from) std::swap(list[static_cast<std::size_t>(from - best.begin())], list[*from]);
  }

  struct HorizonEdge {
    std::uint32_t face, k;
  };
  std::span<const Vec3> points_;
  std::span<const std::uint32_t> ids_;
  Vec3 extent_;  // of all points
  std::vector<Face> faces_;
  std::vector<std::uint32_t> next_point_, face_of_, edge_from_, visible_, hidden_, fresh_;
  std::vector<HorizonEdge> horizon_;
  std::size_t moved_ = 0;
};

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// The loops in lexicographic order: sorted by their first points, which are their lowest, by counting; then those that begin at one point.
FacetLoops sorted(const FacetLoops& loops, std::size_t points) {
  std::vector<std::uint32_t> begin(points + 1), order(loops.size());
  for (std::size_t i = 0; i < loops.size(); ++i) ++begin[loops[i][0] + 1];
  for (std::size_t p = 0; p < points; ++p) begin[p + 1] += begin[p];
  std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < loops.size(); ++i) order[at[loops[i][0]]++] = static_cast<std::uint32_t>(i);
  FacetLoops out;
  out.points.reserve(loops.points.size());
  out.begin.reserve(loops.begin.size());
  const auto before = [&, watch = watching().watch](std::uint32_t x, std::uint32_t y) {
    if (watch) count_comparison(*watch);
    return std::ranges::lexicographical_compare(loops[x], loops[y]);
  };
  for (std::size_t p = 0; p < points; ++p) {
    if (p % kHullLook == 0) checkpoint();
    std::sort(order.begin() + begin[p], order.begin() + begin[p + 1], before);
    for (std::uint32_t i = begin[p]; i < begin[p + 1]; ++i) out.add(loops[order[i]]);
  }
  return out;
}

// The facet of each face: the lowest face that lies in one plane with it. Numbers are those of faces.
std::vector<std::uint32_t> Builder::merge() const {
  std::vector<std::uint32_t> parent(faces_.size());
  for (std::uint32_t f = 0; f < parent.size(); ++f) parent[f] = f;
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    if (f % kHullLook == 0) checkpoint();
    if (!faces_[f].alive) continue;
    for (std::uint32_t g : faces_[f].next) {
      if (g < f || root_of(parent, f) == root_of(parent, g)) continue;
      bool flat = true;
      for (std::uint32_t p : faces_[g].v)
        if (p != faces_[f].v[0] && p != faces_[f].v[1] && p != faces_[f].v[2])
          flat = flat && orient3d(points_[faces_[f].v[0]], points_[faces_[f].v[1]], points_[faces_[f].v[2]], points_[p]) == 0;
      if (flat) parent[std::max(root_of(parent, f), root_of(parent, g))] = std::min(root_of(parent, f), root_of(parent, g));
    }
  }
  for (std::uint32_t f = 0; f < parent.size(); ++f) parent[f] = parent[parent[f]];  // a parent is lower than its child
  return parent;
}

// Joins the outer edges of coplanar faces to loops. A point is extreme exactly when three or more facets meet in it: it begins an outer edge of each.
FacetLoops Builder::facets() const {
  using Edge = std::array<std::uint32_t, 2>;  // (from, to)
  const std::vector<std::uint32_t> facet = merge();
  std::vector<std::uint8_t> facets_of(points_.size());
  std::vector<std::uint32_t> begin(faces_.size() + 1);
  std::vector<Edge> edges;
  for (const bool counting : {true, false}) {  // sorts the edges by facet
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      if (f % kHullLook == 0) checkpoint();
      if (!faces_[f].alive) continue;
      for (int k = 0; k < 3; ++k) {
        if (facet[faces_[f].next[k]] == facet[f]) continue;
        const std::uint32_t from = faces_[f].v[k];
        if (counting) {
          ++begin[facet[f]];
          facets_of[from] = static_cast<std::uint8_t>(std::min<int>(facets_of[from] + 1, 3));
        } else {
          edges[--begin[facet[f]]] = {from, faces_[f].v[(k + 1) % 3]};
        }
      }
    }
    if (!counting) break;
    for (std::size_t f = 1; f < begin.size(); ++f) begin[f] += begin[f - 1];
    edges.resize(begin.back());
  }
  FacetLoops loops;
  std::vector<std::uint32_t> loop;
  for (std::size_t f = 0; f + 1 < begin.size(); ++f) {
    if (f % kHullLook == 0) checkpoint();
    const std::span<Edge> of_facet(edges.data() + begin[f], edges.data() + begin[f + 1]);
    if (of_facet.empty()) continue;
    std::sort(of_facet.begin(), of_facet.end());
    std::size_t start = 0;  // the first extreme point is the lowest
    while (facets_of[of_facet[start][0]] < 3) ++start;
    loop.clear();
    std::size_t at = start;
    do {
      if (facets_of[of_facet[at][0]] == 3) loop.push_back(of_facet[at][0]);
      at = static_cast<std::size_t>(std::lower_bound(of_facet.begin(), of_facet.end(), Edge{of_facet[at][1], 0}) - of_facet.begin());
    } while (at != start);
    loops.add(loop);
  }
  return sorted(loops, points_.size());
}

}  // namespace

FacetLoops hull_facets(std::span<const Vec3> points, std::span<const std::uint32_t> ids, const std::array<std::uint32_t, 4>& simplex, ProgressMeter& meter) {
  Builder builder(points, ids);
  builder.run(simplex, meter);
  return builder.facets();
}

}  // namespace graze
