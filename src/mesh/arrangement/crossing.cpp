// Signs of predicates find the names, for corners in doubles and for exact ones. Places are computed in unlimited numbers.
#include "mesh/arrangement/crossing.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "exact/germ_predicates.hpp"
#include "exact/predicates.hpp"

namespace graze {
namespace {

int volume_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return orient3d(a, b, c, d); }
int volume_sign(const V3<Dyadic>& a, const V3<Dyadic>& b, const V3<Dyadic>& c, const V3<Dyadic>& d) { return sign_of(dot(d - a, cross(b - a, c - a))); }
int turn_along(const Vec3& a, const Vec3& b, const Vec3& c, int axis) { return orient2d(a, b, c, axis); }
int turn_along(const V3<Dyadic>& a, const V3<Dyadic>& b, const V3<Dyadic>& c, int axis) {
  const std::size_t i = static_cast<std::size_t>(axis + 1) % 3, j = static_cast<std::size_t>(axis + 2) % 3;
  return sign_of((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]));
}
/// Sign of (a - p) . (b - p).
int dot_sign_at(const Vec3& p, const Vec3& a, const Vec3& b) { return dot_sign(p, a, p, b); }
int dot_sign_at(const V3<Dyadic>& p, const V3<Dyadic>& a, const V3<Dyadic>& b) { return sign_of(dot(a - p, b - p)); }
bool coincide(const Vec3& a, const Vec3& b) { return a == b; }
bool coincide(const V3<Dyadic>& a, const V3<Dyadic>& b) { return is_zero(a - b); }
const V3<Dyadic>& exact(const V3<Dyadic>& p) { return p; }
using graze::exact;

/// Whether the boxes of two edges do not meet.
bool certainly_apart(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  for (int i = 0; i < 3; ++i)
    if (std::max(p0[i], p1[i]) < std::min(q0[i], q1[i]) || std::max(q0[i], q1[i]) < std::min(p0[i], p1[i])) return true;
  return false;
}
bool certainly_apart(const V3<Dyadic>&, const V3<Dyadic>&, const V3<Dyadic>&, const V3<Dyadic>&) { return false; }

/// An axis along which the triangle is seen with an area, and the sign of that; none where it has no area.
template <class P>
std::optional<std::pair<int, int>> seen_with_area(const std::array<P, 3>& t) {
  for (int axis = 0; axis < 3; ++axis)
    if (const int turn = turn_along(t[0], t[1], t[2], axis)) return std::pair(axis, turn);
  return std::nullopt;
}

/// Where in the triangle, in whose plane it lies, a point is.
template <class P>
std::optional<Feature> located(const P& p, const std::array<P, 3>& t) {
  for (std::uint8_t k = 0; k < 3; ++k)
    if (coincide(p, t[k])) return Feature{Feature::corner, k};
  const auto area = seen_with_area(t);
  Feature found;
  for (std::uint8_t k = 0; k < 3; ++k) {
    const P &from = t[k], &to = t[(k + 1u) % 3];
    if (area) {
      const int side = turn_along(from, to, p, area->first) * area->second;
      if (side < 0) return std::nullopt;
      if (side == 0) found = {Feature::edge, k};
    } else if (dot_sign_at(p, from, to) < 0) {
      bool on = true;
      for (int axis = 0; axis < 3; ++axis) on = on && turn_along(from, to, p, axis) == 0;
      if (on) return Feature{Feature::edge, k};
    }
  }
  return area ? std::optional(found) : std::nullopt;
}

