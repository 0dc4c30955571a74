// The direction between two surfaces along which a search for their nearest pair looks for bounds, in doubles.
#pragma once
#include <cmath>

#include "math/vec3.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Turns a direction into the mesh's frame, about.
inline Vec3 turned_back(const MeshView& v, const Vec3& d) {
  if (v.pose == nullptr) return d;
  Vec3 r(0, 0, 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i] += v.pose->rotation[j][i] * d[j];
  return r;
}

/// About the unit vector from a to b, shorter rather than longer, or 0.
inline Vec3 direction(const Vec3& a, const Vec3& b) {
  const Vec3 way = minus(b, a);
  const double length = std::sqrt(dot(way, way));
  return length > 1e-140 && length < 1e140 ? way * ((1 - 0x1p-22) / length) : Vec3(0, 0, 0);  // where squares lose nothing; rounding keeps it below 1
}

inline void set_along(const Vec3& direction, float (&along)[3]) {
  for (int i = 0; i < 3; ++i) along[i] = static_cast<float>(direction[i]);
}

}  // namespace graze
