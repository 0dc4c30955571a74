// The features of boxes, hulls, triangles, segments, planes and curved shapes along a direction.
#include "convex/depth/features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "convex/sets/hull_support.hpp"
#include "convex/sets/plane_form.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "shapes/hull_data.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

template <class N>
void add_corner(Feature<N>& f, const V3<N>& p) {
  f.corner[f.count++] = p;
}

/// The sum of the cross products of a face's corners: its normal, also where some of the corners lie on a line.
template <class N>
void set_normal(Feature<N>& f) {
  f.normal = {N(0), N(0), N(0)};
  for (int k = 1; k + 1 < f.count; ++k) f.normal = f.normal + cross(f.corner[k] - f.corner[0], f.corner[k + 1] - f.corner[0]);
}

/// Finds the normal of a face. Reduces a face to an edge, or an edge to a corner, where it is too steep.
template <class N>
void finish(Feature<N>& f, const Double3& d) {
  if (f.count > 2) {
    set_normal(f);
    const Double3 n = rounded(f.normal);
    const double along = dot(n, d);
    if (along * along > kSteepFace * kSteepFace * dot(n, n)) return;
  }
  if (f.count > 1) {
    const auto height = [&](int k) { return dot(rounded(f.corner[k]), d); };
    int top = 0;
    for (int k = 1; k < f.count; ++k)
      if (height(k) > height(top)) top = k;
    const int other[2] = {(top + 1) % f.count, (top + f.count - 1) % f.count};
    int best = -1;
    double least = kSteepEdge;
    for (const int k : other) {
      const Double3 e = rounded(f.corner[k] - f.corner[top]);
      const double along = dot(e, d), squared = dot(e, e);
      if (!(squared > 0 && along * along <= least * squared)) continue;
      least = along * along / squared;
      best = k;
    }
    const V3<N> p = f.corner[top];
    if (best >= 0) f.corner[1] = f.corner[best];
    f.corner[0] = p;
    f.count = best >= 0 ? 2 : 1;
  }
}

/// The size of a set without its ball, up to a factor of about 2, wherever the set is.
double size_of(const ConvexSet& c) {
  double size = c.hull ? c.hull->extent : 0;
  if (!c.hull && c.points > 1) {
    const Vec3 first = c.base(0);
    for (std::uint32_t i = 1; i < c.points; ++i) size = std::max(size, max_norm(minus(c.base(i), first)));
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) size = std::max(size, 0.5 * (c.hi[k] - c.lo[k]) * max_norm(c.segment[k]));
  return size;
}

TwoDouble as(const TwoDouble& x, TwoDouble) { return x; }
double as(const TwoDouble& x, double) { return x.hi; }
template <class N>
V3<N> as(const V3<TwoDouble>& v) {
  return {as(v.x, N()), as(v.y, N()), as(v.z, N())};
}

/// The vertices of a set without its ball in the frame: a point, plus or minus each generator (half a segment).
template <class N>
class Vertices {
 public:
  V3<N> generator[std::size(decltype(ConvexSet::segment){})];
  int generators = 0;

  Vertices(const ConvexSet& c, const FeatureFrame& frame) : set_(c), frame_(frame) {
    double terms = 0;
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      if (c.lo[k] != -c.hi[k]) terms += std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k])) * max_norm(c.segment[k]);
      if (c.lo[k] != c.hi[k]) generator[generators++] = half(c, k, N());
    }
    if (terms == 0) return;
    // The middles of the segments, which may be far away from the frame and have to cancel with its origin.
    centred_ = false;
    if (std::is_same_v<N, double> && terms <= 4 * size_of(c)) {
      if (c.points == 1) shift_ = frame.local<N>(c.base(0));
      for (std::uint32_t k = 0; k < c.segments; ++k) shift_ = shift_ + product(TwoDouble(0.5 * (c.lo[k] + c.hi[k])), c.segment[k], N());
      if (c.points > 1) shift_ = shift_ + frame.local<N>(Vec3(0, 0, 0));
      return;
    }
    V3<TwoDouble> sum = exact_difference(c.points == 1 ? c.base(0) : Vec3(0, 0, 0), frame.origin);
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      const TwoDouble twice = two_sum(c.lo[k], c.hi[k]);
      sum = sum + TwoDouble(0.5 * twice.hi, 0.5 * twice.lo) * v3_two(c.segment[k]);
    }
    shift_ = as<N>(times(sum, frame.scale));
  }
  /// Base point i with the middles of the segments.
  V3<N> point(std::uint32_t i) const {
    if (centred_) return frame_.local<N>(set_.base(i));
    if (set_.points == 1) return shift_;
    const Vec3 p = set_.base(i);
    return V3<N>{N(p.x * frame_.scale), N(p.y * frame_.scale), N(p.z * frame_.scale)} + shift_;
  }

 private:
  Double3 product(const TwoDouble& t, const Vec3& v, double) const {
    return {(v.x * t.hi) * frame_.scale, (v.y * t.hi) * frame_.scale, (v.z * t.hi) * frame_.scale};
  }
  V3<TwoDouble> product(const TwoDouble& t, const Vec3& v, TwoDouble) const { return times(t * v3_two(v), frame_.scale); }
  Double3 half(const ConvexSet& c, std::uint32_t k, double) const { return product(TwoDouble(0.5 * (c.hi[k] - c.lo[k])), c.segment[k], double()); }
  V3<TwoDouble> half(const ConvexSet& c, std::uint32_t k, TwoDouble) const {
    const TwoDouble twice = two_sum(c.hi[k], -c.lo[k]);
    return product(TwoDouble(0.5 * twice.hi, 0.5 * twice.lo), c.segment[k], TwoDouble());
  }

  const ConvexSet& set_;
  const FeatureFrame& frame_;
  bool centred_ = true;            ///< the middles of all segments are 0
  V3<N> shift_{N(0), N(0), N(0)};  ///< else: the sum of the middles relative to the frame, with the base point if there is only one
};