/// Whether two edges in one plane cross between their ends.
template <class P>
bool edges_cross(const P& p0, const P& p1, const P& q0, const P& q1) {
  if (certainly_apart(p0, p1, q0, q1)) return false;
  if (coincide(p0, q0) || coincide(p0, q1) || coincide(p1, q0) || coincide(p1, q1) || volume_sign(p0, p1, q0, q1) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {  // the first along which they are not seen on one line
    const int s = turn_along(p0, p1, q0, axis), t = turn_along(p0, p1, q1, axis);
    if (s != 0 || t != 0) return s == -t && turn_along(q0, q1, p0, axis) * turn_along(q0, q1, p1, axis) < 0;
  }
  return false;
}

NamedPoint swapped(const NamedPoint& p) { return {p.b, p.a}; }

template <class P>
class Finder {
 public:
  using Corners = std::array<P, 3>;
  Finder(const Corners& a, const Corners& b) : corners_{&a, &b} {}

  Crossing operator()(Points points) {
    bool both[2], none[2];
    for (int of = 0; of < 2; ++of) {
      const Corners &own = *corners_[of], &plane = *corners_[1 - of];
      bool above = false, below = false;
      for (std::size_t k = 0; k < 3; ++k) {
        const int side = volume_sign(plane[0], plane[1], plane[2], own[k]);
        above = above || side > 0;
        below = below || side < 0;
        side_[of][k] = side;
      }
      both[of] = above && below;
      none[of] = !above && !below;
      if (points == Points::on_edges_if_straddling && !both[of]) return found_;
      if ((above || below) && side_[of][0] == side_[of][1] && side_[of][1] == side_[of][2]) return found_;
    }
    found_.straddle = both[0] && both[1];
    found_.coplanar = none[0] && none[1];
    for (int of = 0; of < 2 && points == Points::all; ++of)
      for (std::uint8_t k = 0; k < 3; ++k)
        if (side_[of][k] == 0)
          if (const auto at = located((*corners_[of])[k], *corners_[1 - of])) add(of, {{Feature::corner, k}, *at});
    for (int of = 0; of < 2; ++of)
      for (std::uint8_t k = 0; k < 3; ++k) {
        const int from = side_[of][k], to = side_[of][(k + 1u) % 3];
        if (from * to < 0) pierce(of, k);
        if (of == 0 && from == 0 && to == 0) cross_in_plane(k);
      }
    return found_;
  }

 private:
  /// `of`: the triangle whose feature is named first.
  void add(int of, const NamedPoint& p) {
    const NamedPoint named = of == 0 ? p : swapped(p);
    if (std::ranges::find(found_.points(), named) == found_.points().end()) found_.point[found_.count++] = named;
  }
  const P& corner(int of, std::size_t k) const { return (*corners_[of])[k % 3]; }

  /// Edge k goes from one side of the other triangle's plane to the other.
  void pierce(int of, std::uint8_t k) {
    int side[3], sign = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      side[j] = volume_sign(corner(of, k), corner(of, k + 1u), corner(1 - of, j), corner(1 - of, j + 1u));
      if (side[j] != 0 && side[j] == -sign) return;
      if (side[j] != 0) sign = side[j];
    }
    Feature at;
    for (std::uint8_t j = 0; j < 3; ++j)
      if (side[j] == 0) at = side[(j + 2u) % 3] == 0 ? Feature{Feature::corner, j} : at.kind == Feature::corner ? at : Feature{Feature::edge, j};
    add(of, {{Feature::edge, k}, at});
  }

  void cross_in_plane(std::uint8_t k) {
    for (std::uint8_t j = 0; j < 3; ++j)
      if (edges_cross(corner(0, k), corner(0, k + 1u), corner(1, j), corner(1, j + 1u))) add(0, {{Feature::edge, k}, {Feature::edge, j}});
  }

  const Corners* corners_[2];
  int side_[2][3];
  Crossing found_;
};

/// A plane in exact numbers; its normal is not of unit length.
struct ExactPlane {
  V3<Dyadic> normal;
  Dyadic offset;
  template <class T>
  explicit ExactPlane(const T& t) {
    const V3<Dyadic> p = exact(t.points[0]);
    normal = cross(exact(t.points[1]) - p, exact(t.points[2]) - p);
    offset = dot(p, normal);
  }
  Dyadic height(const V3<Dyadic>& p) const { return dot(p, normal) - offset; }
};

