// Signs of predicates find where there is a point; only then it is computed, in unlimited numbers.
#include "mesh/queries/meeting_points.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "exact/predicates.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze {
namespace {

// Signs for corners in doubles and for exact ones.
int side_of(const std::array<Vec3, 3>& t, const Vec3& p) { return orient3d(t[0], t[1], t[2], p); }
int side_of(const std::array<V3<Dyadic>, 3>& t, const V3<Dyadic>& p) { return sign_of(dot(p - t[0], cross(t[1] - t[0], t[2] - t[0]))); }
int turn_along(const Vec3& a, const Vec3& b, const Vec3& c, int axis) { return orient2d(a, b, c, axis); }
int turn_along(const V3<Dyadic>& a, const V3<Dyadic>& b, const V3<Dyadic>& c, int axis) {
  const std::size_t i = static_cast<std::size_t>(axis + 1) % 3, j = static_cast<std::size_t>(axis + 2) % 3;
  return sign_of((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]));
}
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

/// Where the edge pierces the triangle: from one side of its plane to the other, at a point of the triangle.
template <class P, class T>
std::optional<ExactPoint> piercing(const P& p, const P& q, const T& t) {
  const int sp = side_of(t.points, p);
  if (sp == 0 || side_of(t.points, q) != -sp) return std::nullopt;
  const ExactPlane plane(t);
  const V3<Dyadic> u = exact(p), w = exact(q);
  const Dyadic hu = plane.height(u), hw = plane.height(w);
  const ExactPoint at = quotient(hu * w - hw * u, hu - hw);
  return triangle_contains(t, at) ? std::optional(at) : std::nullopt;
}

/// Whether the interiors of two edges of one plane cross.
template <class P>
bool edges_cross(const P& p0, const P& p1, const P& q0, const P& q1) {
  if (certainly_apart(p0, p1, q0, q1)) return false;
  if (coincide(p0, q0) || coincide(p0, q1) || coincide(p1, q0) || coincide(p1, q1) || side_of({p0, p1, q0}, q1) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {  // the first along which they are not seen on one line
    const int s = turn_along(p0, p1, q0, axis), t = turn_along(p0, p1, q1, axis);
    if (s != 0 || t != 0) return s == -t && turn_along(q0, q1, p0, axis) * turn_along(q0, q1, p1, axis) < 0;
  }
  return false;
}

template <class P>
std::optional<ExactPoint> crossing_of(const P& p0, const P& p1, const P& q0, const P& q1) {
  if (!edges_cross(p0, p1, q0, q1)) return std::nullopt;
  const V3<Dyadic> p = exact(p0), d = exact(p1) - p, e = exact(q1) - exact(q0), n = cross(d, e);
  const Dyadic s = dot(cross(exact(q0) - p, e), n);  // p + (s / n^2) d
  return ExactPoint{dot(n, n) * p + s * d, dot(n, n)};
}

/// The common point of three triangles whose planes meet in one point.
template <class R, class S, class T>
std::optional<ExactPoint> common_point(const R& r, const S& s, const T& t) {
  const ExactPlane a(r), b(s), c(t);
  const V3<Dyadic> bc = cross(b.normal, c.normal);
  const Dyadic det = dot(a.normal, bc);
  if (sign_of(det) == 0) return std::nullopt;
  const ExactPoint at = quotient(a.offset * bc + b.offset * cross(c.normal, a.normal) + c.offset * cross(a.normal, b.normal), det);
  return triangle_contains(r, at) && triangle_contains(s, at) && triangle_contains(t, at) ? std::optional(at) : std::nullopt;
}

template <class T>
void find_meeting(MeetingPoints& places, const T& s, const T& t) {
  const auto add_any = [&](const std::optional<ExactPoint>& v) {
    if (v) places.add(*v);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const auto &p = s.points[i], &q = s.points[(i + 1) % 3];
    add_any(piercing(p, q, t));
    add_any(piercing(t.points[i], t.points[(i + 1) % 3], s));
    for (std::size_t j = 0; j < 3; ++j) add_any(crossing_of(p, q, t.points[j], t.points[(j + 1) % 3]));
  }
}

}  // namespace

namespace {

template <class T>
bool has_both_sides(const T& plane, const T& t) {
  bool above = false, below = false;
  for (const auto& p : t.points) {
    const int side = side_of(plane.points, p);
    above = above || side > 0;
    below = below || side < 0;
  }
  return above && below;
}

}  // namespace

bool straddle(const Triangle& s, const Triangle& t) { return has_both_sides(s, t) && has_both_sides(t, s); }
bool straddle(const ExactTriangle& s, const ExactTriangle& t) { return has_both_sides(s, t) && has_both_sides(t, s); }

ExactTriangle exact(const Triangle& t) { return {{graze::exact(t.points[0]), graze::exact(t.points[1]), graze::exact(t.points[2])}, leaf::box_of(t)}; }

void MeetingPoints::add(const Vec3& v) {
  if (known_.insert(v).second) vertices.push_back(v);
}

void MeetingPoints::add(const ExactPoint& v) {
  const Box3 box = box_of(v);
  if (box.lo == box.hi) return add(box.lo);
  std::vector<ExactPoint>& same = known_points_[box.lo];  // rarely more than one
  if (std::any_of(same.begin(), same.end(), [&](const ExactPoint& w) { return is_zero(v.scale * w.at - w.scale * v.at); })) return;
  same.push_back(v);
  points.push_back(v);
}

void MeetingPoints::add_meeting(const Triangle& s, const Triangle& t) { find_meeting(*this, s, t); }
void MeetingPoints::add_meeting(const ExactTriangle& s, const ExactTriangle& t) { find_meeting(*this, s, t); }

void MeetingPoints::add_common(const Triangle& r, const Triangle& s, const Triangle& t) {
  if (const auto v = common_point(r, s, t)) add(*v);
}
void MeetingPoints::add_common(const ExactTriangle& r, const ExactTriangle& s, const ExactTriangle& t) {
  if (const auto v = common_point(r, s, t)) add(*v);
}

}  // namespace graze
