// Upper bounds of the distance from a point to the furthest point of a bounded shape. Exact for vertices; corners of boxes and rims of discs are computed in
// double-double arithmetic and rounded up.
#include "query/reach.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "exact/double_parts.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "parts/convex_of_shape.hpp"
#include "query/rounding.hpp"
#include "shapes/normal.hpp"

namespace graze {
namespace {

// Returns a double that is at least |x| 2^e. x has an error of at most 2^-60 relative to `scale` (of magnitude about 1).
double scaled_up(const TwoDouble& x, int e) {
  const double r = next_up((x.hi + x.lo) * (1 + 0x1p-52));
  const double s = scaled(r, e);
  return s < kInfinity && scaled(s, -e) < r ? next_up(s) : s;
}

// The furthest corner of base points + segments, in double-double arithmetic at the scale of the largest term.
double convex_set_reach(const ConvexSet& c, const Vec3& center) {
  if (c.directions > 0) return kInfinity;
  double r;
  if (c.segments == 0) {
    if (!c.outside || !c.pose) {
      r = containing_radius(center, c.outside ? std::span<const Vec3>(c.outside, c.points) : std::span<const Vec3>(c.own, c.points));
    } else {
      std::vector<Vec3> placed(c.points);
      for (std::uint32_t i = 0; i < c.points; ++i) placed[i] = c.base(i);
      r = containing_radius(center, placed);
    }
  } else {
    double size = max_norm(center);
    for (std::uint32_t i = 0; i < c.points; ++i) size = std::max(size, max_norm(c.base(i)));
    int e = exponent_of(size);
    for (std::uint32_t j = 0; j < c.segments; ++j)
      e = std::max(e, exponent_of(max_norm(c.segment[j])) + exponent_of(std::max(std::fabs(c.lo[j]), std::fabs(c.hi[j]))) + 1);
    if (e < -50000) return c.radius;  // all terms are zero
    TwoDouble most(0.0);
    double terms = 0;
    for (std::uint32_t i = 0; i < c.points; ++i)
      for (std::uint32_t corner = 0; corner < 1u << c.segments; ++corner) {
        TwoDouble square(0.0);
        double magnitude = 0;
        for (int k = 0; k < 3; ++k) {
          TwoDouble x = TwoDouble(scaled(c.base(i)[k], -e)) - TwoDouble(scaled(center[k], -e));
          for (std::uint32_t j = 0; j < c.segments; ++j) {
            const double t = corner >> j & 1 ? c.hi[j] : c.lo[j];
            if (t == 0 || c.segment[j][k] == 0) continue;
            const int et = exponent_of(t), ev = exponent_of(c.segment[j][k]);
            const TwoDouble p = two_product(scaled(t, -et), scaled(c.segment[j][k], -ev));
            const TwoDouble q(scaled(p.hi, et + ev - e), scaled(p.lo, et + ev - e));
            x = x + q;
            magnitude = std::max(magnitude, std::fabs(q.hi));
          }
          magnitude = std::max(magnitude, std::fabs(scaled(c.base(i)[k], -e)));
          magnitude = std::max(magnitude, std::fabs(scaled(center[k], -e)));
          square = square + x * x;
        }
        if (most.hi < square.hi || (most.hi == square.hi && most.lo < square.lo)) most = square;
        terms = std::max(terms, magnitude);
      }
    // the error of each coordinate is 2^-98 of its largest term, so the error of the length is 2^-96 of it
    const TwoDouble length = square_root(most) + TwoDouble(terms * 0x1p-96);
    r = scaled_up(length, e);
  }
  return add_up(r, c.radius);
}

// The furthest point of the disc of radius r about `end`, perpendicular to the axis: (along, off the axis + r).
double disc_reach(const Vec3& end, const Vec3& other, double r, const Vec3& center) {
  const double offset = containing_radius(center, std::span<const Vec3>(&end, 1));
  if (r == 0) return offset;
  const int e = std::max(exponent_of(std::max(offset, r)), -1000);
  Vec3 d(other.x - end.x, other.y - end.y, other.z - end.z);
  if (!(max_norm(d) < kInfinity)) d = Vec3(0.5 * other.x - 0.5 * end.x, 0.5 * other.y - 0.5 * end.y, 0.5 * other.z - 0.5 * end.z);
  if (max_norm(d) == 0) return add_up(offset, r);
  const Vec3 s = to_unit_range(d);
  const V3<TwoDouble> n = normalized(V3<TwoDouble>{s.x, s.y, s.z});
  auto difference = [&](double a, double b) {
    const TwoDouble t = two_sum(a, -b);
    return TwoDouble(scaled(t.hi, -e), scaled(t.lo, -e));
  };
  const V3<TwoDouble> w{difference(center.x, end.x), difference(center.y, end.y), difference(center.z, end.z)};
  const TwoDouble along = dot(w, n);
  const V3<TwoDouble> across{w.x - along * n.x, w.y - along * n.y, w.z - along * n.z};
  // the axis has an error of 2^-52, so the part off the axis has an error of 2^-51 of the offset; |w| >= both parts bounds the whole by |w| + r
  const TwoDouble off = square_root(dot(across, across)) + TwoDouble(scaled(offset, -e) * 0x1p-50) + TwoDouble(scaled(r, -e));
  const TwoDouble far = square_root(along * along + off * off);
  return std::min(scaled_up(far + far * TwoDouble(0x1p-50), e), add_up(offset, r));
}

// An upper bound of the greatest stretch of a pose's rotation, which is 1 except for rounding: Gershgorin's bound on R^T R.
double stretch(const Pose* pose) {
  if (!pose) return 1;
  double most = 1;
  bool exact = true;
  for (const auto& row : pose->rotation)
    for (double x : row) exact = exact && (x == 0 || std::fabs(x) == 1);
  if (exact) return 1;
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
      double s = 0;
      for (int k = 0; k < 3; ++k) s += pose->rotation[k][i] * pose->rotation[k][j];
      sum += std::fabs(s);
    }
    most = std::max(most, sum);
  }
  return std::sqrt(most) * (1 + 0x1p-48);  // 32 u: dot products and sums are off by 11 u, half of it after the root
}

