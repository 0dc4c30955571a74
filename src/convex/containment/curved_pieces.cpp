// Each target is an intersection of half-spaces and quadrics, grown by a length well above the rounding of pairs of doubles: what truly lies inside passes
// with room to spare. A capsule is a union, so the parts of a piece beyond its ends are tested alone.
#include "convex/containment/curved_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace graze {
namespace {

using namespace pieces;

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
  shape.curved->visit([&](const auto& kind) { kind.add_pieces(pair, pieces); });
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
  return target.curved->visit([&](const auto& kind) { return all([&](const Piece& p) { return kind.contains(p, pair, delta); }); });
}

}  // namespace graze
