// The features of boxes, hulls, triangles, segments, planes and curved shapes along a direction.
#include "convex/features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "convex/plane_form.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "shapes/hull_data.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

constexpr double kSteepFace = 0x1p-4;  ///< cosine of the angle between a face's normal and d below which its edges are used instead
constexpr double kSteepEdge = 0.5;     ///< square of the sine of an edge's angle to the plane perpendicular to d above which its corner is used instead

void add_corner(Feature& f, const Double3& p) { f.corner[f.count++] = p; }

/// Reduces a face to an edge, or an edge to a corner, where it is too steep.
void flatten(Feature& f, const Double3& d) {
  if (f.count > 2) {
    const double along = dot(f.normal, d);
    if (along * along > kSteepFace * kSteepFace * dot(f.normal, f.normal)) return;
  }
  if (f.count > 1) {
    int top = 0;
    for (int k = 1; k < f.count; ++k)
      if (dot(f.corner[k], d) > dot(f.corner[top], d)) top = k;
    const int other[2] = {(top + 1) % f.count, (top + f.count - 1) % f.count};
    int best = -1;
    double least = kSteepEdge;
    for (const int k : other) {
      const Double3 e = f.corner[k] - f.corner[top];
      const double along = dot(e, d), squared = dot(e, e);
      if (!(squared > 0 && along * along <= least * squared)) continue;
      least = along * along / squared;
      best = k;
    }
    const Double3 p = f.corner[top];
    if (best >= 0) f.corner[1] = f.corner[best];
    f.corner[0] = p;
    f.count = best >= 0 ? 2 : 1;
  }
}

