// Two convex operands A and B in a local frame: relative to a point of the first and scaled by a power of two so that all vertices are below 1/2 in size.
// Support functions give the vertices of A - B, in doubles or pairs of doubles.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "convex/curved.hpp"
#include "convex/generators.hpp"
#include "convex/minkowski_frame.hpp"
#include "platform/expects.hpp"

namespace graze {

/// A convex set or a curved shape.
struct Operand {
  const ConvexSet* convex = nullptr;
  const Curved* curved = nullptr;
  Operand(const ConvexSet& c) : convex(&c) {}
  Operand(const Curved& c) : convex(c.convex()), curved(convex ? nullptr : &c) {}
  double radius() const { return convex ? convex->radius : 0; }  ///< of the ball that is stored apart from the hull
};

/// A vertex of A - B with the points of A and B that give it.
template <class N>
struct LocalVertex {
  V3<N> a, b, w;
};

/// The error bounds below are derived in docs/derivations/curved.md. They hold for every coordinate, and for x . w / |x| of the chosen vertex against the true
/// least value.
template <class N>
inline constexpr double kLocalError = 96 * 0x1p-53;
template <>
inline constexpr double kLocalError<TwoDouble> = 0x1p-94;

class LocalPair : public MinkowskiFrame {
 public:
  LocalPair(const Operand& a, const Operand& b, double extra);

  /// The vertex of A - B least along x.
  template <class N>
  LocalVertex<N> least(const V3<N>& x) const {
    LocalVertex<N> v;
    v.a = farthest(0, -x);
    v.b = farthest(1, x);
    v.w = v.a - v.b;
    return v;
  }
  /// The point of operand `side` farthest along x.
  V3<double> farthest(int side, const V3<double>& x) const;
  V3<TwoDouble> farthest(int side, const V3<TwoDouble>& x) const;

  /// Least and greatest x . p of a convex set.
  void range(int side, const V3<double>& x, double& least, double& greatest) const;

  TwoDouble reach() const { return reach_; }  ///< (radius_a + radius_b + extra), scaled
  TwoDouble radius(int side) const { return side_[side].ball; }
  double extent() const { return extent_; }                                  ///< largest extent of the curved operands (of all when none is), scaled
  bool cut() const { return cut_; }                                          ///< whether a cone was cut: its distant vertices are not points of the shape
  double tolerance() const { return std::max(extent_ * 0x1p-44, 0x1p-86); }  ///< the bound of touching: tau in docs/derivations/curved.md
  /// Converts a length or point back to world units; saturating.
  double length_in_world(const TwoDouble& x) const;
  Vec3 point_in_world(const V3<TwoDouble>& p) const;
  double signed_in_world(const TwoDouble& x) const {
    return std::clamp(scaled(rounded(x), -(pre_ + post_)), -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  }

 private:
  static constexpr int kMaxSegments = 11;  ///< 5 segments and 6 cut directions of a convex set
  struct Set {
    Operand operand;
    std::optional<CurvedKinds::Local<double>> d;             // of curved shapes, as t
    mutable std::optional<CurvedKinds::Local<TwoDouble>> t;  // placed on first use
    int segments = 0;
    V3<double> base_d[4], low_d[kMaxSegments], high_d[kMaxSegments];
    mutable V3<TwoDouble> low[kMaxSegments], high[kMaxSegments];
    TwoDouble ball;
    explicit Set(const Operand& o) : operand(o) {}
  };
  double cut_length_ = 0;  // scaled by `pre`, a power of two
  void add_segment(Set& s, double lo, double hi, const Vec3& v) const;
  TwoDouble local_length(double x) const;
  TwoDouble product(double s, double x) const;

  Set side_[2];
  TwoDouble reach_;
  double extent_ = 0;
  bool cut_ = false;
};

/// How the search for the nearest point of A - B ended.
enum class Search {
  apart,      ///< a plane proves |x| > reach for all of A - B
  within,     ///< a point of A - B is at most `reach` from the origin, or a simplex contains the origin
  converged,  ///< the bounds `low` and `norm` agree to the tolerance, and `reach` is not below `low`
  stalled     ///< undecided: the precision or the steps are exhausted
};

template <class N>
struct Nearby {
  LocalVertex<N> v[5];
  N weight[4];
  int n = 0;
  V3<N> x{N(0), N(0), N(0)};  ///< sum of weight * v.w
  N norm{0}, low{0};          ///< |x| and the best certain lower bound
  V3<N> low_direction{N(0), N(0), N(0)};
  static constexpr int kMostMet = 48;  ///< later vertices are dropped: the cutting planes of the fall-back only start with fewer
  int kept = 0;                        ///< all vertices found, for the fall-back
  V3<N> met[kMostMet];

