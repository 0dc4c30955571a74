// Each target is an intersection of half-spaces and quadrics, grown by a length well above the rounding of pairs of doubles: what truly lies inside passes
// with room to spare. A capsule is a union, so the parts of a piece beyond its ends are tested alone.
#include "convex/containment/curved_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "convex/containment/quadratic_on_sphere.hpp"

namespace graze {
namespace {

using W3 = V3<TwoDouble>;

W3 to_unit(const W3& v) { return (TwoDouble(1) / square_root(dot(v, v))) * v; }

/// The part of x perpendicular to a unit vector.
W3 across(const W3& unit, const W3& x) { return cross(unit, cross(x, unit)); }

/// Two unit vectors perpendicular to a unit vector and to each other.
void complete_basis(const W3& unit, W3& u, W3& v) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(unit[k].hi) < std::fabs(unit[least].hi)) least = k;
  W3 e{TwoDouble(0), TwoDouble(0), TwoDouble(0)};
  e[least] = TwoDouble(1);
  u = to_unit(cross(unit, e));
  v = cross(unit, u);
}

// ---- quadrics ----------------------------------------------------------------------------------------------------------------------------

/// Adds factor * |alpha + sum y_k beta_k|^2.
void add_length(SphereQuadratic& q, double factor, const W3& alpha, const W3 (&beta)[3]) {
  for (int i = 0; i < 3; ++i) q.add_square(factor, alpha[i], {beta[0][i], beta[1][i], beta[2][i]});
}

