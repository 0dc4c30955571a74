// Upper bounds of the distance from a point to the furthest point of a bounded shape. Exact for vertices; corners of boxes are computed in double-double
// arithmetic and rounded up.
#include "query/reach.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "exact/double_parts.hpp"
#include "exact/rounding.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "parts/convex_of_shape.hpp"
#include "shapes/normal.hpp"

namespace graze {
namespace {

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

template <CurvedShape S>
double reach_of(const S& s, const Pose* pose, const Vec3& center) {
  return CurvedKinds::Of<S>(s, pose).reach(center);
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
