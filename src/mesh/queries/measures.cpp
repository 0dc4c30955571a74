// Sums over triangles. The pairs of doubles require coordinates of moderate size; their running bounds decide whether a result is good enough.
#include "mesh/queries/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "exact/fine.hpp"
#include "exact/integer_root.hpp"
#include "math/disjoint_sets.hpp"
#include "math/limits.hpp"
#include "mesh/edges.hpp"
#include "mesh/polygon_rules.hpp"
#include "mesh/queries/axis_ray.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/winding.hpp"
#include "pairs/point_triangle.hpp"
#include "platform/parallel.hpp"

namespace graze {

namespace {

constexpr std::size_t kTrianglesAtOnce = 1024;  // a choice

template <class N>
V3<N> measured(const Vec3& p) {
  return {N(p.x), N(p.y), N(p.z)};
}

/// What the pairs of doubles need: all coordinates moderate. Also the greatest of them.
struct Magnitude {
  bool moderate = true;
  double largest = 0;
};
Magnitude magnitude_of(const TriangleList& triangles) {
  return parallel_reduce(
      triangles.size(), kTrianglesAtOnce, Magnitude{},
      [&](std::size_t begin, std::size_t end) {
        Magnitude m;
        for (std::size_t i = begin; i < end; ++i)
          for (const Vec3& p : triangles[i].points) {
            m.moderate = m.moderate && moderate(p);
            for (int k = 0; k < 3; ++k) m.largest = std::max(m.largest, std::fabs(p[k]));
          }
        return m;
      },
      [](const Magnitude& a, const Magnitude& b) {
        return Magnitude{a.moderate && b.moderate, std::max(a.largest, b.largest)};
      });
}

/// The double nearest to x, if that is certain.
std::optional<double> nearest(const Fine& x) {
  const double h = x.v.hi, l = x.v.lo, e = x.e * (1 + 0x1p-30);
  if (h == 0 && e == 0) return 0;
  if (!(std::fabs(h) > 0x1p-900 && std::fabs(h) < 0x1p900)) return std::nullopt;
  const double up = (next_up(h) - h) / 2, down = (h - next_down(h)) / 2;  // exact
  if ((l + e) * (1 + 0x1p-50) < up && (-l + e) * (1 + 0x1p-50) < down) return h;
  return std::nullopt;
}

/// The double nearest to n / d, for d > 0; not 0 unless n is, and at most the largest double.
double rounded_quotient(const Dyadic& n, const Dyadic& d) {
  const double x = to_double(abs(n.m), d.m, n.e - d.e, Rounding::nearest, true);
  return sign_of(n) < 0 ? -x : x;
}

// ---- volume ------------------------------------------------------------------------------------------------------------------------------

/// Sums over the tetrahedra between a point and the triangles: 6 times the volume, and 24 times the integral of the place relative to that point.
template <class N>
struct VolumeSums {
  N volume{};
  V3<N> moment{};
};

template <class N>
VolumeSums<N> volume_sums(const TriangleList& triangles, std::span<const std::int8_t> signs, bool moments) {
  const V3<N> origin = measured<N>(triangles[0].points[0]);
  return parallel_reduce(
      triangles.size(), kTrianglesAtOnce, VolumeSums<N>{},
      [&](std::size_t begin, std::size_t end) {
        VolumeSums<N> sums;
        for (std::size_t i = begin; i < end; ++i) {
          const int sign = signs.empty() ? 1 : signs[i];
          if (sign == 0) continue;
          const Triangle t = triangles[i];
          V3<N> p[3];
          for (std::size_t k = 0; k < 3; ++k) p[k] = measured<N>(t.points[k]) - origin;
          N volume = dot(p[0], cross(p[1], p[2]));
          if (sign < 0) volume = -volume;
          sums.volume = sums.volume + volume;
          if (moments) sums.moment = sums.moment + volume * (p[0] + p[1] + p[2]);
        }
        return sums;
      },
      [](const VolumeSums<N>& a, const VolumeSums<N>& b) {
        return VolumeSums<N>{a.volume + b.volume, a.moment + b.moment};
      });
}

// ---- area --------------------------------------------------------------------------------------------------------------------------------

Dyadic doubled_area(const Triangle& t, const Dyadic&) {
  const V3<Dyadic> a = exact(t.points[0]), n = cross(exact(t.points[1]) - a, exact(t.points[2]) - a);
  return root(dot(n, n));
}
/// With a relative error below 2^-59.
Fine doubled_area(const Triangle& t, const Fine&) {
  const V3<Fine> a = fine(t.points[0]), n = cross(fine(t.points[1]) - a, fine(t.points[2]) - a);
  if (is_zero(n.x) && is_zero(n.y) && is_zero(n.z)) return {};
  const Fine square = dot(n, n);
  if (sign_of(square) == 1 && square.e < square.v.hi * 0x1p-60) return square_root(square);
  const Dyadic area = doubled_area(t, Dyadic());  // nearly no area
  const double hi = to_double(area), lo = to_double(area - Dyadic(hi));
  return {TwoDouble(hi, lo), hi * 0x1p-98};
}

/// Twice the area, and 6 times the integral of the place relative to a point.
template <class N>
struct AreaSums {
  N area{};
  V3<N> moment{};
};

template <class N>
AreaSums<N> area_sums(const TriangleList& triangles, bool moments) {
  const V3<N> origin = measured<N>(triangles[0].points[0]);
  return parallel_reduce(
      triangles.size(), kTrianglesAtOnce, AreaSums<N>{},
      [&](std::size_t begin, std::size_t end) {
        AreaSums<N> sums;
        for (std::size_t i = begin; i < end; ++i) {
          const Triangle t = triangles[i];
          const N area = doubled_area(t, N{});
          sums.area = sums.area + area;
          if (moments)
            for (const Vec3& p : t.points) sums.moment = sums.moment + area * (measured<N>(p) - origin);
        }
        return sums;
      },
      [](const AreaSums<N>& a, const AreaSums<N>& b) {
        return AreaSums<N>{a.area + b.area, a.moment + b.moment};
      });
}

// ---- centroids ---------------------------------------------------------------------------------------------------------------------------

/// origin + moment / (scale * measure), within 2^-54 of `largest` before the last rounding, if the bounds prove that.
std::optional<Vec3> centroid_in_pairs(const Vec3& origin, const V3<Fine>& moment, const Fine& measure, double scale, double largest) {
  const int sign = sign_of(measure);
  if (sign != 1 && sign != -1) return std::nullopt;
  Vec3 c;
  for (int k = 0; k < 3; ++k) {
    const Fine x = Fine(origin[k]) + moment[k] / (Fine(scale) * measure);
    if (!(x.e <= largest * 0x1p-56)) return std::nullopt;
    c[k] = std::fabs(x.v.hi) <= x.e ? 0 : x.v.hi;  // as likely 0
  }
  return c;
}

std::optional<Vec3> exact_centroid(const Vec3& origin, const V3<Dyadic>& moment, const Dyadic& measure, double scale) {
  const int sign = sign_of(measure);
  if (sign == 0) return std::nullopt;
  const Dyadic d = Dyadic(sign * scale) * measure;
  Vec3 c;
  for (int k = 0; k < 3; ++k) c[k] = rounded_quotient(Dyadic(origin[k]) * d + Dyadic(sign) * moment[k], d);
  return c;
}

// ---- which triangles bound a solid -----------------------------------------------------------------------------------------------------------

/// The triangles of a mesh in groups, numbered by their lowest triangles.
struct Groups {
  std::vector<std::uint32_t> of;  ///< by triangle
  std::uint32_t count = 0;

