// Exact decisions, in integers, about a convex set that moves along a straight line against one at rest. They certify the first time of contact.
#pragma once
#include <optional>

#include "convex/gjk/nearest_exactly.hpp"
#include "convex/time/raycast.hpp"

namespace graze {

/// Contact at the start, decided exactly.
struct StartContact {
  bool touching = false;   ///< only the boundaries meet; otherwise one set lies deeper in the other
  bool departing = false;  ///< apart just after t = 0
  Vec3 normal{0, 0, 0};    ///< Unit length, from B to A; set if touching. That of across(); else of the contact just before t = 0 where there was none before;
                           ///< else of the separation just after; else any normal that separates.
};

/// Rounds x to a unit vector; returns 0 for 0.
Vec3 unit_vector(const V3<BigInt>& x);

class ExactMotion {
 public:
  ExactMotion(const ConvexSet& a, const Motion& motion, const ConvexSet& b);

  /// Whether there is contact at some t of [0, s] (s may be infinite), or for `whole_line` of (-infinity, s].
  bool contact_by(double s, bool whole_line) const;

  /// Requires contact by s and none by the next lower double. Returns whether the first time is s itself, rather than a time below s.
  bool first_time_is(double s) const;

  /// Where A - B lies in a plane or on a line, a radius does not count, and the motion leads out of that plane or line: the direction perpendicular to it that
  /// is nearest to the reversed motion. It is the normal of every contact, also at a border, where the direction just before contact would be another.
  std::optional<V3<BigInt>> across() const;

  /// The normal of contact: across(), else the direction from B to A just before the first time, which lies in (before, next double above]; unit length.
  /// Requires no contact at `before`.
  Vec3 normal(double before) const;

  /// Requires contact at t = 0.
  StartContact start() const;

  /// The pair at time t and at time 0, and the motion of A per unit of t, in units of 2^motion_exponent().
  IntegerPair at(const Dyadic& t) const;
  /// A duration after the time of `near`, a time before contact, that is certainly free of contact. It is all that the plane through the nearest point
  /// promises, to a relative 2^-bits; 0 when the motion does not reduce the distance.
  Dyadic surely_free(const IntegerPair& pair, const ExactNearest& near, int bits) const;
  const IntegerPair& at_start() const { return pair_; }
  const V3<BigInt>& motion() const { return motion_; }
  int motion_exponent() const { return motion_exponent_; }

 private:
  IntegerPair pair_;
  V3<BigInt> motion_;
  int motion_exponent_ = 0;
};

}  // namespace graze
