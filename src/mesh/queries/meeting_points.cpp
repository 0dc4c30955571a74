// Signs of predicates find where there is a point; only then it is computed, in unlimited numbers.
#include "mesh/queries/meeting_points.hpp"

#include <algorithm>

#include "exact/predicates.hpp"

namespace graze {
namespace {

/// A plane in exact numbers; its normal is not of unit length.
struct ExactPlane {
  V3<Dyadic> normal;
  Dyadic offset;
  explicit ExactPlane(const Triangle& t) {
    const V3<Dyadic> p = exact(t.points[0]);
    normal = cross(exact(t.points[1]) - p, exact(t.points[2]) - p);
    offset = dot(p, normal);
  }
  Dyadic height(const V3<Dyadic>& p) const { return dot(p, normal) - offset; }
};

ExactPoint quotient(const V3<Dyadic>& p, const Dyadic& scale) { return sign_of(scale) < 0 ? ExactPoint{-p, -scale} : ExactPoint{p, scale}; }

/// Where the edge pierces the triangle: from one side of its plane to the other, at a point of the triangle.
std::optional<ExactPoint> piercing(const Vec3& p, const Vec3& q, const Triangle& t) {
  const int sp = orient3d(t.points[0], t.points[1], t.points[2], p);
  if (sp == 0 || orient3d(t.points[0], t.points[1], t.points[2], q) != -sp) return std::nullopt;
  const ExactPlane plane(t);
  const V3<Dyadic> u = exact(p), w = exact(q);
  const Dyadic hu = plane.height(u), hw = plane.height(w);
  const ExactPoint at = quotient(hu * w - hw * u, hu - hw);
  return triangle_contains(t, at) ? std::optional(at) : std::nullopt;
}

/// Whether the interiors of two edges of one plane cross.
bool edges_cross(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  for (int i = 0; i < 3; ++i)
    if (std::max(p0[i], p1[i]) < std::min(q0[i], q1[i]) || std::max(q0[i], q1[i]) < std::min(p0[i], p1[i])) return false;
  if (p0 == q0 || p0 == q1 || p1 == q0 || p1 == q1 || orient3d(p0, p1, q0, q1) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {  // the first along which they are not seen on one line
    const int s = orient2d(p0, p1, q0, axis), t = orient2d(p0, p1, q1, axis);
    if (s != 0 || t != 0) return s == -t && orient2d(q0, q1, p0, axis) * orient2d(q0, q1, p1, axis) < 0;
  }
  return false;
}

/// The common point of three triangles whose planes meet in one point.
std::optional<ExactPoint> common_point(const Triangle& r, const Triangle& s, const Triangle& t) {
  const ExactPlane a(r), b(s), c(t);
  const V3<Dyadic> bc = cross(b.normal, c.normal);
  const Dyadic det = dot(a.normal, bc);
  if (sign_of(det) == 0) return std::nullopt;
  const ExactPoint at = quotient(a.offset * bc + b.offset * cross(c.normal, a.normal) + c.offset * cross(a.normal, b.normal), det);
  return triangle_contains(r, at) && triangle_contains(s, at) && triangle_contains(t, at) ? std::optional(at) : std::nullopt;
}

}  // namespace

std::optional<ExactPoint> edge_crossing(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  if (!edges_cross(p0, p1, q0, q1)) return std::nullopt;
  const V3<Dyadic> p = exact(p0), d = exact(p1) - p, e = exact(q1) - exact(q0), n = cross(d, e);
  const Dyadic s = dot(cross(exact(q0) - p, e), n);  // p + (s / n^2) d
  return ExactPoint{dot(n, n) * p + s * d, dot(n, n)};
}

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

void MeetingPoints::add_meeting(const Triangle& s, const Triangle& t) {
  const auto add_any = [&](const std::optional<ExactPoint>& v) {
    if (v) add(*v);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &p = s.points[i], &q = s.points[(i + 1) % 3];
    add_any(piercing(p, q, t));
    add_any(piercing(t.points[i], t.points[(i + 1) % 3], s));
    for (std::size_t j = 0; j < 3; ++j) add_any(edge_crossing(p, q, t.points[j], t.points[(j + 1) % 3]));
  }
}

void MeetingPoints::add_common(const Triangle& r, const Triangle& s, const Triangle& t) {
  if (const auto v = common_point(r, s, t)) add(*v);
}

}  // namespace graze
