// A closed outline projected along an axis: its corners in the plane, oriented so that the area is positive, with exact predicates.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "exact/predicates.hpp"
#include "mesh/polygon_rules.hpp"

namespace graze {

class FlatOutline {
 public:
  using Index = std::uint32_t;

  /// Keeps a reference to the points. A sign of 0 counts as positive.
  FlatOutline(std::span<const Vec3> points, const AreaAxis& axis) : points_(points), drop_(axis.drop), sign_(axis.sign < 0 ? -1 : 1) {
    const int i = (drop_ + 1) % 3, j = (drop_ + 2) % 3;
    flat_.reserve(points.size());
    for (const Vec3& p : points) flat_.push_back(sign_ < 0 ? Flat{p[j], p[i]} : Flat{p[i], p[j]});
  }

  Index size() const { return static_cast<Index>(flat_.size()); }
  const Vec3& point(Index k) const { return points_[k]; }
  double x(Index k) const { return flat_[k].x; }
  double y(Index k) const { return flat_[k].y; }
  bool same(Index a, Index b) const { return x(a) == x(b) && y(a) == y(b); }
  /// Tests whether a is left of b, or below it on the same vertical line. This is the order of a sweep line that leans infinitesimally, so no edge is parallel
  /// to it.
  bool left(Index a, Index b) const { return x(a) != x(b) ? x(a) < x(b) : y(a) < y(b); }

  /// Sign of the turn a, b, c: +1 to the left. Filter: both products carry three rounding errors, |error| <= (3 + 16 u) u (|p| + |q|) (J. R. Shewchuk 1997,
  /// ORIENT2D).
  int turn(Index a, Index b, Index c) const {
    const double ux = x(b) - x(a), uy = y(b) - y(a), vx = x(c) - x(a), vy = y(c) - y(a);
    const double p = ux * vy, q = uy * vx, det = p - q, sum = std::fabs(p) + std::fabs(q);
    if (sum > 0x1p-900 && sum < 0x1p1000) {
      const double bound = sum * 0x1.9p-52;
      if (det > bound) return 1;
      if (-det > bound) return -1;
    } else if ((ux == 0 || vy == 0) && (uy == 0 || vx == 0)) {
      return 0;  // a difference of doubles is zero only if they are equal
    }
    return sign_ * orient2d(points_[a], points_[b], points_[c], drop_);
  }

  /// Tests whether the path a, b, c folds back at b. The three points must lie on one line.
  bool folds(Index a, Index b, Index c) const {
    if (x(a) != x(b)) return (x(a) < x(b)) == (x(c) < x(b)) && x(c) != x(b);
    return (y(a) < y(b)) == (y(c) < y(b)) && y(c) != y(b);
  }

 private:
  struct Flat {
    double x, y;
  };
  std::span<const Vec3> points_;
  int drop_, sign_;
  std::vector<Flat> flat_;
};

}  // namespace graze
