// Two convex operands A and B in a local frame: relative to a point of the first and scaled by a power of two so that all vertices are below 1/2 in size.
// Support functions give the vertices of A - B, in doubles or pairs of doubles.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "convex/curved/curved.hpp"
#include "convex/gjk/gjk.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "exact/certain.hpp"
#include "math/limits.hpp"
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

/// The corners of two convex sets that give a vertex of A - B: numbers of points (of a hull: of its corners), and of each segment (bit k) whether its high end.
struct CornerNames {
  std::uint32_t a = 0, b = 0;
  std::uint8_t ends_a = 0, ends_b = 0;
  bool operator==(const CornerNames&) const = default;
};

/// A vertex of A - B with the points of A and B that give it.
template <class N>
struct PointPair {
  V3<N> a, b;
};
template <>
struct PointPair<double> {
  V3<double> a, b;
  CornerNames corners;  ///< only of a DoublePair
};
template <class N>
struct LocalVertex : PointPair<N> {
  V3<N> w;
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

  /// The vertex of A - B least along x, where A - B is far away beside the curved operands: their points are doubles relative to points of their own. Off by at
  /// most own_error(), as x . w / |x| is.
  LocalVertex<TwoDouble> least_by_offsets(const V3<double>& x) const;
  double own_error() const;

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
  double signed_in_world(const TwoDouble& x) const { return std::clamp(scaled(rounded(x), -(pre_ + post_)), -kLargest, kLargest); }

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
  V3<TwoDouble> farthest_by_offset(int side, const V3<double>& x) const;
  V3<double> base_in_doubles(const Set& s, std::uint32_t i) const { return i < 4 ? s.base_d[i] : times(local_d(s.operand.convex->base(i)), factor_); }
  void add_segment(Set& s, double lo, double hi, const Vec3& v) const;
  /// Adds the directions as segments, cut, and their extent to `size`.
  void add_directions(Set& s, const ConvexSet& convex, double& size) const;
  TwoDouble local_length(double x) const;
  TwoDouble product(double s, double x) const;

  Set side_[2];
  TwoDouble reach_;
  double extent_ = 0;
  bool cut_ = false;
};

template <class N>
struct Nearby : GjkState<PointPair<N>, N> {
  N norm{0}, low{0};  ///< |x| and the best certain lower bound
  V3<N> low_direction{N(0), N(0), N(0)};
  bool converged = false;  ///< both agree to the tolerance
  /// All vertices found, for the fall-back, which pairs of doubles have. Later ones are dropped: its cutting planes only start with fewer.
  static constexpr int kMostMet = std::is_same_v<N, TwoDouble> ? 48 : 0;
  int kept = 0;
  LocalVertex<N> met[kMostMet + 1];

  /// The lower bound that the vertex v, least along n, proves.
  void take_bound(const V3<N>& n, const LocalVertex<N>& v) {
    const N bound = dot(n, v.w) / square_root(dot(n, n));
    if (!(rounded(bound - low) > 0)) return;
    low = bound;
    low_direction = n;
  }
  V3<N> point_a() const { return point(&PointPair<N>::a); }
  V3<N> point_b() const { return point(&PointPair<N>::b); }

 private:
  V3<N> point(V3<N> PointPair<N>::*side) const {
    V3<N> p{N(0), N(0), N(0)};
    for (int k = 0; k < this->n; ++k) p = p + this->weight[k] * (this->g[k].*side);
    return p;
  }
};

/// Ends where |A - B| <= reach is decided, if that suffices, or where the bounds agree to `tolerance`.
template <class N>
struct LocalDecision {
  static constexpr bool wide = std::is_same_v<N, TwoDouble>;
  static constexpr double error = kLocalError<N>;
  static constexpr double kDeterminantError = 1400 * kUnitRoundoff;  // coordinates are below 2, and off by at most 64 u
  static_assert(kDeterminantError > determinant_error(64 * kUnitRoundoff, 2) && kDeterminantError > 21 * 64 * kUnitRoundoff);

  N reach;
  bool decide;
  double tolerance;
  bool measure = false;  ///< with `decide`: goes on where the sets are apart, until the bounds agree to `tolerance`
  Certain within = Certain::unknown;
  N last{8};
  int step = 0;
  /// In pairs of doubles, the nearest point before the last step: near the origin, rounding may turn a step away from it.
  struct Nothing {};
  std::conditional_t<wide, GjkState<PointPair<N>, N>, Nothing> before{};