  /// `sets` joins triangles, or vertices that stand for their triangles.
  template <class Element>
  Groups(DisjointSets& sets, std::size_t triangles, std::size_t elements, const Element& element) : of(triangles) {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> number(elements, kNone);
    for (std::uint32_t i = 0; i < triangles; ++i) {
      std::uint32_t& n = number[sets.leader(element(i))];
      if (n == kNone) n = count++;
      of[i] = n;
    }
  }
  std::vector<std::vector<std::uint32_t>> members() const {
    std::vector<std::vector<std::uint32_t>> lists(count);
    for (std::uint32_t i = 0; i < of.size(); ++i) lists[of[i]].push_back(i);
    return lists;
  }
};

/// Which triangles touch each triangle beyond shared corners and edges.
class Neighbours {
 public:
  explicit Neighbours(std::span<const TrianglePair> pairs) {
    for (const TrianglePair& p : pairs) both_.insert(both_.end(), {p, {p.b, p.a}});
    std::sort(both_.begin(), both_.end());
  }
  /// Whether a triangle that touches both runs along the edge that they share.
  bool along(const MeshImpl& mesh, const EdgeUse& edge, std::uint32_t s, std::uint32_t t) const {
    if (both_.empty()) return false;
    const auto of_t = of(t);
    for (const TrianglePair& p : of(s))
      if (std::binary_search(of_t.begin(), of_t.end(), TrianglePair{t, p.b}) &&
          runs_along(mesh.triangle(p.b), mesh.vertices[edge.low()], mesh.vertices[edge.high()]))
        return true;
    return false;
  }

