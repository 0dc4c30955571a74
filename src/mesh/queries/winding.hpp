// Exact winding numbers of points that are not representable as three doubles: rational points, and points infinitely near to one. Slow; for cases that doubles
// and predicates cannot decide.
#pragma once
#include <array>

#include "exact/big.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

using Exact3 = std::array<Dyadic, 3>;

inline Exact3 exact(const Vec3& v) { return {Dyadic(v.x), Dyadic(v.y), Dyadic(v.z)}; }
inline Exact3 operator+(const Exact3& a, const Exact3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Exact3 operator-(const Exact3& a) { return {-a[0], -a[1], -a[2]}; }
inline Exact3 operator-(const Exact3& a, const Exact3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Exact3 operator*(const Dyadic& s, const Exact3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Dyadic dot(const Exact3& a, const Exact3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Exact3 cross(const Exact3& a, const Exact3& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
inline bool is_zero(const Exact3& a) { return sign_of(a[0]) == 0 && sign_of(a[1]) == 0 && sign_of(a[2]) == 0; }

/// The point at / scale; scale > 0.
struct ExactPoint {
  Exact3 at;
  Dyadic scale = Dyadic(1.0);
};
/// The vector from v to p, times v.scale.
inline Exact3 from_to(const ExactPoint& v, const Exact3& p) { return v.scale * p - v.at; }

/// The smallest box of doubles that contains v.
Box3 box_of(const ExactPoint& v);
bool triangle_contains(const Triangle& triangle, const ExactPoint& v);

/// Returns the winding number of the closed surface about v + e m + e^2 n for all sufficiently small e > 0; these points must not lie on the surface. With m =
/// n = 0 it is the winding number about v.
int winding_number(const MeshView& surface, const ExactPoint& v, const Exact3& m = {}, const Exact3& n = {});

}  // namespace graze