double distance_of(const Vec3& a, const Vec3& b) { return containing_radius(a, std::span<const Vec3>(&b, 1)); }

double reach_of(const Cylinder& s, const Pose* pose, const Vec3& center) {
  const Vec3 a = placed_point(s.a, pose), b = placed_point(s.b, pose);
  return std::max(disc_reach(a, b, s.radius, center), disc_reach(b, a, s.radius, center));
}
double reach_of(const Cone& s, const Pose* pose, const Vec3& center) {
  const Vec3 a = placed_point(s.a, pose), b = placed_point(s.b, pose);
  return std::max(disc_reach(a, b, s.radius, center), distance_of(center, b));
}
double reach_of(const Ellipsoid& s, const Pose* pose, const Vec3& center) {
  const double factor = stretch(pose), r = max_norm(s.radii);
  return add_up(distance_of(center, placed_point(s.center, pose)), factor == 1 ? r : next_up(r * factor));
}
double reach_of(const Polygon& s, const Pose* pose, const Vec3& center) {
  std::vector<Vec3> points;
  for (const Vec3& p : s.points()) points.push_back(placed_point(p, pose));
  return containing_radius(center, points);
}
double reach_of(const Mesh& s, const Pose* pose, const Vec3& center) {
  std::vector<std::uint8_t> used(s.vertices().size());
  for (const TriangleIndices& t : s.triangles()) used[t[0]] = used[t[1]] = used[t[2]] = 1;
  std::vector<Vec3> points;
  points.reserve(used.size());
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) points.push_back(placed_point(s.vertices()[v], pose));
  return containing_radius(center, points);
}
double reach_of(const Solid& s, const Pose* pose, const Vec3& center) { return reach_of(s.mesh(), pose, center); }
double reach_of(const HeightField& s, const Pose* pose, const Vec3& center) { return reach_of(s.mesh(), pose, center); }
double reach_of(const Compound& s, const Pose* pose, const Vec3& center) {
  double r = 0;
  for_each_child(s, pose, [&](std::size_t, ShapeRef child) {
    r = std::max(r, reach(child, center));
    return true;
  });
  return r;
}
double reach_of(const Plane&, const Pose*, const Vec3&) { return kInfinity; }
double reach_of(const HalfSpace&, const Pose*, const Vec3&) { return kInfinity; }
template <class S>
requires(form_of<S>() == Form::convex) double reach_of(const S& s, const Pose* pose, const Vec3& center) {
  return convex_set_reach(convex_set_of(s, pose), center);
}

template <class... S>
double reach_of_kind(const ShapeRef& shape, const Vec3& center, TypeList<S...>) {
  double r = 0;
  (void)((shape.get<S>() ? (r = reach_of(*shape.get<S>(), shape.pose(), center), true) : false) || ...);
  return r;
}

}  // namespace

double reach(ShapeRef shape, const Vec3& center) { return reach_of_kind(shape, center, Shapes{}); }

}  // namespace graze