 private:
  std::span<const TrianglePair> of(std::uint32_t t) const {
    const auto begin = std::lower_bound(both_.begin(), both_.end(), TrianglePair{t, 0});
    return {begin, std::find_if(begin, both_.end(), [&](const TrianglePair& p) { return p.a != t; })};
  }
  static bool runs_along(const Triangle& t, const Vec3& p, const Vec3& q) {
    for (int k = 0; k < 3; ++k)
      if (all_collinear(std::array{p, q, t.points[k], t.points[(k + 1) % 3]})) return true;
    return false;
  }

  std::vector<TrianglePair> both_;
};

/// Neighbours across an edge where no other triangle with area is: they have the same regions before and behind them.
Groups pieces_of(const MeshImpl& mesh, std::span<const std::uint8_t> flat, const Neighbours& neighbours) {
  DisjointSets sets(mesh.triangles.size());
  std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
  std::erase_if(uses, [&](const EdgeUse& use) { return flat[use.triangle()]; });
  for (std::size_t begin = 0, end; begin < uses.size(); begin = end) {
    for (end = begin; end < uses.size() && uses[end].ends == uses[begin].ends; ++end) {
    }
    const EdgeUse &x = uses[begin], &y = uses[end - 1];
    if (end - begin == 2 && x.forward() != y.forward() && !neighbours.along(mesh, x, x.triangle(), y.triangle())) sets.join(x.triangle(), y.triangle());
  }
  return {sets, mesh.triangles.size(), mesh.triangles.size(), [](std::uint32_t i) { return i; }};
}

/// Triangles that share corners, or touch.
Groups components_of(const MeshImpl& mesh, std::span<const TrianglePair> touching) {
  const std::vector<std::uint32_t>& canonical = mesh.canonical();
  DisjointSets sets(canonical.size());
  for (const TriangleIndices& t : mesh.triangles)
    for (const std::uint32_t v : t) sets.join(canonical[t[0]], canonical[v]);
  for (const TrianglePair& p : touching) sets.join(canonical[mesh.triangles[p.a][0]], canonical[mesh.triangles[p.b][0]]);
  return {sets, mesh.triangles.size(), canonical.size(), [&](std::uint32_t i) { return canonical[mesh.triangles[i][0]]; }};
}

/// The winding number of the other components about a corner of one, which they do not meet.
int winding_of_others(const MeshView& view, const Groups& components, std::uint32_t triangle) {
  const Vec3 p = view.triangle(triangle).points[0];
  const AxisRay way = shortest_way_out(loose_bounds(view), p);
  const Vec3 turned = way.turned(p);
  int winding = 0;
  LocalRay ray(leaf::placed_tree(view), {p, way.direction()});
  for_each_along(view.mesh->tree, ray, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k)
      if (components.of[view.mesh->tree.items()[k]] != components.of[triangle]) winding += winding_crossing(way.turned(leaf::triangle_at(view, k)), turned);
    return false;
  });
  return winding;
}

/// The winding number just in front of a component in one piece. The piece encloses one region, on whose side its own volume tells. Nothing if it has no area.
std::optional<int> front_of_component(const MeshView& view, const Groups& components, std::span<const std::uint32_t> triangles) {
  std::vector<Triangle> own;
  own.reserve(triangles.size());
  for (const std::uint32_t i : triangles) own.push_back(view.triangle(i));
  const double volume = sum_of_volumes(std::span<const Triangle>(own));
  if (volume == 0) return std::nullopt;
  return winding_of_others(view, components, triangles[0]) - (volume < 0 ? 1 : 0);
}

/// The winding number just in front of a triangle; nothing if it has no area.
std::optional<int> winding_in_front(const MeshView& view, const Triangle& t) {
  const V3<Dyadic> a = exact(t.points[0]), b = exact(t.points[1]), c = exact(t.points[2]), normal = cross(b - a, c - a);
  if (is_zero(normal)) return std::nullopt;
  return winding_number(view, {a + b + c, Dyadic(3.0)}, normal);
}

/// From the winding number in front; the one behind is 1 more.
std::int8_t side_of(const std::optional<int>& front) { return !front ? 0 : *front == 0 ? 1 : *front == -1 ? -1 : 0; }

}  // namespace

