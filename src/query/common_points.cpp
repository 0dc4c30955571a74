// Places the named points of a crossing by rounded arithmetic.
#include <graze/query/common_points.hpp>

#include <cmath>

#include "math/vec3.hpp"
#include "mesh/arrangement/crossing.hpp"
#include "mesh/polygon_rules.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

const Vec3& corner(const Triangle& t, std::size_t k) { return t.points[k % 3]; }
Vec3 normal_of(const Triangle& t) { return cross(t.points[1] - t.points[0], t.points[2] - t.points[0]); }

/// The crossing point, from the distances of the segment's ends on either side; always a point of the segment.
Vec3 between(const Vec3& p, const Vec3& q, double dp, double dq) {
  dp = std::fabs(dp);
  dq = std::fabs(dq);
  const double share = dp + dq > 0 ? dp / (dp + dq) : 0.5;
  return p + (q - p) * share;
}

/// Where edge k of a triangle goes through a plane.
Vec3 through(const Triangle& t, std::size_t k, const Vec3& normal, const Vec3& on_plane) {
  const Vec3 &p = corner(t, k), &q = corner(t, k + 1);
  return between(p, q, dot(normal, p - on_plane), dot(normal, q - on_plane));
}

Vec3 rounded(const NamedPoint& p, const Triangle& a, const Triangle& b) {
  if (p.a.kind == Feature::corner) return corner(a, p.a.index);
  if (p.b.kind == Feature::corner) return corner(b, p.b.index);
  if (p.a.kind == Feature::inside) return through(b, p.b.index, normal_of(a), a.points[0]);
  if (p.b.kind == Feature::inside) return through(a, p.a.index, normal_of(b), b.points[0]);
  const Vec3 d = corner(a, p.a.index + 1u) - corner(a, p.a.index), &r = corner(b, p.b.index), e = corner(b, p.b.index + 1u) - r;
  return through(a, p.a.index, cross(cross(d, e), e), r);
}

/// The edge that contains both points, by the corner opposite to it; -1 if none does.
int edge_of(const Feature& p, const Feature& q) {
  for (int k = 0; k < 3; ++k) {
    const auto on = [k](const Feature& f) { return f.kind == Feature::edge ? f.index == (k + 1) % 3 : f.kind == Feature::corner && f.index != k; };
    if (on(p) && on(q)) return k;
  }
  return -1;
}

}  // namespace

double CommonPoints::length() const { return count == 2 ? graze::length(points[1] - points[0]) : 0; }

double CommonPoints::area() const {
  Vec3 sum(0, 0, 0);
  for (std::size_t i = 1; i + 1 < static_cast<std::size_t>(count); ++i) sum += cross(points[i] - points[0], points[i + 1] - points[0]);
  return graze::length(sum) / 2;
}

CommonPoints common_points(const Triangle& a, const Triangle& b) {
  const DefaultFloatEnvironment guard;
  CommonPoints out;
  const Crossing c = crossing(a, b);
  if (c.count == 0) return out;
  out.no_area = all_collinear(a.points) || all_collinear(b.points);
  if (out.no_area) {
    out.points[0] = box_of(exact_point(c.point[0], a, b)).lo;
    out.count = 1;
    return out;
  }
  for (const NamedPoint& p : c.points()) out.points[static_cast<std::size_t>(out.count++)] = rounded(p, a, b);
  if (out.count == 2) {
    out.edge_a = edge_of(c.point[0].a, c.point[1].a);
    out.edge_b = edge_of(c.point[0].b, c.point[1].b);
  }
  return out;
}

}  // namespace graze
