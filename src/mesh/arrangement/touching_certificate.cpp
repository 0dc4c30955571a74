// The certificate of solids that only touch. Exact: every sign is that of a predicate. The words (layer, side) are those of docs/derivations/touching.md.
#include "mesh/arrangement/touching_certificate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "exact/predicates.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "pairs/detail/flat.hpp"
#include "pairs/triangle_triangle.hpp"
#include "platform/expects.hpp"

namespace graze {
namespace {

// Sides of a triangle's plane, by its normal.
enum HalfSpaces : std::uint8_t { none = 0, below = 1, above = 2, both = 3 };

// A triangle that touches the other surface.
struct Touching {
  std::uint32_t number;                   // in its mesh
  std::array<std::uint32_t, 3> vertices;  // by equal coordinates before placing
  Triangle triangle;
  int drop = -1;                                       // an axis along which it has area
  int turn = 0;                                        // its orientation along that axis
  std::uint8_t layers = both;                          // the sides on which no triangle of the other surface lies near the inside of this one
  bool inside_touches = false;                         // whether a point of the other surface lies inside the triangle, off its edges
  std::array<bool, 3> on_other{};                      // whether the corner is on the other surface
  std::array<std::uint8_t, 3> free{both, both, both};  // the sides on which no triangle of the other surface lies near the corner
  std::uint32_t group = 0;                             // triangles joined by corners that are not on the other surface
  bool outside = false;                                // whether its points off the other surface are outside the other solid

  std::uint8_t layer() const { return layers & below ? below : above; }
};

// Two triangles in one plane with a common area.
struct Flush {
  std::uint32_t s, t;  // positions in the lists
  bool same_turn;
};

std::array<int, 3> signs(const Triangle& plane, const Triangle& corners) {
  const auto& p = plane.points;
  return {orient3d(p[0], p[1], p[2], corners.points[0]), orient3d(p[0], p[1], p[2], corners.points[1]), orient3d(p[0], p[1], p[2], corners.points[2])};
}

// The sides of the plane to which corners with these signs are confined, the plane included.
std::uint8_t sides_of(const std::array<int, 3>& s) {
  const int lowest = std::min({s[0], s[1], s[2]}), highest = std::max({s[0], s[1], s[2]});
  return static_cast<std::uint8_t>((highest <= 0 ? below : none) | (lowest >= 0 ? above : none));
}
constexpr std::uint8_t opposite(std::uint8_t sides) { return static_cast<std::uint8_t>((sides & below ? above : none) | (sides & above ? below : none)); }

// Whether an edge of s separates two triangles of one plane, which then have no common area.
bool separated_by_edge(const Touching& s, const Touching& t) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 &p = s.triangle.points[k], &q = s.triangle.points[(k + 1) % 3];
    bool apart = true;
    for (const Vec3& corner : t.triangle.points) apart = apart && orient2d(p, q, corner, s.drop) * s.turn <= 0;
    if (apart) return true;
  }
  return false;
}

// Whether a corner or an edge of t that lies in the plane of s misses the inside of s. `of_t` are the signs of the corners of t, one or two of them 0.
bool misses_inside(const Touching& s, const Triangle& t, const std::array<int, 3>& of_t) {
  std::array<Vec3, 2> ends;
  std::size_t n = 0;
  for (std::size_t k = 0; k < 3; ++k)
    if (of_t[k] == 0) ends[n++] = t.points[static_cast<int>(k)];
  GRAZE_EXPECTS(n == 1 || n == 2);
  if (n == 1) ends[1] = ends[0];
  const auto& p = s.triangle.points;
  for (int k = 0; k < 3; ++k) {
    if (orient2d(p[k], p[(k + 1) % 3], ends[0], s.drop) * s.turn <= 0 && orient2d(p[k], p[(k + 1) % 3], ends[1], s.drop) * s.turn <= 0) return true;
  }
  const std::array<int, 3> of_s = {orient2d(ends[0], ends[1], p[0], s.drop), orient2d(ends[0], ends[1], p[1], s.drop),
                                   orient2d(ends[0], ends[1], p[2], s.drop)};
  return n == 2 && sides_of(of_s) != none;
}

class Certificate {
 public:
  Certificate(const MeshView& a, const MeshView& b) : views_{&a, &b} {}

