// Two bounded convex sets A and B in doubles alone: relative to a point of A and scaled by a power of two so that all vertices of A - B are below 1/2 in size.
// Lighter than a LocalPair: nothing is prepared for pairs of doubles, and corners of hulls are placed only when they are used.
#pragma once
#include <cstdint>

#include "convex/minkowski/local_pair.hpp"

namespace graze {

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
    return v;
  }
  /// Where the last climbs ended, and from where the next ones start: vertices of A - B near each other have corners near each other.
  struct Corners {
    std::uint32_t a, b;
  };
  Corners last_corners() const { return {side_[0].corner, side_[1].corner}; }
  void climb_from(const Corners& c) const {
    side_[0].corner = c.a;
    side_[1].corner = c.b;
  }
  /// m . w for the vertex of A - B farthest along m, which is at most of unit length: off by at most kDoubleError.
  double height(const V3<double>& m) const { return highest(0, m) + highest(1, -m); }
  double reach() const { return side_[0].ball + side_[1].ball; }  ///< the sum of the radii; relative error 2 u
  V3<double> start() const;                                       ///< a point of A - B
  double in_world(double length) const { return length * inverse_; }

 private:
  struct Side {
    const ConvexSet* set;
    V3<double> base[4];  // of sets without a hull and with few points: relative to the origin, scaled
    V3<double> shift{};  // of a set with one point: the point and the middles of the segments; else the middles alone
    V3<double> generator[5];
    int generators = 0;
    double ball;
    double placing = 0;                // of a hull: bounds the rounding of a placed corner, and the error of a direction in the hull's frame times a corner
    mutable std::uint32_t corner = 0;  // where the last climb ended
  };
  double set_up(Side& s, const Operand& o) const;
  V3<double> farthest(int side, const V3<double>& x) const;
  double highest(int side, const V3<double>& x) const;
  V3<double> local(const Vec3& p) const { return {(p.x - origin_.x) * scale_, (p.y - origin_.y) * scale_, (p.z - origin_.z) * scale_}; }

  Side side_[2];
  Vec3 origin_;
  double scale_ = 1, inverse_ = 1;
  bool usable_ = false;
};

/// Vertices: with coordinates whose sizes add up to at most 1/2 over both sides, a base point is off by u of itself, the middles of the segments by 7 u and the
/// ends by 2 u of their terms, and a sum of at most seven such terms and the difference by 6 u more: below 8 u a coordinate, 14 u in length. Choosing the
/// farthest by rounded products adds 2 * 3 u; points of a hull that are no corners are farther than its corners by 4 u at most (see `highest`).
inline constexpr double kDoubleError = 32 * 0x1p-53;

}  // namespace graze