  void take_back(Nearby<N>& s) {
    if constexpr (wide) {
      if (rounded(s.norm - last) < 0) return;
      static_cast<GjkState<PointPair<N>, N>&>(s) = before;
      s.norm = last;
    }
  }
  bool end(Certain answer) {
    if (within == Certain::unknown) within = answer;
    return true;
  }
  bool at_point(Nearby<N>& s) {
    const int most =
        wide || within == Certain::no ? 120 : 40;  // a choice; at the cap the search has stalled, but its bounds are valid: callers use them or another tier
    if (s.n < 4 && step++ == most) return true;
    s.norm = square_root(dot(s.x, s.x));
    if (s.n == 4) {
      take_back(s);
      bool around;
      if constexpr (wide)
        around = rounded(s.norm) < 0x1p-80;
      else
        around = certainly_contains_origin(s.w, kDeterminantError, nullptr);
      return end(around ? Certain::yes : Certain::unknown);
    }
    if (decide && rounded(reach - s.norm) > 2 * error) return end(Certain::yes);
    // 2^-88 and the error 2^-94 are below the least bound of touching, 2^-86; below 2^-45 = 256 u, the direction of x drowns in its error.
    if (!(rounded(s.norm) > (wide ? 0x1p-88 : 0x1p-45))) return end(wide ? Certain::yes : Certain::unknown);
    return false;
  }
  bool at_vertex(Nearby<N>& s, const LocalVertex<N>& v) {
    if (s.kept < s.kMostMet) s.met[s.kept++] = v;
    const V3<N> x = s.direction();
    const N low = dot(x, v.w) / (s.by_normal ? square_root(dot(x, x)) : s.norm);
    if (rounded(low - s.low) > 0) {
      s.low = low;
      s.low_direction = x;
    }
    if (decide && rounded(low - reach) > 2 * error) {
      within = Certain::no;
      s.by_normal = measure;
      if (!measure) return true;
    }
    const bool nearer = rounded(s.norm - last) < 0;
    if (!nearer) take_back(s);
    s.converged = rounded(s.norm - s.low) <= (measure && within == Certain::unknown ? 0 : tolerance);
    if (s.converged || !nearer) return true;
    last = s.norm;
    if constexpr (wide) before = static_cast<const GjkState<PointPair<N>, N>&>(s);
    for (int k = 0; k < s.n; ++k)
      if (is_zero(s.w[k] - v.w)) return true;
    s.add(v, v.w);
    return false;
  }
};

/// Starts a search in the direction s.x if that is not zero; sets the reach.
template <class N, class Pair>
void start_search(const Pair& pair, LocalDecision<N>& stop, Nearby<N>& s) {
  if constexpr (LocalDecision<N>::wide)
    stop.reach = pair.reach();
  else
    stop.reach = rounded(pair.reach());
  const LocalVertex<N> v = pair.least(is_zero(s.x) ? V3<N>{N(1), N(0), N(0)} : s.x);
  s.start(v, v.w);
  s.low = N(-4);
}

/// Searches for the point of A - B nearest to the origin; `Pair` provides least(x) and reach(). With `decide` it stops as soon as the comparison with `reach`
/// is certain. Starts in the direction s.x if that is not zero. Returns `no` where a plane proves |x| > reach for all of A - B, `yes` where a point of A - B is
/// at most `reach` from the origin or a simplex contains the origin. Otherwise the bounds have converged, and reach is not below s.low, or the precision or the
/// steps are exhausted.
template <class N, class Pair>
Certain search_nearest(const Pair& pair, bool decide, double tolerance, Nearby<N>& s) {
  LocalDecision<N> stop{{}, decide, tolerance};
  start_search(pair, stop, s);
  gjk(pair, stop, s);
  return stop.within;
}

/// The largest lower bound on the distance of A and B's hulls to within `tolerance`, by cutting planes over all directions. Always terminates, also where the
/// search makes no progress. Stops early with any bound above `enough`.
TwoDouble bound_by_cuts(const LocalPair& pair, const Nearby<TwoDouble>& start, const TwoDouble& enough, double tolerance,
                        std::vector<LocalVertex<TwoDouble>>* vertices);

}  // namespace graze