ExactPoint quotient(const V3<Dyadic>& p, const Dyadic& scale) { return sign_of(scale) < 0 ? ExactPoint{-p, -scale} : ExactPoint{p, scale}; }

template <class T>
ExactPoint place(const NamedPoint& p, const T& a, const T& b) {
  const auto end = [](const T& t, std::size_t k) { return exact(t.points[k % 3]); };
  if (p.a.kind == Feature::corner) return {end(a, p.a.index)};
  if (p.b.kind == Feature::corner) return {end(b, p.b.index)};
  if (p.a.kind == Feature::inside) return place(swapped(p), b, a);
  const V3<Dyadic> u = end(a, p.a.index), w = end(a, p.a.index + 1u);
  if (p.b.kind == Feature::inside) {
    const ExactPlane plane(b);
    const Dyadic hu = plane.height(u), hw = plane.height(w);
    return quotient(hu * w - hw * u, hu - hw);
  }
  const V3<Dyadic> d = w - u, q = end(b, p.b.index), e = end(b, p.b.index + 1u) - q, n = cross(d, e);
  const Dyadic s = dot(cross(q - u, e), n);  // u + (s / n^2) d
  return {dot(n, n) * u + s * d, dot(n, n)};
}

/// Sorts the corners of a convex polygon around its first one.
template <class T>
void sort_around(Crossing& c, const T& a, const T& b) {
  if (!c.coplanar || c.count < 4) return;
  const auto area = seen_with_area(a.points);
  if (!area) return;
  std::array<V3<Dyadic>, 15> from_first;
  std::array<std::uint8_t, 15> order;
  const ExactPoint first = place(c.point[0], a, b);
  for (std::uint8_t k = 0; k < c.count; ++k) {
    const ExactPoint p = place(c.point[k], a, b);
    from_first[k] = first.scale * p.at - p.scale * first.at;
    order[k] = k;
  }
  const V3<Dyadic> origin{};
  std::sort(order.begin() + 1, order.begin() + c.count,
            [&](std::uint8_t x, std::uint8_t y) { return turn_along(origin, from_first[x], from_first[y], area->first) > 0; });
  const auto unsorted = c.point;
  for (std::uint8_t k = 0; k < c.count; ++k) c.point[k] = unsorted[order[k]];
}

template <class T>
Crossing crossing_of(const T& a, const T& b, Points points) {
  Crossing c = Finder(a.points, b.points)(points);
  if (points == Points::all) sort_around(c, a, b);
  return c;
}

template <class T>
std::optional<ExactPoint> common_to(const T& r, const T& s, const T& t) {
  const ExactPlane a(r), b(s), c(t);
  const V3<Dyadic> bc = cross(b.normal, c.normal);
  const Dyadic det = dot(a.normal, bc);
  if (sign_of(det) == 0) return std::nullopt;
  const ExactPoint at = quotient(a.offset * bc + b.offset * cross(c.normal, a.normal) + c.offset * cross(a.normal, b.normal), det);
  return triangle_contains(r, at) && triangle_contains(s, at) && triangle_contains(t, at) ? std::optional(at) : std::nullopt;
}

}  // namespace

Crossing crossing(const Triangle& a, const Triangle& b, Points points) { return crossing_of(a, b, points); }
Crossing crossing(const ExactTriangle& a, const ExactTriangle& b, Points points) { return crossing_of(a, b, points); }
ExactPoint exact_point(const NamedPoint& p, const Triangle& a, const Triangle& b) { return place(p, a, b); }
ExactPoint exact_point(const NamedPoint& p, const ExactTriangle& a, const ExactTriangle& b) { return place(p, a, b); }
std::optional<ExactPoint> common_point(const Triangle& r, const Triangle& s, const Triangle& t) { return common_to(r, s, t); }
std::optional<ExactPoint> common_point(const ExactTriangle& r, const ExactTriangle& s, const ExactTriangle& t) { return common_to(r, s, t); }

}  // namespace graze
