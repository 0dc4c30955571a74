// Exact winding numbers of points that are not representable as three doubles: rational points, and points infinitely near to one. Slow; for cases that doubles
// and predicates cannot decide.
#pragma once
#include <array>
#include <span>

#include "exact/exact_vectors.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// The point at / scale; scale > 0.
struct ExactPoint {
  V3<Dyadic> at;
  Dyadic scale = Dyadic(1.0);
};
/// A triangle whose corners are sums of products of doubles.
struct ExactTriangle {
  std::array<V3<Dyadic>, 3> points;
  Box3 box;  ///< the smallest box of doubles that contains it
};
ExactTriangle exact(const Triangle& t);
/// The vector from v to p, times v.scale.
inline V3<Dyadic> from_to(const ExactPoint& v, const V3<Dyadic>& p) { return v.scale * p - v.at; }

/// The smallest box of doubles that contains v.
Box3 box_of(const ExactPoint& v);
bool triangle_contains(const Triangle& triangle, const ExactPoint& v);
bool triangle_contains(const ExactTriangle& triangle, const ExactPoint& v);
/// Whether a triangle contains the origin.
bool origin_in_triangle(const std::array<V3<Dyadic>, 3>& t);

/// Whether a triangle of the surface contains v.
bool is_on_surface(const MeshView& surface, const ExactPoint& v);

/// Returns the winding number of the closed surface about v + e m + e^2 n for all sufficiently small e > 0; these points must not lie on the surface. With m =
/// n = 0 it is the winding number about v.
int winding_number(const MeshView& surface, const ExactPoint& v, const V3<Dyadic>& m = {}, const V3<Dyadic>& n = {});
int winding_number(std::span<const ExactTriangle> surface, const ExactPoint& v);
/// Whether the solid contains v, which must not lie on its surface.
inline bool winds_around(const MeshView& solid, const ExactPoint& v) { return winding_number(solid, v) != 0; }

}  // namespace graze
