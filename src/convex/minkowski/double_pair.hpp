// Two bounded convex sets A and B in doubles alone: relative to a point of A and scaled by a power of two so that all vertices of A - B are below 1/2 in size.
// Lighter than a LocalPair: nothing is prepared for pairs of doubles, and corners of hulls are placed only when they are used.
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>

#include "convex/minkowski/local_pair.hpp"
#include "convex/sets/hull_support.hpp"

namespace graze {

/// A corner of one set: the number of a point (of a hull: of its corner), and which ends of the segments.
struct CornerName {
  std::uint32_t corner;
  std::uint8_t ends;
  auto operator<=>(const CornerName&) const = default;
};
struct FewCorners {
  static constexpr int kMost = 8;
  int count = 0;
  CornerName name[kMost];
  bool operator==(const FewCorners& o) const { return std::equal(name, name + count, o.name, o.name + o.count); }
  bool contains(const CornerName& c) const { return std::find(name, name + count, c) != name + count; }
};

class DoublePair {
 public:
  DoublePair(const Operand& a, const Operand& b);  ///< two convex sets
  /// False for unbounded sets, and sizes for which products might overflow or underflow.
  bool usable() const { return usable_; }

  /// A vertex of A - B, nearly the least along x: climbing a hull may end early.
  LocalVertex<double> least(const V3<double>& x) const {
    LocalVertex<double> v;
    v.a = farthest(0, -x);
    v.b = farthest(1, x);
    v.w = v.a - v.b;
    v.corners = {side_[0].corner, side_[1].corner, side_[0].ends, side_[1].ends};
    return v;
  }
  /// Where the next climbs start. Vertices of A - B near each other have corners near each other.
  void climb_from(const CornerNames& c) const {
    side_[0].corner = c.a;
    side_[1].corner = c.b;
  }
  /// m . w for the vertex of A - B farthest along m, which is at most of unit length: off by at most kDoubleError.
  double height(const V3<double>& m) const { return highest(0, m) + highest(1, -m); }
  double reach() const { return side_[0].ball + side_[1].ball; }  ///< the sum of the radii; relative error 2 u

  /// A corner, as `least` has it; the vertex of two in pairs of doubles, off by at most fine_error() in length, and the height off by as much.
  V3<double> placed_in_doubles(int side, const CornerName& c) const;
  V3<TwoDouble> vertex(const CornerNames& c) const { return placed(0, c.a, c.ends_a) - placed(1, c.b, c.ends_b); }
  TwoDouble fine_height(const V3<double>& m) const { return fine_highest(0, m) + fine_highest(1, -m); }
  TwoDouble fine_reach() const { return TwoDouble(side_[0].ball) + TwoDouble(side_[1].ball); }
  double fine_error() const;
  V3<double> start() const;  ///< a point of A - B
  /// All corners of a side that may lie at most `slack` below the farthest along x, which is of unit length. False where there are more than fit, where points
  /// of a hull that are no corners lie there, and for sums of segments and more than one point.
  bool nearly_farthest(int side, const V3<double>& x, double slack, FewCorners& out) const;
  /// The part of a side in `height`, to the bit, from such corners; `known`: some corners and their places.
  double farthest_of(int side, const V3<double>& x, const FewCorners& near, const FewCorners& known, const V3<double>* places) const;
  /// In pairs of doubles: the least of x . p over some corners of a side, and the greatest over these and others.
  void fine_range(int side, const V3<double>& x, const FewCorners& some, const FewCorners& others, TwoDouble& least, TwoDouble& greatest) const;
  double in_world(double length) const { return length * inverse_; }
  double in_frame(double length) const { return length * scale_; }

 private:
  struct Side {
    const ConvexSet* set;
    V3<double> base[4];  // of sets without a hull and with few points: relative to the origin, scaled
    V3<double> shift{};  // of a set with one point: the point and the middles of the segments; else the middles alone
    V3<double> generator[5];
    int generators = 0;
    double ball, terms;                // `terms`: the sizes of what the middles are the sum of
    double placing = 0;                // of a hull: bounds the rounding of a placed corner, and the error of a direction in the hull's frame times a corner
    std::uint8_t segment[5];           // whose half a generator is
    mutable std::uint32_t corner = 0;  // of the last vertex
    mutable std::uint8_t ends = 0;     // and whether a segment's high end
  };
  double set_up(Side& s, const Operand& o) const;
  V3<double> farthest(int side, const V3<double>& x) const;
  double highest(int side, const V3<double>& x) const;
  V3<TwoDouble> placed(int side, std::uint32_t corner, std::uint8_t ends) const;
  TwoDouble fine_highest(int side, const V3<double>& x) const;
  /// Calls f for points of a hull among which is the one farthest along x.
  template <class F>
  void for_highest_of_hull(const Side& s, const V3<double>& x, bool all, const F& f) const;
  V3<TwoDouble> segment_end(const ConvexSet& c, std::uint32_t k, bool high) const;
  V3<TwoDouble> fine_local(const Vec3& p) const { return times(exact_difference(p, origin_), scale_); }
  V3<double> local(const Vec3& p) const { return {(p.x - origin_.x) * scale_, (p.y - origin_.y) * scale_, (p.z - origin_.z) * scale_}; }

  Side side_[2];
  const HullKernels* kernels_ = &hull_kernels();
  Vec3 origin_;
  double scale_ = 1, inverse_ = 1;
  bool usable_ = false;
};

/// Differences and products of doubles are exact as pairs of doubles, and a sum of two pairs is off by 2^-103 of itself: a vertex, of at most 14 terms, by less
/// than 2^-98 of the terms' sizes in each coordinate.
inline double DoublePair::fine_error() const { return 0x1p-95 * (1 + (side_[0].terms + side_[1].terms) * scale_); }

/// Vertices: with coordinates whose sizes add up to at most 1/2 over both sides, a base point is off by u of itself, the middles of the segments by 7 u and the
/// ends by 2 u of their terms, and a sum of at most seven such terms and the difference by 6 u more: below 8 u a coordinate, 14 u in length. Choosing the
/// farthest by rounded products adds 2 * 3 u; points of a hull that are no corners are farther than its corners by 4 u at most (see `highest`).
inline constexpr double kDoubleError = 32 * 0x1p-53;

}  // namespace graze