Dyadic root(const Dyadic& square) {
  if (sign_of(square) == 0) return {};
  int shift = std::max(0, 206 - bit_length(square.m));  // so that the root has at least 102 bits
  shift += (square.e - shift) & 1;
  return {integer_root(square.m << shift), (square.e - shift) / 2};
}

std::vector<std::int8_t> sides_of_boundary(const MeshView& view, std::span<const std::uint8_t> flat, std::span<const TrianglePair> touching) {
  const MeshImpl& mesh = *view.mesh;
  const Groups pieces = pieces_of(mesh, flat, Neighbours(touching));
  const auto flat_ones = static_cast<std::uint32_t>(std::count(flat.begin(), flat.end(), std::uint8_t{1}));  // pieces of their own
  if (pieces.count < 2 + flat_ones) return {};
  const Groups components = components_of(mesh, touching);
  const std::vector<std::vector<std::uint32_t>> in_piece = pieces.members(), in_component = components.members();
  std::vector<std::int8_t> side(pieces.count);
  parallel_for(in_component.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t first = in_component[k][0], piece = pieces.of[first];
      if (in_piece[piece].size() == in_component[k].size()) side[piece] = side_of(front_of_component(view, components, in_component[k]));
    }
  });
  parallel_for(in_piece.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (flat[in_piece[k][0]] || in_piece[k].size() == in_component[components.of[in_piece[k][0]]].size()) continue;
      std::optional<int> front;
      for (std::size_t j = 0; j < in_piece[k].size() && !front; ++j) front = winding_in_front(view, view.triangle(in_piece[k][j]));
      side[k] = side_of(front);
    }
  });
  const std::optional<MeshView> seams = view.placed_seams();
  std::vector<std::int8_t> sides(mesh.triangles.size() + (seams ? seams->mesh->triangles.size() : 0));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) sides[i] = side[pieces.of[i]];
  const TriangleList all(view);
  parallel_for(sides.size(), 64, [&](std::size_t begin, std::size_t end) {  // what has no area but for rounding
    for (std::size_t i = begin; i < end; ++i)
      if (i >= flat.size() || flat[i]) sides[i] = side_of(winding_in_front(view, all[i]));
  });
  return sides;
}

double sum_of_volumes(const TriangleList& triangles, std::span<const std::int8_t> signs) {
  if (triangles.size() == 0) return 0;
  if (magnitude_of(triangles).moderate) {
    const Fine six = volume_sums<Fine>(triangles, signs, false).volume;
    if (is_zero(six)) return 0;
    if (const std::optional<double> x = nearest(six / Fine(6))) return *x;
  }
  return rounded_quotient(volume_sums<Dyadic>(triangles, signs, false).volume, Dyadic(6.0));
}

std::optional<Vec3> centroid_of_volume(const TriangleList& triangles, std::span<const std::int8_t> signs) {
  if (triangles.size() == 0) return std::nullopt;
  const Vec3 origin = triangles[0].points[0];
  if (const Magnitude m = magnitude_of(triangles); m.moderate) {
    const VolumeSums<Fine> sums = volume_sums<Fine>(triangles, signs, true);
    if (is_zero(sums.volume)) return std::nullopt;
    if (const auto c = centroid_in_pairs(origin, sums.moment, sums.volume, 4, m.largest)) return c;
  }
  const VolumeSums<Dyadic> sums = volume_sums<Dyadic>(triangles, signs, true);
  return exact_centroid(origin, sums.moment, sums.volume, 4);
}

double sum_of_areas(const TriangleList& triangles) {
  if (triangles.size() == 0) return 0;
  // All terms are positive, so that their relative errors, below 2^-59, are also those of the sum; it is rounded once more.
  if (magnitude_of(triangles).moderate) return area_sums<Fine>(triangles, false).area.v.hi / 2;
  return rounded_quotient(area_sums<Dyadic>(triangles, false).area, Dyadic(2.0));
}

std::optional<Vec3> centroid_of_area(const TriangleList& triangles) {
  if (triangles.size() == 0) return std::nullopt;
  const Vec3 origin = triangles[0].points[0];
  if (const Magnitude m = magnitude_of(triangles); m.moderate) {
    const AreaSums<Fine> sums = area_sums<Fine>(triangles, true);
    if (is_zero(sums.area)) return std::nullopt;
    if (const auto c = centroid_in_pairs(origin, sums.moment, sums.area, 3, m.largest)) return c;
  }
  const AreaSums<Dyadic> sums = area_sums<Dyadic>(triangles, true);
  return exact_centroid(origin, sums.moment, sums.area, 3);
}

}  // namespace graze