  bool operator()(const std::vector<TrianglePair>& pairs) {
    if (pairs.empty()) return false;
    for (int side = 0; side < 2; ++side)
      if (!collect(side, pairs)) return false;
    for (const TrianglePair& p : pairs)
      if (!add_pair(p)) return false;
    for (const Flush& f : flush_) {  // else points on one side of both may be inside of both
      const Touching &s = lists_[0][f.s], &t = lists_[1][f.t];
      if ((s.layer() == t.layer()) == f.same_turn) return false;
    }
    return is_outside(0) && is_outside(1);
  }

 private:
  using List = std::vector<Touching>;

  static Touching& find(List& list, std::uint32_t number) {
    return *std::lower_bound(list.begin(), list.end(), number, [](const Touching& t, std::uint32_t n) { return t.number < n; });
  }

  bool collect(int side, const std::vector<TrianglePair>& pairs) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(pairs.size());
    for (const TrianglePair& p : pairs) numbers.push_back(side == 0 ? p.a : p.b);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const MeshView& view = *views_[side];
    const std::vector<std::uint32_t>& canonical = view.mesh->canonical();
    List& list = lists_[side];
    list.reserve(numbers.size());
    for (const std::uint32_t n : numbers) {
      Touching t;
      t.number = n;
      t.triangle = view.triangle(n);
      for (std::size_t k = 0; k < 3; ++k) t.vertices[k] = canonical[view.mesh->triangles[n][k]];
      for (int drop = 0; drop < 3 && t.turn == 0; ++drop) {
        t.turn = orient2d(t.triangle.points[0], t.triangle.points[1], t.triangle.points[2], drop);
        t.drop = drop;
      }
      if (t.turn == 0) return false;  // no area, so no plane
      list.push_back(t);
    }
    return true;
  }

  bool add_pair(const TrianglePair& p) {
    Touching &s = find(lists_[0], p.a), &t = find(lists_[1], p.b);
    const std::array<int, 3> of_t = signs(s.triangle, t.triangle), of_s = signs(t.triangle, s.triangle);
    const bool one_plane = sides_of(of_t) == both;
    const bool flush = one_plane && !separated_by_edge(s, t) && !separated_by_edge(t, s);
    if (flush) {
      const int turn = orient2d(t.triangle.points[0], t.triangle.points[1], t.triangle.points[2], s.drop);
      flush_.push_back({static_cast<std::uint32_t>(&s - lists_[0].data()), static_cast<std::uint32_t>(&t - lists_[1].data()), turn == s.turn});
    }
    return add(s, of_s, t, of_t, one_plane, flush) && add(t, of_t, s, of_s, one_plane, flush);
  }

  // Records what the partner's place says about s: `of_s` are the signs of its corners at the partner's plane, `of_partner` the other way round.
  static bool add(Touching& s, const std::array<int, 3>& of_s, const Touching& partner, const std::array<int, 3>& of_partner, bool one_plane, bool flush) {
    const std::uint8_t free = opposite(sides_of(of_partner));
    for (int k = 0; k < 3; ++k) {
      const auto corner = static_cast<std::size_t>(k);
      if (of_s[corner] != 0 || !flat::planar_triangle_contains(partner.triangle, partner.drop, s.triangle.points[k])) continue;
      s.on_other[corner] = true;
      s.free[corner] &= free;
    }
    if (one_plane ? !flush : meets_edges_only(s, of_s, partner, of_partner)) return true;
    s.inside_touches = true;
    s.layers &= free;
    return s.layers != none;
  }

  // Whether the partner, in another plane, meets s in edges and corners of s alone.
  static bool meets_edges_only(const Touching& s, const std::array<int, 3>& of_s, const Touching& partner, const std::array<int, 3>& of_partner) {
    if (sides_of(of_s) != none) return true;
    if (sides_of(of_partner) != none) return misses_inside(s, partner.triangle, of_partner);
    return !triangles_cross(s.triangle, partner.triangle);
  }

  // Whether all points of one surface that are not on the other are outside the other solid, and there are some.
  bool is_outside(int side) {
    List& list = lists_[side];
    const MeshView &view = *views_[side], &other = *views_[1 - side];
    if (!join(list) || !decide_groups(list, other) || !spread(list)) return false;
    const std::vector<std::uint32_t>& components = view.mesh->component_triangles();
    if (components.size() == 1) return true;  // that of the triangles that touch
    return std::none_of(components.begin(), components.end(), [&](std::uint32_t c) {
      const Vec3 corner = view.triangle(c).points[0];
      return solid_contains(other, corner) && !intersects(other, convex_point(corner));
    });
  }

  struct Corner {
    std::uint32_t vertex, triangle;
    std::uint8_t k;
    bool operator<(const Corner& c) const { return vertex != c.vertex ? vertex < c.vertex : triangle < c.triangle; }
  };

  // Lists the corners by vertex, and joins triangles into groups. Returns false if every corner is on the other surface.
  bool join(List& list) {
    corners_.clear();
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      list[i].group = i;
      for (std::uint8_t k = 0; k < 3; ++k) corners_.push_back({list[i].vertices[k], i, k});
    }
    std::sort(corners_.begin(), corners_.end());
    bool any = false;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      if (list[corners_[i].triangle].on_other[corners_[i].k]) continue;
      any = true;
      if (i > 0 && corners_[i - 1].vertex == corners_[i].vertex) unite(list, corners_[i - 1].triangle, corners_[i].triangle);
    }
    return any;
  }
  static std::uint32_t root(List& list, std::uint32_t i) {
    while (list[i].group != i) i = list[i].group = list[list[i].group].group;
    return i;
  }
  static void unite(List& list, std::uint32_t i, std::uint32_t j) {
    i = root(list, i), j = root(list, j);
    list[std::max(i, j)].group = std::min(i, j);
  }

  // Tests one corner of each group that is not on the other surface.
  static bool decide_groups(List& list, const MeshView& other) {
    std::vector<bool> tested(list.size(), false);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      const std::uint32_t group = root(list, i);
      if (tested[group]) continue;
      for (int k = 0; k < 3; ++k) {
        if (list[i].on_other[static_cast<std::size_t>(k)]) continue;
        if (solid_contains(other, list[i].triangle.points[k])) return false;
        tested[group] = true;
        break;
      }
    }
    for (std::uint32_t i = 0; i < list.size(); ++i) list[i].outside = tested[root(list, i)];
    return true;
  }

  // Goes on from triangles known to be outside to those whose corners are all on the other surface. Each pass decides one more, or it is the last.
  bool spread(List& list) const {
    for (bool more = true; more;) {
      more = false;
      bool all = true;
      for (Touching& s : list) {
        if (s.outside) continue;
        s.outside = has_outside_neighbour(list, s);
        more = more || s.outside;
        all = all && s.outside;
      }
      if (all) return true;
    }
    return false;
  }

  bool has_outside_neighbour(const List& list, const Touching& s) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint8_t free = s.inside_touches ? s.free[k] & s.layer() : s.free[k];
      if (free == none) continue;
      const Corner first{s.vertices[k], 0, 0};
      for (auto c = std::lower_bound(corners_.begin(), corners_.end(), first); c != corners_.end() && c->vertex == s.vertices[k]; ++c) {
        const Touching& n = list[c->triangle];
        if (n.outside && reaches(s, n, c->k, free)) return true;
      }
    }
    return false;
  }

  // Whether points off the other surface that n shows to be outside, near its corner, lie on one of these sides of the plane of s.
  static bool reaches(const Touching& s, const Touching& n, std::size_t corner, std::uint8_t sides) {
    const auto& p = s.triangle.points;
    const int u = orient3d(p[0], p[1], p[2], n.triangle.points[static_cast<int>((corner + 1) % 3)]);
    const int v = orient3d(p[0], p[1], p[2], n.triangle.points[static_cast<int>((corner + 2) % 3)]);
    if (u == 0 && v == 0) {  // n is in the plane: the points are its own, or those on the side of its layer
      const bool same_turn = orient2d(n.triangle.points[0], n.triangle.points[1], n.triangle.points[2], s.drop) == s.turn;
      return !n.inside_touches || (sides & (same_turn ? n.layer() : opposite(n.layer()))) != 0;
    }
    return ((sides & below) != 0 && std::min(u, v) < 0) || ((sides & above) != 0 && std::max(u, v) > 0);
  }

  const MeshView* views_[2];
  List lists_[2];
  std::vector<Flush> flush_;
  std::vector<Corner> corners_;
};

}  // namespace

bool only_touch(const MeshView& a, const MeshView& b, const std::vector<TrianglePair>& touching) { return Certificate(a, b)(touching); }

}  // namespace graze
