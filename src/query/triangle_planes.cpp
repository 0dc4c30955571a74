// Planes and normals of triangles, and reflection.
#include <algorithm>
#include <cmath>
#include <graze/query/triangle_planes.hpp>

#include "exact/big.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/length.hpp"
#include "shapes/message.hpp"
#include "shapes/normal.hpp"

namespace graze {
std::optional<Plane> plane_of(const Triangle& triangle) {
  const DefaultFloatEnvironment guard;
  const auto n = triangle_normal(triangle.points[0], triangle.points[1], triangle.points[2]);
  if (!n) return std::nullopt;
  return Plane{triangle.points[0], *n};
}

std::optional<Vec3> unit_normal(const Triangle& triangle, const Vec3& viewpoint) {
  const DefaultFloatEnvironment guard;
  const auto n = triangle_normal(triangle.points[0], triangle.points[1], triangle.points[2]);
  if (!n) return std::nullopt;
  const Vec3 u = normalized(*n);
  if (orient3d(triangle.points[0], triangle.points[1], triangle.points[2], viewpoint) < 0) return Vec3(0 - u.x, 0 - u.y, 0 - u.z);
  return u;
}

Vec3 reflect(const Vec3& v, const Vec3& normal) {
  const DefaultFloatEnvironment guard;
  if (!is_finite(v) || !is_finite(normal) || max_norm(v) == 0 || max_norm(normal) == 0) return v;
  const int e = exponent_of(max_norm(v));
  const Vec3 s = scaled(v, -e), n = to_unit_range(normal);
  const V3<TwoDouble> nn{n.x, n.y, n.z};
  const TwoDouble factor = TwoDouble(2.0) * dot(V3<TwoDouble>{s.x, s.y, s.z}, nn) / dot(nn, nn);
  Vec3 r = v;  // unaffected coordinates are unchanged, however small
  if (factor.hi != 0)
    for (int k = 0; k < 3; ++k)
      if (n[k] != 0) {
        const TwoDouble x = TwoDouble(s[k]) - factor * TwoDouble(n[k]);
        const double y = x.hi + x.lo;
        r[k] = exponent_of(y) + e > 1023 ? std::copysign(kLargest, y) : scaled(y, e);
      }
  return not_longer_than(v, r);
}

}  // namespace graze
