// Exact triangles of convex sets: of a simplex plus up to three vectors, the sums without one of the points or with a vector left out or taken whole.
#include "mesh/queries/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convex/containment/containment.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "platform/expects.hpp"

namespace graze {
namespace {

/// The hull of the points, plus [0, 1] times each of the vectors.
struct ExactSum {
  std::vector<V3<Dyadic>> points, vectors;
  std::size_t dimension() const { return points.size() - 1 + vectors.size(); }
};

/// An exponent e so that all coordinates are less than 2^e.
int exponent_above(const Box3& b) {
  int e = -1074;
  for (int i = 0; i < 3; ++i)
    for (const double x : {b.lo[i], b.hi[i]}) e = std::max(e, exponent_of(x) + 1);  // 1025 for an infinite one
  return e;
}

/// The set as a sum; unbounded ones are cut off beyond the box.
ExactSum sum_of(const ConvexSet& c, const Box3& around) {
  ExactSum s;
  V3<Dyadic> moved = exact(Vec3(0, 0, 0));
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    moved = moved + Dyadic(c.lo[k]) * exact(c.segment[k]);
    const V3<Dyadic> v = (Dyadic(c.hi[k]) - Dyadic(c.lo[k])) * exact(c.segment[k]);
    if (!is_zero(v)) s.vectors.push_back(v);
  }
  for (std::uint32_t i = 0; i < c.points; ++i) s.points.push_back(exact(c.base(i)) + moved);
  if (c.directions == 0) return s;
  GRAZE_EXPECTS(c.points == 1 && c.segments == 0);  // a ray, line, plane or half-space
  Box3 both = around;
  both.add(c.base(0));
  const int reach = exponent_above(both) + 2;  // points of the box are less than 2^reach from the base point
  const auto far = [&](const Vec3& d) {
    const int least = exponent_of(std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)}));
    return Dyadic(BigInt(1), reach - least + 3) *
           exact(d);  // a plane's point has the other component of a direction alone, so that its multiple is bounded by it
  };
  for (std::uint32_t k = 0; k < c.directions; ++k) {
    const V3<Dyadic> v = far(c.direction[k]);
    if (k + 1 < c.directions && c.direction[k + 1] == -c.direction[k]) {
      s.points[0] = s.points[0] - v;
      s.vectors.push_back(v + v);
      ++k;
    } else {
      s.vectors.push_back(v);
    }
  }
  return s;
}

void add_triangle(std::vector<ExactTriangle>& list, const V3<Dyadic>& a, const V3<Dyadic>& b, const V3<Dyadic>& c) {
  ExactTriangle t{{a, b, c}, {}};
  for (const V3<Dyadic>& p : t.points) t.box.add(box_of(ExactPoint{p}));
  list.push_back(std::move(t));
}

/// Adds a sum of at most two dimensions.
void add_flat(std::vector<ExactTriangle>& list, const ExactSum& s) {
  std::vector<V3<Dyadic>> corners = s.points;
  for (const V3<Dyadic>& v : s.vectors) {
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n; ++i) corners.push_back(corners[i] + v);
  }
  const std::size_t last = corners.size() - 1;
  if (last == 3) {  // 0, 1, 3, 2 in turn
    add_triangle(list, corners[0], corners[1], corners[3]);
    add_triangle(list, corners[0], corners[3], corners[2]);
  } else {
    add_triangle(list, corners[0], corners[std::min<std::size_t>(1, last)], corners[last]);
  }
}

}  // namespace

Box3 BodyPart::bounds() const {
  if (mesh) return loose_bounds(*mesh);
  Box3 b;
  for (const ExactTriangle& t : exact) b.add(t.box);
  return b;
}

bool contains(const BodyPart& part, const Vec3& p) {
  if (!part.mesh) return contains(part, ExactPoint{exact(p)});
  return part.solid ? solid_contains(*part.mesh, p) : intersects(*part.mesh, convex_point(p));
}

bool contains(const BodyPart& part, const ExactPoint& p) {
  if (!part.mesh)
    return std::any_of(part.exact.begin(), part.exact.end(), [&](const ExactTriangle& t) { return triangle_contains(t, p); }) ||
           (part.solid && winding_number(part.exact, p) != 0);
  if (is_on_surface(*part.mesh, p)) return true;
  return part.solid && winds_around(*part.mesh, p);
}

bool contains(const Body& body, const Vec3& p) {
  return std::any_of(body.parts.begin(), body.parts.end(), [&](const BodyPart& part) { return contains(part, p); });
}
bool contains(const Body& body, const ExactPoint& p) {
  return std::any_of(body.parts.begin(), body.parts.end(), [&](const BodyPart& part) { return contains(part, p); });
}

BodyPart exact_part(const ConvexSet& c, const Box3& around) {
  GRAZE_EXPECTS(c.radius == 0);
  const ExactSum s = sum_of(c, around);
  GRAZE_EXPECTS(s.dimension() <= 3);
  std::vector<ExactTriangle> list;
  if (s.dimension() < 3) {
    add_flat(list, s);
    return {std::move(list), false};
  }
  for (std::size_t i = 0; i < s.points.size() && s.points.size() > 1; ++i) {
    ExactSum face = s;
    face.points.erase(face.points.begin() + static_cast<std::ptrdiff_t>(i));
    add_flat(list, face);
  }
  for (std::size_t k = 0; k < s.vectors.size(); ++k) {
    ExactSum face = s;
    face.vectors.erase(face.vectors.begin() + static_cast<std::ptrdiff_t>(k));
    add_flat(list, face);
    for (V3<Dyadic>& p : face.points) p = p + s.vectors[k];
    add_flat(list, face);
  }
  V3<Dyadic> inner = s.points[0];
  for (std::size_t i = 1; i < s.points.size(); ++i) inner = inner + Dyadic(0.25) * (s.points[i] - s.points[0]);
  for (const V3<Dyadic>& v : s.vectors) inner = inner + Dyadic(0.25) * v;
  bool solid = true;
  for (ExactTriangle& t : list) {
    const int side = sign_of(dot(inner - t.points[0], cross(t.points[1] - t.points[0], t.points[2] - t.points[0])));
    if (side > 0) std::swap(t.points[1], t.points[2]);
    solid = solid && side != 0;  // 0: without volume; the triangles cover the set
  }
  return {std::move(list), solid};
}

BodyPart exact_plane(const V3<Dyadic>& point, const V3<Dyadic>& normal, const Box3& around) {
  std::size_t k = 0;  // the largest component
  for (std::size_t i = 1; i < 3; ++i)
    if (compare(normal[i] * normal[i], normal[k] * normal[k]) > 0) k = i;
  ExactSum s;
  s.points.push_back(point);
  const int reach = exponent_above(around) + 2, least = bit_length(normal[k].m) - 1 + normal[k].e;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == k) continue;
    V3<Dyadic> d = exact(Vec3(0, 0, 0));
    d[k] = normal[i];
    d[i] = -normal[k];
    const V3<Dyadic> v = Dyadic(BigInt(1), reach - least + 3) * d;
    s.points[0] = s.points[0] - v;
    s.vectors.push_back(v + v);
  }
  std::vector<ExactTriangle> list;
  add_flat(list, s);
  return {std::move(list), false};
}

}  // namespace graze