/// A point and up to three generators (half edges): the parallelogram of two of them that faces d most.
void zonotope_feature(const Double3& middle, const Double3* generator, int n, const Double3& d, Feature& f) {
  if (n == 0) return add_corner(f, middle);
  if (n == 1) {
    add_corner(f, middle - generator[0]);
    return add_corner(f, middle + generator[0]);
  }
  Double3 c = middle;
  int third = 2;
  if (n == 3) {
    double most = -1;
    for (int k = 0; k < 3; ++k) {
      const Double3 normal = cross(generator[(k + 1) % 3], generator[(k + 2) % 3]);
      const double squared = dot(normal, normal), along = dot(normal, d);
      if (!(squared > 0 && along * along > most * squared)) continue;
      most = along * along / squared;
      third = k;
    }
    c = c + (dot(generator[third], d) > 0 ? generator[third] : -generator[third]);
  }
  const Double3 &u = generator[(third + 1) % 3], &v = generator[(third + 2) % 3];
  for (const auto& [s, t] : {std::array{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) add_corner(f, c + (s * u + t * v));
  f.normal = cross(u, v);
}

/// The facet of a hull at its farthest corner that faces d most.
void hull_feature(const ConvexSet& c, const Double3& d, const FeatureFrame& frame, Feature& f) {
  const HullData& hull = *c.hull;
  const auto at = [&](std::uint32_t i) { return frame.local(c.base(i)); };
  std::uint32_t top = hull.corners[0];
  double level = -kInfinity;
  for (const std::uint32_t i : hull.corners)
    if (const double h = dot(at(i), d); h > level) {
      level = h;
      top = i;
    }
  if (hull.dimension < 2) {
    for (const std::uint32_t i : hull.corners) add_corner(f, at(i));
    return;
  }
  double most = -2;
  std::size_t best = hull.triangles.size();
  for (std::size_t t = 0; t < hull.triangles.size(); ++t) {
    const auto& v = hull.triangles[t];
    if (v[0] != top && v[1] != top && v[2] != top) continue;
    const Double3 p = at(v[0]), n = cross(at(v[1]) - p, at(v[2]) - p);
    const double squared = dot(n, n), facing = dot(n, d) / std::sqrt(squared);
    if (squared > 0 && facing > most) {
      most = facing;
      best = t;
      f.normal = n;
    }
  }
  if (best == hull.triangles.size()) {
    add_corner(f, at(top));
    return;
  }
  std::size_t begin = best, end = best + 1;
  while (begin > 0 && hull.facet[begin - 1] == hull.facet[best]) --begin;
  while (end < hull.triangles.size() && hull.facet[end] == hull.facet[best]) ++end;
  const std::size_t corners = end - begin + 2, step = (corners + Feature::kMostCorners - 1) / Feature::kMostCorners;
  for (std::size_t k = 0; k < corners; k += step) add_corner(f, at(k < 2 ? hull.triangles[begin][k] : hull.triangles[begin + k - 2][2]));
}

/// Of any vertices: those within 2^-30 of the size of the farthest, in order around their hull in the plane perpendicular to d.
void level_feature(const std::vector<Double3>& vertices, const Double3& d, Feature& f) {
  double top = -kInfinity, low = kInfinity, size = 0;
  for (const Double3& p : vertices) {
    top = std::max(top, dot(p, d));
    low = std::min(low, dot(p, d));
    size = std::max(size, max_norm(p - vertices[0]));
  }
  const Double3 axis = std::fabs(d.x) < 0.6 ? Double3{1, 0, 0} : Double3{0, 1, 0}, u = cross(d, axis), v = cross(d, u);
  struct Flat {
    double x, y;
    const Double3* p;
  };
  std::vector<Flat> flat, loop;
  for (const Double3& p : vertices)
    if (dot(p, d) >= top - size * 0x1p-30) flat.push_back({dot(p, u), dot(p, v), &p});
  if (flat.empty()) return;
  std::sort(flat.begin(), flat.end(), [](const Flat& a, const Flat& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  for (int pass = 0; pass < 2; ++pass) {  // monotone chain
    const std::size_t base = loop.size();
    for (const Flat& p : flat) {
      while (loop.size() >= base + 2) {
        const Flat &a = loop[loop.size() - 2], &b = loop.back();
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        loop.pop_back();
      }
      loop.push_back(p);
    }
    loop.pop_back();
    std::reverse(flat.begin(), flat.end());
  }
  if (loop.empty()) loop.push_back(flat[0]);
  const std::size_t step = (loop.size() + Feature::kMostCorners - 1) / Feature::kMostCorners;
  for (std::size_t k = 0; k < loop.size(); k += step) add_corner(f, *loop[k].p);
  f.normal = d;
}

/// The generators of a set (half segments), and the sum of the middles of its segments.
struct HalfSegments {
  Double3 at[std::size(decltype(ConvexSet::segment){})], shift{0, 0, 0};
  int n = 0;
  HalfSegments(const ConvexSet& c, const FeatureFrame& frame) {
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      shift = shift + frame.local_direction(c.segment[k], 0.5 * (c.lo[k] + c.hi[k]));
      if (c.lo[k] != c.hi[k]) at[n++] = frame.local_direction(c.segment[k], 0.5 * (c.hi[k] - c.lo[k]));
    }
  }
};

void farthest_corners(const ConvexSet& c, const Double3& d, const FeatureFrame& frame, Feature& f) {
  const HalfSegments half(c, frame);
  std::vector<Double3> vertices;
  for (std::uint32_t i = 0; i < c.points; ++i)
    for (unsigned bits = 0; bits < 1u << half.n; ++bits) {
      Double3 p = frame.local(c.base(i)) + half.shift;
      for (int k = 0; k < half.n; ++k) p = p + (bits >> k & 1 ? half.at[k] : -half.at[k]);
      vertices.push_back(p);
    }
  level_feature(vertices, d, f);
}

void convex_feature(const ConvexSet& c, const Double3& d, const FeatureFrame& frame, Feature& f) {
  const HalfSegments half(c, frame);
  if (c.points == 1 && half.n <= 3) return zonotope_feature(frame.local(c.base(0)) + half.shift, half.at, half.n, d, f);
  if (half.n == 0 && c.hull) {
    hull_feature(c, d, frame, f);
    for (int k = 0; k < f.count; ++k) f.corner[k] = f.corner[k] + half.shift;
  } else if (half.n == 0 && c.points <= 3) {
    for (std::uint32_t i = 0; i < c.points; ++i) add_corner(f, frame.local(c.base(i)) + half.shift);
    if (c.points == 3) f.normal = cross(f.corner[1] - f.corner[0], f.corner[2] - f.corner[0]);
  } else {
    farthest_corners(c, d, frame, f);
  }
}

/// The flat end or the line on the side of a shape between two discs.
void axial_feature(const Axial& s, double radius_a, double radius_b, const Double3& d, const FeatureFrame& frame, Feature& f) {
  const Double3 a = frame.local(s.a), b = frame.local(s.b);
  Double3 axis = b - a;
  if (is_zero(axis)) axis = v3(s.direction);
  const double length = std::sqrt(dot(axis, axis));
  if (length > 0) axis = {axis.x / length, axis.y / length, axis.z / length};
  const double along = dot(axis, d);
  Double3 out = d - along * axis;  // perpendicular to the axis, towards d
  double across = std::sqrt(dot(out, out));
  if (!(across > 0x1p-20)) {
    out = cross(axis, std::fabs(axis.x) < 0.6 ? Double3{1, 0, 0} : Double3{0, 1, 0});
    across = std::sqrt(dot(out, out));
  }
  out = {out.x / across, out.y / across, out.z / across};
  const Double3 side = cross(axis, out);
  const double ra = radius_a * frame.scale, rb = radius_b * frame.scale;
  const bool at_b = along > 0;
  if (along * along >= 0.5 && (at_b ? rb : ra) > 0) {
    const double r = at_b ? rb : ra, h = r * 0.70710678118654752440;
    const double x[8] = {r, h, 0, -h, -r, -h, 0, h}, y[8] = {0, h, r, h, 0, -h, -r, -h};
    for (int k = 0; k < 8; ++k) add_corner(f, (at_b ? b : a) + (x[k] * out + y[k] * side));
    f.normal = axis;
    return;
  }
  add_corner(f, a + ra * out);
  add_corner(f, b + rb * out);
}

}  // namespace

FeatureFrame::FeatureFrame(const Operand& a, const Operand& b) {
  double size = 0;
  const auto measure = [&](const Vec3& p) { size = std::max(size, max_norm(minus(p, origin))); };
  origin = a.curved ? a.curved->ends().a : a.convex->base(0);
  for (const Operand* o : {&a, &b}) {
    if (o->curved) {
      measure(o->curved->ends().a);
      measure(o->curved->ends().b);
      size = std::max(size, o->curved->largest_radius());
      continue;
    }
    const ConvexSet& c = *o->convex;
    for (std::uint32_t i = 0; i < c.points; ++i) measure(c.base(i));
    for (std::uint32_t k = 0; k < c.segments; ++k) size = std::max(size, std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k])) * max_norm(c.segment[k]));
  }
  scale = size > 0 && size <= kLargest ? power_of_two(std::clamp(-exponent_of(size), -1000, 1000)) : 1;
}