/// A point and up to three generators: the parallelogram of two of them that faces d most.
template <class N>
void zonotope_feature(const V3<N>& middle, const V3<N>* generator, int n, const Double3& d, Feature<N>& f) {
  if (n == 0) return add_corner(f, middle);
  if (n == 1) {
    add_corner(f, middle - generator[0]);
    return add_corner(f, middle + generator[0]);
  }
  V3<N> c = middle;
  int third = 2;
  if (n == 3) {
    double most = -1;
    for (int k = 0; k < 3; ++k) {
      const Double3 normal = cross(rounded(generator[(k + 1) % 3]), rounded(generator[(k + 2) % 3]));
      const double squared = dot(normal, normal), along = dot(normal, d);
      if (!(squared > 0 && along * along > most * squared)) continue;
      most = along * along / squared;
      third = k;
    }
    c = c + (dot(rounded(generator[third]), d) > 0 ? generator[third] : -generator[third]);
  }
  const V3<N>&u = generator[(third + 1) % 3], &v = generator[(third + 2) % 3];
  add_corner(f, c - (u + v));
  add_corner(f, c + (u - v));
  add_corner(f, c + (u + v));
  add_corner(f, c - (u - v));
}

/// The facet of a hull at its farthest corner that faces d most. Which one that is, the hull's own frame tells.
template <class N>
void hull_feature(const ConvexSet& c, const Vertices<N>& vertices, const Double3& d, Feature<N>& f) {
  const HullData& hull = *c.hull;
  if (hull.dimension < 2) {
    for (const std::uint32_t i : hull.corners) add_corner(f, vertices.point(i));
    return;
  }
  const HullDirection direction(c, d);
  const std::uint32_t top = hull.corners[direction.farthest_corner()];
  double most = -2;
  std::size_t best = hull.triangles.size();
  for (std::size_t t = 0; t < hull.triangles.size(); ++t) {
    const auto& v = hull.triangles[t];
    if (v[0] != top && v[1] != top && v[2] != top) continue;
    const Vec3 &p = hull.points[v[0]], n = cross(minus(hull.points[v[1]], p), minus(hull.points[v[2]], p));
    const double squared = dot(n, n), facing = direction.along(n) / std::sqrt(squared);
    if (squared > 0 && facing > most) {
      most = facing;
      best = t;
    }
  }
  if (best == hull.triangles.size()) return add_corner(f, vertices.point(top));
  std::size_t begin = best, end = best + 1;
  while (begin > 0 && hull.facet[begin - 1] == hull.facet[best]) --begin;
  while (end < hull.triangles.size() && hull.facet[end] == hull.facet[best]) ++end;
  const std::size_t corners = end - begin + 2, step = (corners + kMostCorners - 1) / kMostCorners;
  for (std::size_t k = 0; k < corners; k += step) add_corner(f, vertices.point(k < 2 ? hull.triangles[begin][k] : hull.triangles[begin + k - 2][2]));
}

/// Of any vertices: those within 2^-46 of the size of the farthest, in order around their hull in the plane perpendicular to d.
template <class N>
void level_feature(const std::vector<V3<N>>& vertices, const Double3& d, Feature<N>& f) {
  double top = -kInfinity, size = 0;
  const Double3 first = rounded(vertices[0]);
  for (const V3<N>& p : vertices) {
    top = std::max(top, dot(rounded(p), d));
    size = std::max(size, max_norm(rounded(p) - first));
  }
  const Double3 axis = std::fabs(d.x) < 0.6 ? Double3{1, 0, 0} : Double3{0, 1, 0}, u = cross(d, axis), v = cross(d, u);
  struct Flat {
    double x, y;
    const V3<N>* p;
  };
  std::vector<Flat> flat, loop;
  for (const V3<N>& p : vertices)
    if (dot(rounded(p), d) >= top - size * 0x1p-46) flat.push_back({dot(rounded(p), u), dot(rounded(p), v), &p});
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
  const std::size_t step = (loop.size() + kMostCorners - 1) / kMostCorners;
  for (std::size_t k = 0; k < loop.size(); k += step) add_corner(f, *loop[k].p);
}