  V3<N> point_a() const {
    V3<N> p{N(0), N(0), N(0)};
    for (int k = 0; k < n; ++k) p = p + weight[k] * v[k].a;
    return p;
  }
  V3<N> point_b() const {
    V3<N> p{N(0), N(0), N(0)};
    for (int k = 0; k < n; ++k) p = p + weight[k] * v[k].b;
    return p;
  }
};

/// Whether the tetrahedron certainly contains the origin, when its coordinates (of size at most m <= 2) are each off by at most e = 64 u. Determinants of three
/// vectors are off by at most 6 * 3 e m^2 (1 + e)^2 + 42 u m^3 < 1300 u m^2.
inline bool surely_around_origin(const LocalVertex<double>* v) {
  double m = 0;
  for (int k = 0; k < 4; ++k) m = std::max({m, std::fabs(v[k].w.x), std::fabs(v[k].w.y), std::fabs(v[k].w.z)});
  const double bound = 1400 * 0x1p-53 * (m * m) + 0x1p-900;  // 2^-900: products that underflow
  const double d[4] = {dot(cross(v[1].w, v[2].w), v[3].w), -dot(cross(v[0].w, v[2].w), v[3].w), dot(cross(v[0].w, v[1].w), v[3].w),
                       -dot(cross(v[0].w, v[1].w), v[2].w)};
  for (double x : d)
    if (!(d[0] > 0 ? x > bound : -x > bound)) return false;
  return true;
}

/// Nearest point of A - B to the origin by the iteration of Gilbert, Johnson and Keerthi over support points; `Pair` provides least(x) and reach(). With
/// `decide` it stops as soon as the comparison with `reach` is certain. Starts in the direction s.x if that is not zero.
template <class N, class Pair>
Search search_nearest(const Pair& pair, bool decide, double tolerance, Nearby<N>& s) {
  constexpr bool wide = std::is_same_v<N, TwoDouble>;
  static constexpr bool points_only[5] = {};
  constexpr double error = kLocalError<N>;
  N reach{};
  if constexpr (wide)
    reach = pair.reach();
  else
    reach = rounded(pair.reach());
  s.n = 1;
  s.v[0] = pair.least(is_zero(s.x) ? V3<N>{N(1), N(0), N(0)} : s.x);
  s.weight[0] = N(1);
  s.x = s.v[0].w;
  s.low = N(-4);
  N last(8);
  constexpr int kMaxSteps = wide ? 120 : 40;  // a choice; at the cap the search has stalled, but its bounds are valid: callers use them or another tier
  for (int step = 0; step < kMaxSteps; ++step) {
    s.norm = square_root(dot(s.x, s.x));
    if (decide && rounded(reach - s.norm) > 2 * error) return Search::within;
    // 2^-88 and the error 2^-94 are below the least bound of touching, 2^-86; below 2^-45 = 256 u, the direction of x drowns in its error.
    if (!(rounded(s.norm) > (wide ? 0x1p-88 : 0x1p-45))) return wide ? Search::within : Search::stalled;
    const LocalVertex<N> v = pair.least(s.x);
    if (s.kept < s.kMostMet) s.met[s.kept++] = v.w;
    const N low = dot(s.x, v.w) / s.norm;
    if (rounded(low - s.low) > 0) {
      s.low = low;
      s.low_direction = s.x;
    }
    if (decide && rounded(low - reach) > 2 * error) return Search::apart;
    if (rounded(s.norm - s.low) <= tolerance) return Search::converged;
    if (!(rounded(s.norm - last) < 0)) return Search::stalled;
    last = s.norm;
    V3<N> w[5];
    for (int k = 0; k < s.n; ++k) {
      w[k] = s.v[k].w;
      if (is_zero(w[k] - v.w)) return Search::stalled;
    }
    GRAZE_EXPECTS(s.n < 4);
    w[s.n] = v.w;
    s.v[s.n] = v;
    Nearest<N> nearest;
    if (!nearest_of_simplex<false>(w, points_only, s.n + 1, nearest)) return Search::stalled;
    LocalVertex<N> kept[4];
    V3<N> x{N(0), N(0), N(0)};
    for (int k = 0; k < nearest.count; ++k) {
      kept[k] = s.v[nearest.index[k]];
      s.weight[k] = nearest.weight[k] / nearest.total;
      x = x + s.weight[k] * kept[k].w;
    }
    s.n = nearest.count;
    for (int k = 0; k < s.n; ++k) s.v[k] = kept[k];
    s.x = x;
    if (s.n == 4) {
      s.norm = square_root(dot(x, x));
      bool around;
      if constexpr (wide)
        around = rounded(s.norm) < 0x1p-80;
      else
        around = surely_around_origin(kept);
      return around ? Search::within : Search::stalled;
    }
  }
  return Search::stalled;
}

/// The largest lower bound on the distance of A and B's hulls to within `tolerance`, by cutting planes over all directions. Always terminates, also where the
/// search makes no progress. Stops early with any bound above `enough`.
TwoDouble bound_by_cuts(const LocalPair& pair, const Nearby<TwoDouble>& start, const TwoDouble& enough, double tolerance,
                        std::vector<LocalVertex<TwoDouble>>* vertices);

}  // namespace graze