std::optional<Feature> feature_along(const Operand& o, const Double3& d, const FeatureFrame& frame) {
  std::optional<Feature> found(std::in_place);
  Feature& f = *found;
  if (o.curved) {
    const bool known = o.curved->visit([&]<class K>(const K& kind) {
      if constexpr (std::is_same_v<K, CurvedCylinder>)
        axial_feature(kind, kind.radius, kind.radius, d, frame, f);
      else if constexpr (std::is_same_v<K, CurvedCone>)
        axial_feature(kind, kind.radius, 0, d, frame, f);
      else if constexpr (std::is_same_v<K, CurvedTruncatedCone>)
        axial_feature(kind, kind.radius_a, kind.radius_b, d, frame, f);
      else
        return false;
      return true;
    });
    if (!known) return std::nullopt;
  } else if (o.convex->directions > 0) {
    PlaneForm plane;
    if (!is_plane(*o.convex, plane)) return std::nullopt;
    const double size = max_norm(plane.normal);
    f.normal = {plane.normal.x / size, plane.normal.y / size, plane.normal.z / size};
    f.level = dot(f.normal, frame.local(plane.point));
    return found;
  } else {
    convex_feature(*o.convex, d, frame, f);
  }
  if (f.count == 0) return std::nullopt;  // coordinates that no double represents in the frame
  flatten(f, d);
  return found;
}

std::optional<Feature> farthest_feature(const Operand& o, const Double3& d, const FeatureFrame& frame) {
  if (o.curved || !o.convex->bounded()) return std::nullopt;
  std::optional<Feature> found(std::in_place);
  farthest_corners(*o.convex, d, frame, *found);
  if (found->count == 0) return std::nullopt;
  flatten(*found, d);
  return found;
}

}  // namespace graze
