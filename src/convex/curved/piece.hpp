// Circles and ellipsoids as pieces of a shape whose hull it is, and the quadrics that contain them, in pairs of doubles.
#pragma once
#include <cmath>

#include "convex/curved/quadratic_on_sphere.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "exact/exact_vectors.hpp"

namespace graze {

/// The points centre + sum t_k column_k for the unit vectors t of n dimensions: a circle, or the surface of an ellipsoid. With n = 0 a point.
struct Piece {
  int n = 0;
  V3<TwoDouble> centre, column[3];
};

namespace pieces {

using W3 = V3<TwoDouble>;

inline W3 to_unit(const W3& v) { return (TwoDouble(1) / square_root(dot(v, v))) * v; }

/// The part of x perpendicular to a unit vector.
inline W3 across(const W3& unit, const W3& x) { return cross(unit, cross(x, unit)); }

/// Two unit vectors perpendicular to a unit vector and to each other.
inline void complete_basis(const W3& unit, W3& u, W3& v) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(unit[k].hi) < std::fabs(unit[least].hi)) least = k;
  W3 e{TwoDouble(0), TwoDouble(0), TwoDouble(0)};
  e[least] = TwoDouble(1);
  u = to_unit(cross(unit, e));
  v = cross(unit, u);
}

/// Adds factor * |alpha + sum y_k beta_k|^2.
inline void add_length(SphereQuadratic& q, double factor, const W3& alpha, const W3 (&beta)[3]) {
  for (int i = 0; i < 3; ++i) q.add_square(factor, alpha[i], {beta[0][i], beta[1][i], beta[2][i]});
}

inline SphereQuadratic quadratic_of(const Piece& p) {
  SphereQuadratic q;
  q.n = p.n;
  return q;
}

/// (r + delta)^2 and how much it exceeds r^2.
struct Grown {
  TwoDouble square, margin;
  Grown(const TwoDouble& r, double delta)
      : square((r + TwoDouble(delta)) * (r + TwoDouble(delta))), margin((TwoDouble(2) * r + TwoDouble(delta)) * TwoDouble(delta)) {}
};

/// Squared distance from a point less the grown square of the radius.
inline SphereQuadratic beyond_ball(const Piece& p, const W3& centre, const Grown& radius) {
  SphereQuadratic q = quadratic_of(p);
  add_length(q, 1, p.centre - centre, p.column);
  q.k = q.k - radius.square;
  return q;
}

/// Squared distance from a line less the grown square of the radius.
inline SphereQuadratic beyond_cylinder(const Piece& p, const W3& point, const W3& axis, const Grown& radius) {
  SphereQuadratic q = quadratic_of(p);
  add_length(q, 1, across(axis, p.centre - point), {across(axis, p.column[0]), across(axis, p.column[1]), across(axis, p.column[2])});
  q.k = q.k - radius.square;
  return q;
}

/// The heights of a piece along an axis: middle +- half.
struct Heights {
  TwoDouble middle, along[3], half;
  Heights(const Piece& p, const W3& point, const W3& axis) : middle(dot(p.centre - point, axis)) {
    TwoDouble square(0);
    for (int k = 0; k < p.n; ++k) {
      along[k] = dot(p.column[k], axis);
      square = square + along[k] * along[k];
    }
    half = square_root(square);
  }
};

}  // namespace pieces

}  // namespace graze