SphereQuadratic quadratic_of(const Piece& p) {
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
SphereQuadratic beyond_ball(const Piece& p, const W3& centre, const Grown& radius) {
  SphereQuadratic q = quadratic_of(p);
  add_length(q, 1, p.centre - centre, p.column);
  q.k = q.k - radius.square;
  return q;
}

/// Squared distance from a line less the grown square of the radius.
SphereQuadratic beyond_cylinder(const Piece& p, const W3& point, const W3& axis, const Grown& radius) {
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

// ---- targets -----------------------------------------------------------------------------------------------------------------------------

bool in_axial(const Piece& p, const LocalAxial<TwoDouble>& t, const TwoDouble& radius_a, const TwoDouble& radius_b, double delta) {
  const TwoDouble length = dot(t.b - t.a, t.axis), taper = radius_a - radius_b;
  const Heights z(p, t.a, t.axis);
  if (rounded(z.middle - z.half) < -delta || rounded(z.middle + z.half - length) > delta) return false;
  const Grown wide(rounded(taper) > 0 ? radius_a : radius_b, delta);
  if (!is_at_most_zero(beyond_cylinder(p, t.a, t.axis, wide), wide.margin)) return false;
  // A height below 2 delta is no height within the bound: the cone is the disc of its wide end.
  if (rounded(taper) == 0 || rounded(length) <= 2 * delta) return true;
  // cosine * (distance from the axis) <= v = cosine * radius_a - sine * height, the distance from the lateral surface on the axis
  const TwoDouble slant = square_root(length * length + taper * taper), cosine = length / slant, sine = taper / slant;
  SphereQuadratic q = quadratic_of(p);
  const auto flat = [&](const W3& x) { return cosine * across(t.axis, x); };
  add_length(q, 1, flat(p.centre - t.a), {flat(p.column[0]), flat(p.column[1]), flat(p.column[2])});
  const TwoDouble v = cosine * radius_a - sine * z.middle;
  q.add_square(-1, v + TwoDouble(delta), {-(sine * z.along[0]), -(sine * z.along[1]), -(sine * z.along[2])});
  const double least = std::max(0.0, rounded(v) - std::fabs(rounded(sine * z.half)));  // of v on the piece
  return is_at_most_zero(q, TwoDouble((2 * least + delta) * delta));
}

/// In the coordinates in which the target is the unit ball. Radii below delta are no radii within the bound.
bool in_ellipsoid(const Piece& p, const CurvedEllipsoid& e, const LocalPair& pair) {
  constexpr double kThin = 0x1p-44;
  const W3 centre = pair.local<TwoDouble>(e.center);
  const auto axis = [&](int i) { return W3{e.axis[i].x, e.axis[i].y, e.axis[i].z}; };
  const TwoDouble det = dot(axis(0), cross(axis(1), axis(2)));
  const auto local_radius = [&](double r) { return pair.pre_scaled(r) * pair.factor(); };
  const double most = local_radius(e.largest_radius());
  SphereQuadratic q = quadratic_of(p);
  for (int i = 0; i < 3; ++i) {
    const TwoDouble divisor = det * TwoDouble(std::max(local_radius(e.radii[i]), most * kThin));
    const W3 row = cross(axis((i + 1) % 3), axis((i + 2) % 3));
    const auto coordinate = [&](const W3& x) { return dot(row, x) / divisor; };
    q.add_square(1, coordinate(p.centre - centre), {coordinate(p.column[0]), coordinate(p.column[1]), coordinate(p.column[2])});
  }
  const Grown unit(TwoDouble(1), 0x1p-43);
  q.k = q.k - unit.square;
  return is_at_most_zero(q, unit.margin);
}

/// The part of a piece with height <= 0: t = -cos(psi) e + sin(psi) y with e along the axis, y perpendicular to it, for 0 <= psi <= the angle where the height
/// is 0. There the quadratic q must be at most 0.
class Cap {
 public:
  Cap(const Piece& p, const Heights& z, const SphereQuadratic& q, const TwoDouble& margin) : n_(p.n), margin_(margin) {
    W3 basis[3];  // of the vectors t; with n = 2 the third components are 0
    for (int k = 0; k < 3; ++k) basis[0][k] = k < n_ ? z.along[k] / z.half : TwoDouble(0);
    if (n_ == 3)
      complete_basis(basis[0], basis[1], basis[2]);
    else
      basis[1] = {-basis[0].y, basis[0].x, TwoDouble(0)};
    for (int i = 0; i < n_; ++i) {
      g_[i] = TwoDouble(0);
      for (int a = 0; a < n_; ++a) g_[i] = g_[i] + basis[i][a] * q.g[a];
      for (int j = 0; j < n_; ++j) {
        f_[i][j] = TwoDouble(0);
        for (int a = 0; a < n_; ++a)
          for (int b = 0; b < n_; ++b) f_[i][j] = f_[i][j] + basis[i][a] * q.f[a][b] * basis[j][b];
      }
    }
    k_ = q.k;
    // |q''| <= curvature: the second derivative of each term by psi
    const auto size = [](const TwoDouble& x) { return std::fabs(rounded(x)); };
    double uneven = size(f_[0][0] - f_[1][1]), mixed = size(f_[0][1]), linear = size(g_[0]) + size(g_[1]);
    if (n_ == 3) {
      uneven = std::max(uneven, size(f_[0][0] - f_[2][2])) + size(f_[1][2]);
      mixed += size(f_[0][2]);
      linear += size(g_[2]);
    }
    curvature_ = (2 * uneven + 4 * mixed + 2 * linear) * (1 + 0x1p-40);
  }
  /// `cosine`: of the last psi, between -1 and 1.
  bool is_inside(const TwoDouble& cosine) const {
    const Angle first{TwoDouble(1), TwoDouble(0)}, half{TwoDouble(0), TwoDouble(1)}, last{cosine, square_root(TwoDouble(1) - cosine * cosine)};
    if (rounded(cosine) >= 0) return is_inside(first, last);
    return is_inside(first, half) && is_inside(half, last);
  }

 private:
  struct Angle {
    TwoDouble cosine, sine;
  };

  bool is_inside(const Angle& from, const Angle& to) const {
    Angle middle{from.cosine + to.cosine, from.sine + to.sine};
    const TwoDouble length = square_root(middle.cosine * middle.cosine + middle.sine * middle.sine);
    middle = {middle.cosine / length, middle.sine / length};
    // asin(s) <= s (1 + s^2 / 2) for s <= 0.9; the intervals are at most a right angle
    const double s = std::fabs(rounded(to.sine * middle.cosine - to.cosine * middle.sine)), half = s * (1 + 0.5 * s * s) * (1 + 0x1p-40);
    const double rest = 0.5 * curvature_ * half * half;
    const bool inside =
        is_at_most_zero(expansion(middle, half, rest), TwoDouble(0.5) * margin_) && is_at_most_zero(expansion(middle, -half, rest), TwoDouble(0.5) * margin_);
    if (inside) return true;
    // Where q <= -margin, the expansion is at most -margin + rest, and with the rest added still below -margin / 2.
    if (rest <= 0.25 * rounded(margin_)) return false;
    return is_inside(from, middle) && is_inside(middle, to);
  }
  /// q + step q' + rest at an angle, as a quadratic of y.
  SphereQuadratic expansion(const Angle& a, double step, double rest) const {
    const TwoDouble h(step), c = a.cosine, s = a.sine, cs = c * s, difference = c * c - s * s;
    // terms of q: c^2 F11 - 2 c s F1y . y + s^2 y . F y - 2 c g1 + 2 s gy . y + k
    const TwoDouble f11 = c * c - TwoDouble(2) * h * cs, f1y = -(cs + h * difference), fyy = s * s + TwoDouble(2) * h * cs;
    const TwoDouble g1 = TwoDouble(2) * (h * s - c), gy = s + h * c;
    SphereQuadratic q;
    q.n = n_ - 1;
    q.k = f11 * f_[0][0] + g1 * g_[0] + k_ + TwoDouble(rest);
    for (int i = 0; i < q.n; ++i) {
      q.g[i] = f1y * f_[0][i + 1] + gy * g_[i + 1];
      for (int j = 0; j < q.n; ++j) q.f[i][j] = fyy * f_[i + 1][j + 1];
    }
    return q;
  }

  int n_;
  TwoDouble f_[3][3], g_[3], k_, margin_;
  double curvature_ = 0;
};

bool in_capsule(const Piece& p, const W3& a, const W3& b, const TwoDouble& radius, double delta) {
  const Grown grown(radius, delta);
  const SphereQuadratic beyond_a = beyond_ball(p, a, grown), beyond_b = beyond_ball(p, b, grown);
  if (is_at_most_zero(beyond_a, grown.margin) || is_at_most_zero(beyond_b, grown.margin)) return true;
  const W3 d = b - a;
  if (!(rounded(dot(d, d)) > 0)) return false;
  const W3 axis = to_unit(d);
  if (!is_at_most_zero(beyond_cylinder(p, a, axis, grown), grown.margin)) return false;
  // The rest is outside only beyond an end.
  const auto end_is_inside = [&](const W3& end, const W3& inward, const SphereQuadratic& beyond) {
    const Heights z(p, end, inward);
    if (rounded(z.middle - z.half) >= -delta) return true;
    if (p.n == 0 || rounded(z.middle + z.half) <= 0) return false;
    return Cap(p, z, beyond, grown.margin).is_inside(z.middle / z.half);
  };
  return end_is_inside(a, axis, beyond_a) && end_is_inside(b, -axis, beyond_b);
}

void add_circle(std::vector<Piece>& pieces, const W3& centre, const W3& axis, const TwoDouble& radius) {
  Piece p;
  p.centre = centre;
  if (rounded(radius) > 0) {
    p.n = 2;
    complete_basis(axis, p.column[0], p.column[1]);
    for (int k = 0; k < 2; ++k) p.column[k] = radius * p.column[k];
  }
  pieces.push_back(p);
}

/// Calls f(local shape, radius at a, radius at b) for a shape of rotational symmetry.
template <class K, class F>
auto with_radii(const K& kind, const LocalPair& pair, const F& f) {
  const typename K::template Local<TwoDouble> local(kind, pair);
  if constexpr (std::is_same_v<K, CurvedCylinder>)
    return f(local, local.radius, local.radius);
  else if constexpr (std::is_same_v<K, CurvedCone>)
    return f(local, local.radius, TwoDouble(0));
  else
    return f(local, local.radius_a, local.radius_b);
}

}  // namespace

std::vector<Piece> pieces_of(const Operand& shape, const LocalPair& pair) {
  std::vector<Piece> pieces;
  if (shape.convex) {
    const ConvexSet& c = *shape.convex;
    for (std::uint32_t i = 0; i < c.points; ++i) {
      Piece p;
      p.n = 3;
      p.centre = pair.local<TwoDouble>(c.base(i));
      for (int k = 0; k < 3; ++k) p.column[k][k] = TwoDouble(pair.length_to_local(c.radius));
      pieces.push_back(p);
    }
    return pieces;
  }
  shape.curved->visit([&]<class K>(const K& kind) {
    if constexpr (std::is_same_v<K, CurvedEllipsoid>) {
      const CurvedEllipsoid::Local<TwoDouble> local(kind, pair);
      pieces.push_back({3, local.center, {local.column[0], local.column[1], local.column[2]}});
    } else {
      with_radii(kind, pair, [&](const LocalAxial<TwoDouble>& local, const TwoDouble& radius_a, const TwoDouble& radius_b) {
        add_circle(pieces, local.a, local.axis, radius_a);
        add_circle(pieces, local.b, local.axis, radius_b);
      });
    }
  });
  return pieces;
}

bool are_inside(const std::vector<Piece>& pieces, const LocalPair& pair, const Operand& target, int side) {
  const double delta = growth_of(pair);
  const auto all = [&](const auto& inside) { return std::all_of(pieces.begin(), pieces.end(), inside); };
  if (target.convex) {
    const ConvexSet& c = *target.convex;
    const W3 a = pair.local<TwoDouble>(c.base(0)), b = pair.local<TwoDouble>(c.base(c.points - 1));
    return all([&](const Piece& p) { return in_capsule(p, a, b, pair.radius(side), delta); });
  }
  return target.curved->visit([&]<class K>(const K& kind) {
    if constexpr (std::is_same_v<K, CurvedEllipsoid>) {
      return all([&](const Piece& p) { return in_ellipsoid(p, kind, pair); });
    } else {
      return with_radii(kind, pair, [&](const LocalAxial<TwoDouble>& local, const TwoDouble& radius_a, const TwoDouble& radius_b) {
        return all([&](const Piece& p) { return in_axial(p, local, radius_a, radius_b, delta); });
      });
    }
  });
}

}  // namespace graze