template <class N>
void farthest_corners(const ConvexSet& c, const Vertices<N>& terms, const Double3& d, Feature<N>& f) {
  std::vector<V3<N>> vertices;
  for (std::uint32_t i = 0; i < c.points; ++i)
    for (unsigned bits = 0; bits < 1u << terms.generators; ++bits) {
      V3<N> p = terms.point(i);
      for (int k = 0; k < terms.generators; ++k) p = p + (bits >> k & 1 ? terms.generator[k] : -terms.generator[k]);
      vertices.push_back(p);
    }
  level_feature(vertices, d, f);
}

template <class N>
void convex_feature(const ConvexSet& c, const Double3& d, const FeatureFrame& frame, Feature<N>& f) {
  const Vertices<N> vertices(c, frame);
  const int n = vertices.generators;
  if (c.points == 1 && n <= 3) return zonotope_feature(vertices.point(0), vertices.generator, n, d, f);
  if (n == 0 && c.hull) return hull_feature(c, vertices, d, f);
  if (n > 0 || c.points > 3) return farthest_corners(c, vertices, d, f);
  for (std::uint32_t i = 0; i < c.points; ++i) add_corner(f, vertices.point(i));
}

/// A point about the middle of an operand, and its size, infinite where it is unbounded.
Vec3 middle_and_size(const Operand& o, double& size) {
  if (o.curved) {
    const Ends ends = o.curved->ends();
    size = std::max(max_norm(minus(ends.b, ends.a)), o.curved->largest_radius());
    return ends.a;
  }
  const ConvexSet& c = *o.convex;
  Vec3 middle = c.base(0);
  size = c.bounded() ? std::max(size_of(c), c.radius) : kInfinity;
  for (std::uint32_t k = 0; k < c.segments; ++k)
    if (c.lo[k] != -c.hi[k]) middle = point_along(middle, 0.5 * (c.lo[k] + c.hi[k]), c.segment[k]);
  return middle;
}

}  // namespace

FeatureFrame::FeatureFrame(const Operand& a, const Operand& b) {
  double size_a, size_b;
  const Vec3 middle_a = middle_and_size(a, size_a), middle_b = middle_and_size(b, size_b);
  a_is_smaller = size_a <= size_b;
  origin = a_is_smaller ? middle_a : middle_b;
  const double large = std::max(size_a, size_b), least = std::min(size_a, size_b), size = large <= kLargest ? large : least;
  scale = size > 0 && size <= kLargest ? power_of_two(std::clamp(-exponent_of(size), -1000, 1000)) : 1;
  small = least * scale;
  coordinates = max_norm(origin) * scale;
}

template <class N>
std::optional<Feature<N>> feature_along(const Operand& o, const Double3& d, const FeatureFrame& frame) {
  std::optional<Feature<N>> found(std::in_place);
  Feature<N>& f = *found;
  if (o.curved) {
    const CurvedFeature feature = o.curved->visit([&](const auto& kind) { return kind.feature(d); });
    if (feature.count == 0) return std::nullopt;
    for (int k = 0; k < feature.count; ++k) {
      const CurvedFeature::Corner& c = feature.corner[static_cast<std::size_t>(k)];
      const Double3 p = frame.local<double>(c.from) + frame.scale * c.offset;
      add_corner(f, V3<N>{p.x, p.y, p.z});
    }
  } else if (o.convex->directions > 0) {
    PlaneForm plane;
    if (!is_plane(*o.convex, plane)) return std::nullopt;
    const int e = -exponent_of(max_norm(plane.normal));
    const V3<TwoDouble> n{scaled(plane.normal.x, e), scaled(plane.normal.y, e), scaled(plane.normal.z, e)};
    f.normal = as<N>(n);
    f.level = as(dot(n, frame.local<TwoDouble>(plane.point)), N());  // the point may be far away
    return found;
  } else {
    convex_feature(*o.convex, d, frame, f);
  }
  if (f.count == 0) return std::nullopt;  // coordinates that no double represents in the frame
  finish(f, d);
  return found;
}

template <class N>
std::optional<Feature<N>> farthest_feature(const Operand& o, const Double3& d, const FeatureFrame& frame) {
  if (o.curved || !o.convex->bounded()) return std::nullopt;
  std::optional<Feature<N>> found(std::in_place);
  farthest_corners(*o.convex, Vertices<N>(*o.convex, frame), d, *found);
  if (found->count == 0) return std::nullopt;
  finish(*found, d);
  return found;
}

template std::optional<Feature<double>> feature_along(const Operand&, const Double3&, const FeatureFrame&);
template std::optional<Feature<TwoDouble>> feature_along(const Operand&, const Double3&, const FeatureFrame&);
template std::optional<Feature<double>> farthest_feature(const Operand&, const Double3&, const FeatureFrame&);
template std::optional<Feature<TwoDouble>> farthest_feature(const Operand&, const Double3&, const FeatureFrame&);

}  // namespace graze
